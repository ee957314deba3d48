import ExtensionContent
import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import EngineTestSupport
@testable import WidgetExtensions

/// Share and action extensions among the bundles, and what their manifests say.
@Suite struct ContentExtensionTests {
  private func catalog(
    _ point: String,
    _ attributes: String,
    named name: String = "Paste.appex"
  ) throws -> BundleCatalog {
    let folder = try BundleFolder()
    try folder.widget(name, "com.example.Paste", attributes: attributes, point: point)
    return BundleCatalog.scan(SearchPaths(named: [folder.path], environment: [:], executable: nil))
  }

  private nonisolated static let rule =
    "NSExtensionActivationRule = { NSExtensionActivationSupportsText = YES; };"

  @Test(arguments: ["Paste.appex", "Paste.widget"])
  func `an extension to which content is offered is no widget`(name: String) throws {
    let catalog = try catalog(
      "com.apple.share-services",
      Self.rule + "TodayGlyph = \"⇧\";",
      named: name
    )
    #expect(catalog.widgets.isEmpty && catalog.problems.isEmpty)
    let found = try #require(catalog.contentExtensions.first)
    #expect(found.identifier == "com.example.Paste" && found.shares && found.hasView)
    #expect(found.glyph == "⇧" && !found.wantsFullScreen)
    #expect(catalog.extensions(of: .share).count == 1 && catalog.extensions(of: .filter).isEmpty)
  }

  @Test func `an action has a view or is a filter, and is an editor or a viewer`() throws {
    let viewer = "NSExtensionServiceRoleType = NSExtensionServiceRoleTypeViewer; "
    let screen = "NSExtensionActionWantsFullScreenPresentation = YES; "
    let action = try catalog("com.apple.ui-services", Self.rule + viewer + screen)
      .contentExtensions[0]
    #expect(!action.shares && action.hasView && action.role == .viewer && action.wantsFullScreen)
    let filter = try catalog("com.apple.services", Self.rule).contentExtensions[0]
    #expect(!filter.shares && !filter.hasView && filter.role == .editor)
  }

  @Test func `an unknown point is an error that names the four that exist`() throws {
    let catalog = try catalog("com.example.other", "")
    #expect(
      catalog.problems.map(\.description) == [
        """
        Paste.appex/Info.plist: NSExtension.NSExtensionPointIdentifier is "com.example.other"; expected \
        com.apple.widget-extension, com.apple.share-services, com.apple.ui-services, com.apple.services
        """
      ]
    )
    #expect(catalog.contentExtensions.isEmpty)
  }

  @Test func `a point under another name is told the right one`() throws {
    let catalog = try catalog("com.apple.share", "")
    #expect(catalog.problems.first?.expected == "com.apple.share-services")
  }

  @Test(arguments: [
    (
      "",
      "NSExtensionActivationRule is missing; expected a dictionary of counts or a predicate, without which nothing is offered"
    ),
    (
      "NSExtensionActivationRule = \"extensionItems.@count =\";",
      "NSExtensionActivationRule is not usable (character 24: expected extensionItems or a variable, found the end); expected a dictionary of counts or a predicate"
    ),
    (
      rule + "NSExtensionServiceRoleType = Editor;",
      "NSExtensionServiceRoleType is \"Editor\"; expected NSExtensionServiceRoleTypeEditor or NSExtensionServiceRoleTypeViewer"
    ),
    (rule + "TodayGlyph = \"abc\";", "TodayGlyph is \"abc\"; expected a sign of one or two cells"),
    (
      rule + "NSExtensionActionWantsFullScreenPresentation = maybe;",
      "NSExtensionActionWantsFullScreenPresentation is no truth value; expected true or false"
    ),
  ])
  func `a wrong value is named, and only its bundle is missing`(attributes: String, words: String)
    throws
  {
    let folder = try BundleFolder()
    try folder.widget(
      "A.widget",
      "com.example.A",
      attributes: attributes,
      point: "com.apple.ui-services"
    )
    try folder.widget(
      "B.widget",
      "com.example.B",
      attributes: Self.rule,
      point: "com.apple.services"
    )
    let paths = SearchPaths(named: [folder.path], environment: [:], executable: nil)
    let catalog = BundleCatalog.scan(paths)
    #expect(
      catalog.problems.map(\.description) == [
        "A.widget/Info.plist: NSExtension.NSExtensionAttributes.\(words)"
      ]
    )
    #expect(catalog.contentExtensions.map(\.identifier) == ["com.example.B"])
  }

  @Test func `a script of the program gives way to one of the user with its name`() throws {
    let line = "#!/bin/sh\n# today: action accepts=public.json title="
    let scripts = try ScriptWorld(["copy.sh": line + "Mine"])
    let folder = "\(scripts.world.path)/lib/today/extensions"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for name in ["convert.py", "copy.sh"] {
      try scripts.world.write(line + "Shipped", to: "\(folder)/\(name)")
      #expect(unsafe chmod("\(folder)/\(name)", 0o755) == 0)
    }
    let program = "\(scripts.world.path)/bin/today"
    let paths = SearchPaths(environment: scripts.world.environment(), executable: program)
    let catalog = BundleCatalog.scan(paths)
    let found = catalog.contentExtensions.map { "\($0.identifier) \($0.bundle.displayName)" }
    #expect(found == ["script.copy Mine", "script.convert Shipped"])
    #expect(catalog.problems.isEmpty && catalog.widgets.isEmpty)
    let named = SearchPaths(named: [scripts.folder], environment: [:], executable: program)
    #expect(BundleCatalog.scan(named).contentExtensions.isEmpty)
  }

  @Test func `where content is offered the bundles of the program are not read`() throws {
    let home = try BundleFolder()
    try home.widget("lib/today/widgets/Broken.widget", "no identifier")
    try home.widget(
      "data/today/widgets/Mine.appex",
      "com.example.Mine",
      attributes: Self.rule,
      point: "com.apple.services"
    )
    var paths = SearchPaths(
      environment: ["XDG_DATA_HOME": "\(home.path)/data"],
      executable: "\(home.path)/bin/today"
    )
    #expect(BundleCatalog.scan(paths).problems.count == 1)
    paths.omitsOwnBundles = true
    let catalog = BundleCatalog.scan(paths)
    #expect(catalog.problems.isEmpty)
    #expect(catalog.contentExtensions.map(\.identifier) == ["com.example.Mine"])
  }

  @Test func `content is offered to share extensions before actions, by name`() throws {
    let folder = try BundleFolder()
    try folder.widget(
      "1.widget",
      "com.example.1",
      attributes: Self.rule,
      name: "a",
      point: "com.apple.services"
    )
    try folder.widget(
      "2.widget",
      "com.example.2",
      attributes: Self.rule,
      name: "z",
      point: "com.apple.share-services"
    )
    try folder.widget(
      "3.widget",
      "com.example.3",
      attributes: Self.rule,
      name: "B",
      point: "com.apple.share-services"
    )
    let paths = SearchPaths(named: [folder.path], environment: [:], executable: nil)
    let items = [ExtensionItem(attachments: [ItemAttachment(id: "a1", types: [.plainText])])]
    let extensions = BundleCatalog.scan(paths).contentExtensions
    let offers = ContentOffer.all(extensions, for: items, .standard)
    #expect(offers.map(\.target.identifier) == ["com.example.3", "com.example.2", "com.example.1"])
    #expect(offers.allSatisfy { $0.verdict.isOffered })
    let locked = ContentOffer.all(extensions, for: items, .standard, canReplace: false)
    #expect(
      locked.last?.verdict == .refused("it is an editor, and the content cannot be replaced")
    )
  }

  @Test func `an app declares types, by which files are recognized`() throws {
    let folder = try BundleFolder()
    try folder.app(
      "Comics.app",
      "com.example.Comics",
      more: """
        UTExportedTypeDeclarations = (
          { UTTypeIdentifier = "com.example.comic"; UTTypeConformsTo = "public.data";
            UTTypeTagSpecification = { "public.filename-extension" = cbz; }; },
          "no dictionary", { UTTypeIdentifier = "public.png"; });
        """
    )
    let paths = SearchPaths(named: [folder.path], environment: [:], executable: nil)
    let (table, problems) = TypeTable.of(BundleCatalog.scan(paths).apps)
    #expect(table.type(forName: "a.cbz") == UniformType("com.example.comic"))
    #expect(
      problems.map { $0.replacing(folder.path, with: "") }.sorted() == [
        "/Comics.app/Info.plist: public.png is a standard type",
        "/Comics.app/Info.plist: type 2: UTTypeIdentifier is not a type identifier",
      ]
    )
  }
}
