import FoundationEssentials
import Testing
import WidgetKitCore

struct `A widget's bundle` {
  @Test(arguments: ["xml", "binary", "old"])
  func `is read from every form of property list`(form: String) throws {
    let disk = try BundleOnDisk()
    try disk.widget(changes: ["CFBundleDisplayName": "\"World Clock\""])
    if form != "old" {
      let encoder = PropertyListEncoder()
      encoder.outputFormat = form == "xml" ? .xml : .binary
      let list = SampleList(
        extension: SampleList.Entry(attributes: ["interval": 60, "shown": 1])
      )
      try disk.write(encoder.encode(list), to: "Clock.widget/Info.plist")
    }
    let bundle = try WidgetBundle(path: "\(disk.root)/Clock.widget")
    #expect(bundle.bundleIdentifier == "com.example.Clock")
    #expect(bundle.displayName == "World Clock")
    #expect(bundle.path == "\(disk.root)/Clock.widget")
    #expect(bundle.executablePath == "\(disk.root)/Clock.widget/clock")
    #expect(bundle.containingApp == nil)
    #expect(bundle.infoPlist.widgetExtension?.principal == .principalClass("Clock"))
    if form != "old" {
      #expect(bundle.base.attributes == ["interval": .number(60), "shown": .number(1)])
      #expect(bundle.infoPlist.isBackgroundOnly)
    }
  }

  @Test func `says which sign is before its name, and in which colour`() throws {
    let disk = try BundleOnDisk()
    func mark(_ attributes: String) throws -> CardMark? {
      try disk.widget(changes: [
        "NSExtension": "{ NSExtensionPointIdentifier = \"com.apple.widget-extension\"; "
          + "NSExtensionPrincipalClass = Clock; NSExtensionAttributes = { \(attributes) }; }"
      ])
      return try WidgetBundle(path: "\(disk.root)/Clock.widget").infoPlist.widgetExtension?.mark
    }
    let whole = try mark("TodayGlyph = \"◷\"; TodayTint = cyan;")
    #expect(whole == CardMark(glyph: "◷", tint: .cyan))
    #expect(try mark("TodayTint = \"#0a0b0c\";")?.tint == .rgb(red: 10, green: 11, blue: 12))
    #expect(try mark("") == CardMark())
    for wrong in ["TodayGlyph = abc;", "TodayGlyph = \"  \";", "TodayTint = sky;"] {
      #expect(throws: BundleError.self) { try mark(wrong) }
    }
  }

  @Test func `says what it is for in its attributes, else where earlier versions had it`() throws {
    let disk = try BundleOnDisk()
    func description(_ attributes: String, _ changes: [String: String] = [:]) throws -> String? {
      let ownChanges = [
        "NSExtension": "{ NSExtensionPointIdentifier = \"com.apple.widget-extension\"; "
          + "NSExtensionPrincipalClass = Clock; NSExtensionAttributes = { \(attributes) }; }"
      ]
      try disk.widget(changes: ownChanges.merging(changes) { $1 })
      return try WidgetBundle(path: "\(disk.root)/Clock.widget").infoPlist.widgetDescription?
        .string
    }
    let former = ["TodayDescription": "Former", "widget.description": "Apart"]
    #expect(try description("TodayDescription = New;", former) == "New")
    #expect(try description("TodayDescription = \"\";", former) == "Former")
    #expect(try description("", former) == "Former")
    #expect(try description("", ["widget.description": "Apart"]) == "Apart")
    #expect(try description("") == nil)
  }

  @Test
  func `has its own name, the name of its app or of its folder`() throws {
    let disk = try BundleOnDisk()
    try disk.widget()
    #expect(try WidgetBundle(path: "\(disk.root)/Clock.widget/").displayName == "Clock")

    try disk.widget(
      "Town.app",
      changes: ["NSExtension": "", "CFBundleIdentifier": "\"com.example\""]
    )
    try disk.widget("Town.app/PlugIns/Today.widget")
    let bundle = try WidgetBundle(path: "\(disk.root)/Town.app/PlugIns/Today.widget")
    #expect(bundle.displayName == "Town")
    #expect(bundle.containingApp?.bundleIdentifier == "com.example")
  }

  @Test(arguments: [
    "", " ", "\u{3000}\u{A0}", "\u{200B}\u{200D}\u{FEFF}", "\u{202E}\u{2066}", "\u{E0041}\u{E007F}",
    "\u{7}\u{1B}", "\u{AD}", "\u{3164}\u{115F}", "\u{2800}", "\u{301}", "\u{FE0F}",
  ])
  func `has its identifier as its name if no character of the name is visible`(
    name: String
  ) throws {
    let disk = try BundleOnDisk()
    try disk.widget(changes: ["CFBundleDisplayName": "\"\(name)\""])
    let bundle = try WidgetBundle(path: "\(disk.root)/Clock.widget")
    #expect(bundle.displayName == "com.example.Clock")
    try disk.widget("\u{3164}.widget")
    #expect(
      try WidgetBundle(path: "\(disk.root)/\u{3164}.widget").displayName == "com.example.Clock"
    )
    try disk.widget(changes: ["CFBundleDisplayName": "\"\(name)e\u{301}\""])
    #expect(try WidgetBundle(path: "\(disk.root)/Clock.widget").displayName != "com.example.Clock")
  }

  @Test
  func `may have an executable that is a link inside the bundle`() throws {
    let disk = try BundleOnDisk()
    try disk.widget()
    try disk.write("#!/bin/sh\n", to: "Clock.widget/bin/clock.sh", mode: 0o755)
    try FileManager.default.removeItem(atPath: "\(disk.root)/Clock.widget/clock")
    try disk.link("Clock.widget/clock", to: "bin/clock.sh")
    let bundle = try WidgetBundle(path: "\(disk.root)/Clock.widget")
    #expect(bundle.executablePath.hasSuffix("/Clock.widget/bin/clock.sh"))
  }

  @Test
  func `shows no control character in its name`() throws {
    let disk = try BundleOnDisk()
    try disk.widget(changes: ["CFBundleDisplayName": "\"Clo\u{1B}]0;x\u{7}ck\""])
    let name = try WidgetBundle(path: "\(disk.root)/Clock.widget").displayName.string
    #expect(name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
  }
}

struct `An app's bundle` {
  @Test
  func `lists its schemes once and in lower case`() throws {
    let disk = try BundleOnDisk()
    let types = "({ CFBundleURLSchemes = (ClownTown, clowntown); }, { CFBundleURLSchemes = (ct); })"
    try disk.widget("Town.app", changes: ["NSExtension": "", "CFBundleURLTypes": types])
    let app = try AppBundle(path: "\(disk.root)/Town.app")
    #expect(app.urlSchemes == ["clowntown", "ct"])
    #expect(app.name == "Town")
    #expect(app.executablePath == "\(disk.root)/Town.app/clock")
  }
}

/// A property list to write in the forms that have an encoder.
private struct SampleList: Encodable {
  var identifier = "com.example.Clock"
  var name = "World Clock"
  var executable = "clock"
  var isBackgroundOnly = true
  var `extension`: Entry

  struct Entry: Encodable {
    var point = "com.apple.widget-extension"
    var principal = "Clock"
    var attributes: [String: Int]

    enum CodingKeys: String, CodingKey {
      case point = "NSExtensionPointIdentifier"
      case principal = "NSExtensionPrincipalClass"
      case attributes = "NSExtensionAttributes"
    }
  }

  enum CodingKeys: String, CodingKey {
    case identifier = "CFBundleIdentifier"
    case name = "CFBundleDisplayName"
    case executable = "CFBundleExecutable"
    case isBackgroundOnly = "LSBackgroundOnly"
    case `extension` = "NSExtension"
  }
}
