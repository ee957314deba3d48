import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetSessions

/// The configuration of the user: valid and invalid settings, and their documentation.
struct UserConfigurationTests {
  private func configuration(_ text: String) throws -> CenterConfiguration {
    let folder = try BundleFolder()
    try DurableFile.write(text.utf8, to: "\(folder.path)/config/today/config.json")
    var configuration = CenterConfiguration(environment: [:], executablePath: "/today")
    UserConfiguration(environment: ["XDG_CONFIG_HOME": "\(folder.path)/config"])
      .apply(to: &configuration)
    return configuration
  }

  @Test("settings take effect, also with comments")
  func setsWhatIsSet() throws {
    let made = try configuration(
      """
      // As the documentation has it.
      {
        limits: { lineBytes: 2048, picturesPerSecond: 5, },
        'memory': { "hardBytes": 268435456 },
        deadlines: { initializeSeconds: 0.5 },
      }
      """
    )
    #expect(made.problems.isEmpty)
    #expect(made.limits.lineBytes == 2048)
    #expect(made.limits.picturesPerSecond == 5)
    #expect(made.limits.resources.memory.hardBytes == 256 << 20)
    #expect(made.policy.initialize == .milliseconds(500))
    #expect(made.limits.view == .standard)
  }

  private func user(_ text: String, keeping settings: Settings? = nil) -> UserConfiguration {
    UserConfiguration(
      bytes: Array(text.utf8),
      path: "config.json",
      keeping: settings,
      commands: ["help", "refreshAll"]
    )
  }

  @Test(
    "an invalid setting is named with its position, and the rest applies",
    arguments: [
      ("limits: { lineByte: 5 }", "limits.lineByte: unknown setting"),
      ("limits: { lineBytes: \"5\" }", "limits.lineBytes: expected a whole number from 1024"),
      ("limits: { lineBytes: 1 }", "limits.lineBytes: expected a whole number from 1024"),
      ("limits: { lineBytes: [1] }", "limits.lineBytes: expected a whole number"),
      ("limits: 7", "limits: expected an object, found 7"),
      ("limits: { lineBytes: { a: 1 } }", "limits.lineBytes: expected a whole number"),
      ("colour: \"\u{1B}[2J\"", "colour: unknown setting"),
      ("limits: { lineBytes: null }", "limits.lineBytes: expected a whole number"),
    ]
  )
  func namesWhatIsWrong(text: String, words: String) throws {
    let made = try configuration("{ \(text), restarts: { failureLimit: 9 } }")
    #expect(made.problems.count == 1)
    #expect(made.problems[0].string.contains(words), "\(made.problems)")
    #expect(made.problems[0].string.contains("config.json"))
    #expect(made.policy.restarts.failureLimit == 9)
    #expect(made.limits.lineBytes == HostLimits().lineBytes)
  }

  @Test(arguments: [
    "sandbox: 'maybe'", "sandbox: null", "sandbox: { level: 'off' }",
    "sandbox: 'off', sandbox: 'off'",
  ])
  func `a wrong sandbox is the strictest one`(text: String) {
    let made = user(
      "{ \(text) }",
      keeping: {
        var settings = Settings()
        settings.sandbox = .off
        return settings
      }()
    )
    #expect(made.settings.sandbox == .required)
    #expect(made.problems.count == 1 && made.problems[0].string.contains("sandbox"))
  }

  @Test(arguments: [
    ("sandbx: 'required'", "did you mean “sandbox”? Until then \"required\" applies"),
    ("Sandbox: 'off'", "did you mean “sandbox”?"), ("sandbx: 'off', sandbox: 'off'", "sandbx"),
    ("limits: { sandbox: 'required' }", "limits.sandbox: unknown setting"),
  ])
  func `a misspelt sandbox is the strictest one`(text: String, words: String) {
    for previous in [nil, Settings()] {
      let made = user("{ \(text) }", keeping: previous)
      #expect(made.settings.sandbox == .required)
      #expect(
        made.problems.count == 1 && made.problems[0].string.contains(words),
        "\(made.problems)"
      )
    }
    #expect(user("{ sandwich: 'off' }").settings.sandbox == .automatic)
  }

  /// Texts that cannot be read as settings at all.
  nonisolated private static let unreadable = [
    "{ sandbox: 'required'", "{ sandbox: 'off' } x", "7", "[]", "\u{0}",
  ]

  @Test(arguments: unreadable)
  func `at a start, a file that cannot be read leaves the strictest sandbox`(text: String) {
    let made = user(text)
    #expect(made.settings.sandbox == .required)
    #expect(made.problems.count == 1)
    #expect(made.settings.limits.lineBytes == Settings().limits.lineBytes)
  }

  @Test(arguments: unreadable, SandboxMode.allCases)
  func `a file that can no longer be read leaves the sandbox as it was`(
    text: String,
    mode: SandboxMode
  ) {
    var settings = Settings()
    settings.sandbox = mode
    let made = user(text, keeping: settings)
    #expect(made.settings.sandbox == mode)
    #expect(made.problems.count == 1)
    #expect(!made.problems[0].string.contains("is “required”"))
  }

  @Test func `a file that is there but cannot be opened leaves the strictest sandbox at a start`()
    throws
  {
    let folder = try BundleFolder()
    let environment = ["XDG_CONFIG_HOME": "\(folder.path)/config"]
    #expect(UserConfiguration(environment: environment).settings.sandbox == .automatic)
    try FileManager.default.createDirectory(
      atPath: UserConfiguration.path(environment),
      withIntermediateDirectories: true
    )
    let made = UserConfiguration(environment: environment)
    #expect(made.settings.sandbox == .required)
    #expect(made.problems.map(\.string).joined().hasSuffix("is “required” until it can be read"))
  }

  @Test(arguments: [
    ("{\n  limits: {\n    lineBytes: 1e-\n  }\n}", "config.json:3:19: expected the digits"),
    ("{\n  limits: { lineBytes: 5 }\n}", "config.json:2:24: limits.lineBytes: expected a whole"),
    ("{ // größe\n  colour: 1,\n}", "config.json:2:3: colour: unknown setting"),
    ("{ limits: 1 limits: 2 }", "config.json:1:13: expected a comma or }"),
    ("{ limits: 'a\n' }", "config.json:1:11: a string without an end"),
    ("{ /* limits: 1 }", "config.json:1:3: a comment without an end"),
    ("{ limits: 01 }", "config.json:1:11: not a number"),
    ("{ limits: -.e1 }", "config.json:1:11: not a number"),
    ("{ limits: 0x }", "config.json:1:13: expected hexadecimal digits"),
    ("{ limits: 1. e }", "config.json:1:14: expected a comma or }"),
    ("{ 1: 1 }", "config.json:1:3: expected a member's name"),
    ("{ limits: \"\\u12g4\" }", "config.json:1:16: expected 4 hexadecimal digits"),
    ("{} x", "config.json:1:4: expected the end of the file"),
    (String(repeating: "[", count: 100), "config.json:1:65: nested more than 64 deep"),
  ])
  func `an error names its line and column`(text: String, words: String) throws {
    let made = try configuration(text)
    #expect(made.problems.count == 1)
    #expect(made.problems[0].string.contains(words), "\(made.problems)")
  }

  @Test(arguments: [
    "{ limits: { lineBytes: +2048, }, }", "{ limits: { lineBytes: 0x800 } }",
    "{ 'limits': { \"lineBytes\": 2.048e3 } }", "\u{FEFF}{ limits: { lineBytes: 2048. } }",
    "/* a */ { limits: { lineBytes: 2048 // b\n } }", "{ limits: { \nlineBytes\n:\n2048 } }",
  ])
  func `all forms of JSON5 are read`(text: String) throws {
    let made = try configuration(text)
    #expect(made.problems.isEmpty, "\(made.problems)")
    #expect(made.limits.lineBytes == 2048)
  }

  @Test(arguments: ["", "[]", "{", "7", "\u{0}"])
  func `a file that is not an object is reported and ignored`(text: String) throws {
    let made = try configuration(text)
    #expect(made.problems.count == 1)
    #expect(made.limits.lineBytes == HostLimits().lineBytes)
  }

  @Test(arguments: [
    // Whole numbers.
    ("{ limits: { urlBytes: 'x' } }", "1:23: limits.urlBytes: \(whole), found 'x'"),
    ("{ limits: { urlBytes: 63 } }", "1:23: limits.urlBytes: \(whole), found 63"),
    ("{ limits: { urlBytes: 100.5 } }", "1:23: limits.urlBytes: \(whole), found 100.5"),
    ("{ limits: { urlBytes: -100 } }", "1:23: limits.urlBytes: \(whole), found -100"),
    ("{ limits: { urlBytes: -0 } }", "1:23: limits.urlBytes: \(whole), found -0"),
    ("{ limits: { urlBytes: 1e999 } }", "1:23: limits.urlBytes: \(whole), found 1e999"),
    ("{ limits: { urlBytes: -1e999 } }", "1:23: limits.urlBytes: \(whole), found -1e999"),
    ("{ limits: { urlBytes: 1e-999 } }", "1:23: limits.urlBytes: \(whole), found 1e-999"),
    ("{ limits: { urlBytes: Infinity } }", "1:23: limits.urlBytes: \(whole), found Infinity"),
    ("{ limits: { urlBytes: -Infinity } }", "1:23: limits.urlBytes: \(whole), found -Infinity"),
    ("{ limits: { urlBytes: NaN } }", "1:23: limits.urlBytes: \(whole), found NaN"),
    ("{ limits: { urlBytes: \(thirty) } }", "1:23: limits.urlBytes: \(whole), found \(thirty)"),
    (
      "{ limits: { urlBytes: 0xFFFFFFFFFFFFFFFFFFFFFF } }",
      "1:23: limits.urlBytes: \(whole), found 0xFFFFFFFFFFFFFFFFFFFFFF"
    ),
    ("{ limits: { urlBytes: null } }", "1:23: limits.urlBytes: \(whole), found null"),
    ("{\n\tlimits:\n{ urlBytes:\n [1] } }", "4:2: limits.urlBytes: \(whole), found a list"),
    (
      "{ memory: { fileBytes: 1e300 } }",
      "1:24: memory.fileBytes: expected a whole number from 4096 to 1099511627776, found 1e300"
    ),
    // Numbers and seconds.
    (
      "{ limits: { picturesPerSecond: 1e999 } }",
      "1:32: limits.picturesPerSecond: expected a number from 1 to 120, found 1e999"
    ),
    (
      "{ deadlines: { initializeSeconds: 601 } }",
      "1:35: deadlines.initializeSeconds: expected a number of seconds from 0.1 to 600, found 601"
    ),
    (
      "{ deadlines: { initializeSeconds: NaN } }",
      "1:35: deadlines.initializeSeconds: expected a number of seconds from 0.1 to 600, found NaN"
    ),
    // Switches and choices.
    ("{ motion: 1 }", "1:11: motion: expected true or false, found 1"),
    ("{ motion: 'true' }", "1:11: motion: expected true or false, found 'true'"),
    (
      "{ theme: 7 }",
      "1:10: theme: expected a text of 1 to 64 bytes without control characters, found 7"
    ),
    ("{ glyphs: 7 }", #"1:11: glyphs: expected "auto", "unicode", "console" or "ascii", found 7"#),
    // Tables of lists of texts.
    ("{ openers: [] }", "1:12: openers: expected an object of at most 100 members, found a list"),
    (
      "{ openers: { http: 'a' } }",
      "1:20: openers.http: expected a list of 1 to 100 texts, "
        + "or { command: [...], terminal: true }, found 'a'"
    ),
    (
      "{ openers: { http: { terminal: true } } }",
      "1:20: openers.http: expected a list of 1 to 100 texts, "
        + "or { command: [...], terminal: true }, found an object"
    ),
    (
      "{ openers: { http: { command: ['a'], terminal: 1 } } }",
      "1:48: openers.http.terminal: expected true or false, found 1"
    ),
    (
      "{ openers: { http: { command: [5] } } }",
      "1:32: openers.http.command[0]: \(text), found 5"
    ),
    (
      "{ openers: { http: { command: ['a'], tty: 1 } } }",
      #"1:38: openers.http.tty: expected command or terminal"#
    ),
    (
      "{ openers: { http: [] } }",
      "1:20: openers.http: expected a list of 1 to 100 texts, found a list"
    ),
    ("{ openers: { http: ['a',\n 5] } }", "2:2: openers.http[1]: \(text), found 5"),
    ("{ openers: { http: [''] } }", "1:21: openers.http[0]: \(text), found ''"),
    ("{ openers: { http: ['\\n'] } }", "1:21: openers.http[0]: \(text), found '\\n'"),
    ("{ openers: { 'a b': ['a'] } }", #"1:14: openers."a b": expected a URL scheme"#),
    // Keys.
    ("{ keys: { 'ctrl-c': 'help' } }", "1:11: keys.ctrl-c: expected a key"),
    ("{ keys: { ab: 'help' } }", "1:11: keys.ab: expected a key"),
    (
      "{ keys: { a: 'hlep' } }",
      "1:14: keys.a: expected the name of a command (did you mean “help”?), found 'hlep'"
    ),
    (
      "{ keys: { a: 7 } }",
      #"1:14: keys.a: expected the name of a command, or { run: ["ssh", "nas"], terminal: true }, found 7"#
    ),
    (
      "{ keys: { a: { rum: ['x'] } } }",
      "1:16: keys.a.rum: expected run, terminal, title or when (did you mean “run”?)"
    ),
    (
      "{ keys: { a: { terminal: true } } }",
      #"1:14: keys.a: expected the member run with the program and its arguments: { run: ["ssh", "nas"] }, found an object"#
    ),
    (
      "{ keys: { a: { run: 'x' } } }",
      "1:21: keys.a.run: expected a list of 1 to 100 texts, found 'x'"
    ),
    (
      "{ keys: { a: { run: ['x', '{row.name}'] } } }",
      "1:27: keys.a.run[1]: expected {row.id}, {row.text} or {row.link}, found '{row.name}'"
    ),
    (
      "{ keys: { a: { run: ['{row.id}'] } } }",
      "1:22: keys.a.run[0]: expected a program, without a part of a row, found '{row.id}'"
    ),
    (
      "{ keys: { a: { run: ['x'], when: 'a b' } } }",
      "1:34: keys.a.when: expected the identifier of a widget such as org.today.Clock, or ID:NAME, found 'a b'"
    ),
    (
      "{ keys: { a: { run: ['x'], terminal: 1 } } }",
      "1:38: keys.a.terminal: expected true or false, found 1"
    ),
    // The file itself, and members that are given twice.
    ("[]", "1:1: expected an object, found a list"),
    ("{ motion: true,\n motion: false }", "2:2: motion: given twice; remove one of them"),
    (
      "{ limits: { urlBytes: 64 }, limits: {} }",
      "1:29: limits: given twice; remove one of them"
    ),
  ])
  func `a wrong value is refused with its position, and the default applies`(
    file: String,
    words: String
  ) {
    let made = user(file)
    #expect(made.problems.map(\.string) == ["config.json:" + words])
    // Where nothing can be read, the strictest sandbox holds.
    let defaults = file == "[]" ? Settings.whenUnreadable : Settings()
    for setting in SettingTable.all {
      #expect(setting.text(made.settings) == setting.text(defaults))
    }
  }

  nonisolated private static let whole = "expected a whole number from 64 to 65536"
  nonisolated private static let text =
    "expected a text of 1 to 4096 bytes without control characters"
  nonisolated private static let thirty = String(repeating: "9", count: 30)

  @Test(arguments: [
    ("{ limits: { urlBytes: 1e3 } }", "limits.urlBytes", "1000"),
    ("{ limits: { urlBytes: 0x40 } }", "limits.urlBytes", "64"),
    ("{ limits: { openActivities: -0 } }", "limits.openActivities", "0"),
    ("{ limits: { picturesPerSecond: 1.5 } }", "limits.picturesPerSecond", "1.5"),
    ("{ limits: { heightChangeSeconds: -0.0 } }", "limits.heightChangeSeconds", "0"),
    ("{ deadlines: { idleSeconds: 1.0004 } }", "deadlines.idleSeconds", "1"),
    ("{ motion: false }", "motion", "false"),
    ("{ theme: 'light' }", "theme", "\"light\""),
    ("{ openers: {} }", "openers", "{}"),
    (
      "{ keys: { 'ctrl-r': 'refreshAll', x: 'none' } }", "keys",
      #"{ctrl-r: "refreshAll", x: "none"}"#
    ),
    (
      "{ openers: { 'x-a+b': ['/b', '{url}'], https: ['w3m'] } }", "openers",
      #"{https: ["w3m"], x-a+b: ["/b", "{url}"]}"#
    ),
  ])
  func `a good value of each kind applies`(file: String, key: String, value: String) throws {
    let made = user(file)
    #expect(made.problems.isEmpty, "\(made.problems)")
    let setting = try #require(SettingTable.all.first { "\($0.path)" == key })
    #expect(setting.text(made.settings) == value)
  }

  @Test func `while a value is wrong, the previous one is in force`() {
    var before = Settings()
    before.limits.urlBytes = 100
    before.limits.urlHops = 7
    before.screen.theme = "light"
    before.openers = ["http": URLOpener(["a"])]
    let one = user("{ limits: { urlBytes: 1, urlHops: 9 } }", keeping: before).settings
    #expect(one.limits.urlBytes == 100 && one.limits.urlHops == 9)
    #expect(one.screen.theme == "auto" && one.openers.isEmpty)
    let group = user("{ limits: 5, openers: { http: [5] } }", keeping: before).settings
    #expect(group.limits.urlBytes == 100 && group.limits.urlHops == 7)
    #expect(group.openers == ["http": URLOpener(["a"])] && group.screen.theme == "auto")
    let twice = user("{ theme: 'dark', theme: 'auto', limits: {} }", keeping: before).settings
    #expect(twice.screen.theme == "light" && twice.limits.urlBytes == 2048)
    for file in ["{ theme: 'dark', ", "[]", "5", ""] {
      let all = user(file, keeping: before)
      #expect(all.problems.count == 1)
      #expect(all.settings.limits.urlBytes == 100 && all.settings.screen.theme == "light")
    }
  }

  @Test(arguments: [
    (
      "limits: { lineByte: 1 }",
      "13: limits.lineByte: unknown setting; did you mean “limits.lineBytes”?"
    ),
    ("urlHops: 1", "3: urlHops: unknown setting; did you mean “limits.urlHops”?"),
    ("limit: {}", "3: limit: unknown setting; did you mean “limits”?"),
    ("limts: {}", "3: limts: unknown setting; did you mean “limits”?"),
    ("tehme: 1", "3: tehme: unknown setting; did you mean “theme”?"),
    ("Motion: true", "3: Motion: unknown setting; did you mean “motion”?"),
    ("colour: 1", "3: colour: unknown setting; see Docs/Configuration.md"),
    ("'limits.urlHops': 1", #"3: "limits.urlHops": unknown setting; see Docs/Configuration.md"#),
    ("'': 1", #"3: "": unknown setting; see Docs/Configuration.md"#),
  ])
  func `an unknown setting is reported with the nearest known name`(file: String, words: String) {
    #expect(user("{ \(file) }").problems.map(\.string) == ["config.json:1:\(words)"])
  }

  @Test func `problems are in the order of the file`() {
    let made = user(
      "{ theme: 1,\n motion: 2, b: 3,\n limits: { urlHops: 0, a: 5 },\n developer: 4 }"
    )
    let places = made.problems.map { $0.string.split(separator: ": ")[0] }
    #expect(
      places == [
        "config.json:1:10", "config.json:2:10", "config.json:2:13", "config.json:3:21",
        "config.json:3:24", "config.json:4:13",
      ]
    )
  }

  @Test func `a large file is read, however many members are wrong`() {
    let names = (0..<10_000).map { "a\($0): 1,\n" }.joined()
    let made = user("{\n\(names)}")
    #expect(made.problems.count == 21)
    #expect(made.problems[19].string.hasPrefix("config.json:21:1: a19: unknown setting"))
    #expect(made.problems[20].string == "config.json:22:1: 9980 more problems from here on")
  }

  @Test func `every setting is documented with its default, its range and when it applies`() throws
  {
    let page = BuiltTool.package.appending(path: "Docs/Configuration.md")
    let text = try String(decoding: Data(contentsOf: page), as: UTF8.self)
    let lines = text.split(separator: "\n").map(String.init)
    let start = try #require(lines.firstIndex(of: SettingTable.markdown[0]))
    let documented = Array(lines[start...].prefix { $0.hasPrefix("|") })
    for (line, declared) in zip(documented, SettingTable.markdown) { #expect(line == declared) }
    #expect(documented.count == SettingTable.markdown.count)
  }

  @Test func `the manual page has every setting with its default and its range`() throws {
    let page = BuiltTool.package.appending(path: "Docs/today.1")
    let text = try String(decoding: Data(contentsOf: page), as: UTF8.self)
    let defaults = Settings()
    for setting in SettingTable.all {
      let words = "(default \(setting.text(defaults)); \(setting.range))"
      let line = ".BR \(setting.path) \" \(words.replacing("\"", with: "\\(dq"))\""
      #expect(text.contains("\n\(line)\n"), "\(line)")
    }
  }

  @Test func `every setting has a place of its own`() throws {
    let paths = SettingTable.all.map(\.path)
    #expect(Set(paths).count == paths.count)
    let defaults = Settings()
    var all = defaults
    let tables = [
      "hosts", "keys", "mqtt.broker", "mqtt.ca", "mqtt.certificate", "mqtt.key", "notices.deliver",
      "notices.private", "notices.rules", "openers", "pages", "sources", "theme", "widgets",
    ]
    let settings = SettingTable.all.filter { !tables.contains("\($0.path)") }
    for setting in settings {
      let last = setting.range.split(separator: " ").last.map(String.init) ?? ""
      let value = last == setting.text(defaults) ? "true" : last
      let names = "\(setting.path)".split(separator: ".")
      let made = user(names.reversed().reduce(value) { "{ \($1): \($0) }" })
      #expect(made.problems.isEmpty, "\(made.problems)")
      #expect(setting.text(made.settings) == value)
      let changed = settings.filter { $0.text(made.settings) != $0.text(defaults) }
      #expect(changed.map(\.path) == [setting.path])
      setting.copy(made.settings, &all)
    }
    for setting in settings { #expect(setting.text(all) != setting.text(defaults)) }
  }
}
