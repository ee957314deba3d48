import FoundationEssentials
import Testing
import WidgetKitCore

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform

/// The settings of one widget: config.json, then what was set in the program, then the default.
@Suite struct WidgetSettingsTests {
  private let folder: BundleFolder
  private let bundle: WidgetBundle
  private let stored: StoredSettings
  private let id = ExtensionIdentity("com.example.A")

  init() throws {
    folder = try BundleFolder()
    try folder.widget("A.widget", "com.example.A", attributes: Self.declarations, name: "Alpha")
    bundle = try WidgetBundle(path: "\(folder.path)/A.widget")
    stored = StoredSettings(StateFolders(environment: ["HOME": folder.path]))
  }

  private static let declarations = """
    TodaySettings = (
      { name = zones; type = list; default = ("Europe/London"); },
      { name = rows; type = number; minimum = 1; maximum = 9; default = 5; },
      { name = seconds; type = boolean; },
      { name = style; type = choice; choices = (long, short); },
      { name = file; type = file; required = YES; },
      { name = token; type = secret; });
    """

  private func file(_ text: String) -> UserConfiguration {
    UserConfiguration(bytes: Array(text.utf8), path: "config.json")
  }

  private func settings(
    _ section: String,
    keeping previous: WidgetSettings? = nil,
    of id: ExtensionIdentity? = nil
  ) -> WidgetSettings {
    let configuration = file("{ widgets: \(section) }")
    #expect(configuration.problems == [])
    return WidgetSettings(
      of: bundle,
      id ?? self.id,
      file: configuration.settings.widgets,
      stored: stored,
      home: HomeFolder(["HOME": "/home/a"]),
      keeping: previous
    )
  }

  @Test func `the file comes before the program, and the program before the default`() throws {
    #expect(settings("{}").configuration()?.list("zones") == ["Europe/London"])
    try stored.set(["zones": .array([.string("Asia/Tokyo")])], of: id)
    #expect(settings("{}").inForce["zones"]?.source == .program)
    #expect(settings("{}").configuration()?.list("zones") == ["Asia/Tokyo"])
    let fixed = settings("{ 'com.example.A': { zones: ['UTC'] } }")
    #expect(fixed.inForce["zones"]?.source == .file("config.json:1:40"))
    #expect(fixed.configuration()?.list("zones") == ["UTC"])
    try stored.set(["zones": nil], of: id)
    #expect(settings("{}").inForce["zones"]?.source == .standard)
  }

  @Test func `the section of an instance comes before that of its widget`() throws {
    let travel = ExtensionIdentity("com.example.A", instance: InstanceName(rawValue: "travel"))
    let section =
      "{ 'com.example.A': { rows: 2, seconds: true }, 'com.example.A:travel': { rows: 3 } }"
    #expect(settings(section).configuration()?.number("rows") == 2)
    #expect(settings(section, of: travel).configuration()?.number("rows") == 3)
    #expect(settings(section, of: travel).configuration()?.flag("seconds") == true)
    try stored.set(["rows": .number(4)], of: travel)
    #expect(settings("{}").configuration()?.number("rows") == 5)
    #expect(settings("{}", of: travel).configuration()?.number("rows") == 4)
  }

  @Test(arguments: [
    (
      "zone: []",
      "1:33: widgets.\"com.example.A\".zone: Alpha has no setting “zone”; did you mean “zones”?"
    ),
    (
      "qqqq: 1",
      "1:33: widgets.\"com.example.A\".qqqq: Alpha has no setting “qqqq”; “today settings"
    ),
    ("zones: 'UTC'", "1:40: widgets.\"com.example.A\".zones: expected a list of at most 100 texts"),
    ("zones: [1]", "1:40: widgets.\"com.example.A\".zones: expected a list of at most 100 texts"),
    ("rows: 10", "1:39: widgets.\"com.example.A\".rows: expected a number from 1 to 9, found 10"),
    (
      "rows: 1e300",
      "1:39: widgets.\"com.example.A\".rows: expected a number from 1 to 9, found 1e300"
    ),
    ("rows: NaN", "1:39: widgets.\"com.example.A\".rows: expected a number from 1 to 9, found NaN"),
    (
      "seconds: 'yes'",
      "1:42: widgets.\"com.example.A\".seconds: expected true or false, found 'yes'"
    ),
    (
      "style: 'x'",
      "1:40: widgets.\"com.example.A\".style: expected \"long\" or \"short\", found 'x'"
    ),
    ("file: 'todo.txt'", "1:39: widgets.\"com.example.A\".file: expected the path of a file"),
    ("token: 'mine'", "1:40: widgets.\"com.example.A\".token: expected { file: PATH }"),
  ])
  func `an error names widget, member, file and line, and the old value stays`(
    member: String,
    words: String
  ) {
    let good =
      "file: '~/a', zones: ['UTC'], rows: 3, seconds: true, style: 'long', token: { environment: 'T' }"
    let old = settings("{ 'com.example.A': { \(good) } }")
    #expect(old.problems == [])
    let rest = member.hasPrefix("file") ? "" : ", file: '~/a'"
    let new = settings("{ 'com.example.A': { \(member)\(rest) } }", keeping: old)
    #expect(new.problems.count == 1)
    #expect(new.problems.first?.string.hasPrefix("config.json:\(words)") == true, "\(new.problems)")
    #expect(new.problems.first?.string.contains("mine") == false)
    let name = String(member.prefix { $0 != ":" })
    if old.inForce[name] != nil { #expect(new.inForce[name] == old.inForce[name]) }
  }

  @Test func `a required setting without a value is reported, with what to do`() {
    #expect(
      settings("{}").problems.map(\.string) == [
        "Alpha: the setting “file” has no value and must have one; set it with “today settings "
          + "com.example.A file VALUE” or in config.json: widgets: { \"com.example.A\": { file: … } }"
      ]
    )
    #expect(
      settings("{ 'com.example.A': { file: '~/a' } }").configuration()?.string("file")
        == "/home/a/a"
    )
  }

  @Test func `sections are reported that are no objects or name no widget`() {
    #expect(
      file("{ widgets: 7 }").problems.map(\.string) == [
        "config.json:1:12: widgets: expected an object of at most 10000 members, found 7, "
          + "and “sandbox” is “required” until it can be read"
      ]
    )
    #expect(
      file("{ widgets: { Clock: {} } }").problems.first?.string.hasPrefix(
        "config.json:1:14: widgets.Clock: expected the identifier of a widget"
      ) == true
    )
    #expect(
      file("{ widgets: { 'a.b': 7 } }").problems.first?.string.hasPrefix(
        "config.json:1:21: widgets.\"a.b\": expected an object"
      ) == true
    )
    let near = file("{ widgets: { 'org.today.Clok': {}, 'com.else.Where': {} } }").settings.widgets
    #expect(
      near.strangers(among: ["org.today.Clock"]).map(\.string) == [
        "config.json:1:14: widgets.\"org.today.Clok\": no such widget; did you mean “org.today.Clock”?"
      ]
    )
    #expect(
      near.absentees(among: ["org.today.Clock"]).map(\.string) == [
        "config.json:1:36: widgets.\"com.else.Where\": the widget is not installed here"
      ]
    )
    // The script stands for the cards of its blocks.
    #expect(near.absentees(among: ["org.today.Clock", "com.else.Where.load"]).isEmpty)
  }

  @Test func `a section that is wrong keeps its old values`() {
    let old = file("{ widgets: { 'com.example.A': { rows: 3 } } }").settings
    for text in ["{ widgets: { 'com.example.A': 7 } }", "{ widgets: 7 }", "{ widgets: { "] {
      let new = UserConfiguration(bytes: Array(text.utf8), path: "config.json", keeping: old)
      #expect(new.problems.count == 1)
      #expect(new.settings.widgets.entries(of: id)["rows"]?.value == .number(3), "\(text)")
    }
    let gone = UserConfiguration(bytes: Array("{}".utf8), path: "config.json", keeping: old)
    #expect(gone.settings.widgets.entries(of: id).isEmpty)
  }

  @Test func `a secret is given to the widget and to nobody else`() throws {
    let secret = settings("{ 'com.example.A': { token: { environment: 'T' }, file: '/a' } }")
    #expect(secret.secrets == ["token": .environment("T")])
    let configuration = try #require(secret.configuration(secrets: ["token": "pst"]))
    #expect(configuration.string("token") == "pst")
    #expect(configuration.redacted.string("token") == "<secret>")
    #expect(configuration.redacted.string("file") == "/a")
    #expect(secret.configuration()?.string("token") == nil)
  }
}

/// What commands read and set.
@Suite struct SettingsBookTests {
  private let folder: BundleFolder
  private let bundle: WidgetBundle

  init() throws {
    folder = try BundleFolder()
    try folder.widget(
      "A.widget",
      "com.example.A",
      attributes: """
        TodaySettings = ({ name = zones; type = list; default = (UTC); },
          { name = rows; type = number; minimum = 1; },
          { name = token; type = secret; }, { name = big; type = boolean; });
        """,
      name: "Alpha"
    )
    bundle = try WidgetBundle(path: "\(folder.path)/A.widget")
  }

  private func book(_ config: String = "{}") -> SettingsBook {
    let bytes = Array(config.utf8)
    return SettingsBook(
      bundle,
      ExtensionIdentity("com.example.A"),
      file: UserConfiguration(bytes: bytes, path: "config.json").settings.widgets,
      environment: ["HOME": folder.path]
    )
  }

  @Test func `values are set by type, listed with their source, and removed`() throws {
    #expect(book().rows.map(\.source) == ["default", nil, nil, nil])
    try book().set("zones", to: ["Asia/Tokyo, Europe/Rome"])
    #expect(try book().row("zones").value == .list(["Asia/Tokyo", "Europe/Rome"]))
    try book().set("zones", to: ["a", "b,c"])
    #expect(try book().row("zones").value == .list(["a", "b,c"]))
    try book().set("zones", to: ["[\"a,b\"]"])
    #expect(try book().row("zones").value == .list(["a,b"]))
    try book().set("rows", to: ["7"])
    try book().set("big", to: ["on"])
    try book().set("token", to: ["{ environment: 'T' }"])
    #expect(book().rows.map(\.source) == ["program", "program", "program", "program"])
    #expect(try book().row("token").value == nil && book().row("token").isSet)
    for name in ["zones", "rows", "big", "token"] { try book().unset(name) }
    #expect(book().rows.map(\.source) == ["default", nil, nil, nil])
    let files = try FileManager.default.contentsOfDirectory(
      atPath: StateFolders(environment: ["HOME": folder.path]).settings
    )
    #expect(files == [])
  }

  @Test func `several changes are made at once, or none of them`() throws {
    try book().set("rows", to: ["2"])
    #expect(throws: HostError.self) { try book().change(["zones": ["Asia/Tokyo"], "rows": ["x"]]) }
    #expect(book().rows.map(\.source) == ["default", "program", nil, nil])
    try book().change(["zones": ["Asia/Tokyo"], "rows": nil, "big": ["on"]])
    #expect(book().rows.map(\.source) == ["program", nil, nil, "program"])
  }

  @Test func `what cannot be set is refused with words`() {
    let refused: [([String], String)] = [
      (["row", "1"], "Alpha has no setting “row”; did you mean “rows”?"),
      (["rows", "x"], "rows: expected a number of at least 1, found “x”"),
      (["rows", "nan"], "rows: expected a number of at least 1, found “nan”"),
      (["rows", "0x10"], "rows: expected a number of at least 1, found “0x10”"),
      (["rows", "0x1p3"], "rows: expected a number of at least 1, found “0x1p3”"),
      (["rows", "1e300"], ""),
      (["big", "maybe"], "big: expected true or false, found “maybe”"),
      (
        ["token", "mine"],
        "token: expected { file: PATH }, { command: [PROGRAM, …] } or "
          + "{ environment: NAME }"
      ),
    ]
    for (words, expected) in refused {
      do throws(HostError) {
        try book().set(words[0], to: Array(words.dropFirst()))
        #expect(expected.isEmpty, "\(words)")
      } catch {
        #expect(error.description == expected && error.code == .setting)
      }
    }
    let fixed = book("{\n widgets: { 'com.example.A': { rows: 3 } } }")
    let error = #expect(throws: HostError.self) { try fixed.set("rows", to: ["4"]) }
    #expect(error?.code == .fixed)
    #expect(
      error?.description
        == "rows is set at config.json:2:38; change it there, or remove it there first"
    )
    #expect(throws: HostError.self) { try fixed.unset("zone") }
  }
}
