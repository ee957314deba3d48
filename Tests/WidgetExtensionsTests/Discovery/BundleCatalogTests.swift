import FoundationEssentials
import Testing
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

@testable import EngineTestSupport

struct `A catalog of bundles` {
  @Test
  func `lists widgets by search path, then by name`() throws {
    let (first, second) = (try BundleFolder(), try BundleFolder())
    try first.widget("System.widget", "com.example.System")
    try first.app("ClownTown.app", "com.example.ClownTown")
    try first.widget("ClownTown.app/PlugIns/Today.widget", "com.example.ClownTown.Today")
    try second.widget("Clock.widget", "com.example.Clock")
    try second.widget("deeper/Hidden.widget", "com.example.Hidden")
    try second.widget(".Backup.widget", "com.example.Backup")

    let catalog = scan(first.path, second.path)
    #expect(
      catalog.widgets.map(\.bundleIdentifier) == [
        "com.example.ClownTown.Today", "com.example.System", "com.example.Clock",
      ]
    )
    #expect(catalog.apps.map(\.name) == ["ClownTown"])
    #expect(catalog.widgets.first?.containingApp == catalog.apps.first)
    #expect(catalog.widget(withIdentifier: "com.example.Clock")?.displayName == "Clock")
    #expect(catalog.app(withIdentifier: "com.example.Clock") == nil)
    #expect(catalog.problems.isEmpty)
  }

  @Test
  func `lists extensions of something else apart`() throws {
    let folder = try BundleFolder()
    try folder.widget("Clock.widget", "com.example.Clock")
    try folder.widget("Share.widget", "com.example.Share", point: "com.example.share")
    let catalog = scan(folder.path)
    #expect(catalog.widgets.map(\.bundleIdentifier) == ["com.example.Clock"])
    #expect(catalog.otherExtensions.map(\.pointIdentifier) == ["com.example.share"])
    #expect(catalog.problems.map(\.found) == ["\"com.example.share\""])
  }

  @Test(arguments: [
    "org.today.Mail", "ORG.Today.Mail", "org.today", "script.menu",
  ])
  func `has no bundle of others with an identifier of the program`(identifier: String) throws {
    let home = try BundleFolder()
    let (user, program) = ("data/today/widgets", "lib/today/widgets")
    try home.widget("\(program)/Mail.widget", "org.today.Mail")
    try home.widget("\(user)/Evil.widget", identifier)
    try home.app("\(user)/Evil.app", identifier)
    try home.widget("\(user)/Evil.app/PlugIns/W.widget", "\(identifier).W")
    try home.widget("\(user)/Good.widget", "org.todays.Mail")
    let catalog = BundleCatalog.scan(
      SearchPaths(
        environment: ["XDG_DATA_HOME": "\(home.path)/data"],
        executable: "\(home.path)/bin/today"
      )
    )
    #expect(
      catalog.widgets.map(\.path) == [
        "\(home.path)/\(user)/Good.widget", "\(home.path)/\(program)/Mail.widget",
      ]
    )
    #expect(catalog.apps.isEmpty)
    #expect(catalog.problems.map(\.code) == [.reserved, .reserved])
    #expect(catalog.problems.allSatisfy { $0.description.contains("expected another prefix than") })
    // The user names what he means.
    let named = BundleCatalog.scan(
      SearchPaths(named: ["\(home.path)/\(user)"], environment: [:], executable: nil)
    )
    #expect(named.app(withIdentifier: identifier) != nil)
  }

  @Test(arguments: [
    ("com.apple.widget-extenison", true), ("com.apple.Widget-Extension", true),
    ("com.apple.widget.extension", true), ("com.apple.widgetextension", true),
    ("com.apple.today-extension", true), ("com.apple.widgetkit-extension", true),
    ("com.example.share", false),
  ])
  func `names an extension point that was meant to be that of widgets`(
    point: String,
    isMeant: Bool
  ) throws {
    let folder = try BundleFolder()
    try folder.widget("Clock.widget", "com.example.Clock", point: point)
    let catalog = scan(folder.path)
    #expect(catalog.widgets.isEmpty)
    let words =
      "Clock.widget/Info.plist: NSExtension.NSExtensionPointIdentifier is \"\(point)\"; "
      + "expected com.apple.widget-extension"
    let others = ", com.apple.share-services, com.apple.ui-services, com.apple.services"
    #expect(catalog.problems.map(\.description) == [words + (isMeant ? "" : others)])
  }

  @Test
  func `skips a bad bundle and reports it`() throws {
    let folder = try BundleFolder()
    try folder.widget("Bad.widget", "com.example.Bad", executable: "nothing")
    try folder.widget("Good.widget", "com.example.Good")
    try folder.app("Bad.app", "Bad")
    try folder.widget("Bad.app/PlugIns/Today.widget", "Bad.Today")

    let catalog = scan(folder.path)
    #expect(catalog.widgets.map(\.bundleIdentifier) == ["com.example.Good"])
    #expect(
      catalog.problems.map(\.description) == [
        "Bad.app/Info.plist: CFBundleIdentifier is \"Bad\"; expected letters, digits, - and . "
          + "in reverse-DNS order, like com.example.Clock",
        "Bad.widget/nothing is missing; expected the executable that CFBundleExecutable names",
      ]
    )
  }

  @Test
  func `keeps the first of two with one identifier and reports both`() throws {
    let (first, second) = (try BundleFolder(), try BundleFolder())
    try first.widget("Clock.widget", "com.example.Clock")
    try second.widget("Other.widget", "com.example.Clock")
    let catalog = scan(first.path, second.path)
    #expect(catalog.widgets.map(\.path) == ["\(first.path)/Clock.widget"])
    #expect(
      catalog.problems.map(\.description) == [
        "\(second.path)/Other.widget/Info.plist: CFBundleIdentifier is \"com.example.Clock\", "
          + "which \(first.path)/Clock.widget has already; expected an identifier of its own"
      ]
    )
  }

  @Test
  func `reads a folder once if two search paths lead to it`() throws {
    let folder = try BundleFolder()
    try folder.widget("real/Clock.widget", "com.example.Clock")
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/link",
      withDestinationPath: "real"
    )
    let catalog = scan("\(folder.path)/real", "\(folder.path)/link")
    #expect(catalog.widgets.count == 1)
    #expect(catalog.problems.isEmpty)
  }

  @Test
  func `says why a folder cannot be read`() throws {
    let folder = try BundleFolder()
    let link = "\(folder.path)/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: link)
    #expect(
      scan(link).problems.map(\.description) == [
        "\(link) is not readable (Too many levels of symbolic links); expected a folder of bundles"
      ]
    )
  }

  @Test
  func `reports a missing folder only if the user named it`() throws {
    let folder = try BundleFolder()
    let missing = "\(folder.path)/missing"
    #expect(
      scan(missing).problems.map(\.description) == [
        "\(missing) is missing; expected a folder of bundles"
      ]
    )
    let byDefault = SearchPaths(
      environment: ["XDG_DATA_HOME": missing, "XDG_DATA_DIRS": missing],
      executable: nil
    )
    #expect(BundleCatalog.scan(byDefault).problems.isEmpty)
  }

  @Test
  func `stops at its limit with one problem`() throws {
    let folder = try BundleFolder()
    for number in 1...7 {
      try folder.widget("W\(number).widget", "com.example.W\(number)")
    }
    var limits = BundleLimits()
    limits.widgets = 4
    let paths = SearchPaths(named: [folder.path], environment: [:], executable: nil)
    let catalog = BundleCatalog.scan(paths, limits: limits)
    #expect(catalog.widgets.count == 4)
    #expect(
      catalog.problems.map(\.description) == [
        "\(folder.path)/W5.widget is the first of 3 bundles too many; "
          + "expected at most 4 widgets, 2000 bundles in all"
      ]
    )
  }

  private func scan(_ folders: String...) -> BundleCatalog {
    BundleCatalog.scan(SearchPaths(named: folders, environment: [:], executable: nil))
  }
}
