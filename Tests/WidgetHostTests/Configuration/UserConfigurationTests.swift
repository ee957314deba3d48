import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import WidgetHost

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

  @Test(
    "an invalid setting is named with its position, and the rest applies",
    arguments: [
      ("limits: { lineByte: 5 }", "limits.lineByte: unknown setting"),
      ("limits: { lineBytes: \"5\" }", "limits.lineBytes: expected a number from 1024"),
      ("limits: { lineBytes: 1 }", "limits.lineBytes: expected a number from 1024"),
      ("limits: { lineBytes: [1] }", "limits.lineBytes: expected a number"),
      ("limits: 7", "limits: unknown setting"),
      ("limits: { lineBytes: { a: 1 } }", "limits.lineBytes: expected one value"),
      ("colour: \"\u{1B}[2J\"", "colour: unknown setting"),
      ("limits: { lineBytes: null }", "limits.lineBytes: expected a number"),
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
    ("{\n  limits: {\n    lineBytes: 1e-\n  }\n}", "config.json:3:19: expected the digits"),
    ("{\n  limits: { lineBytes: 5 }\n}", "config.json:2:13: limits.lineBytes: expected a number"),
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

  @Test("every setting is documented with its default and its range, and takes effect")
  func isDocumented() throws {
    let page = BuiltTool.package.appending(path: "Docs/Configuration.md")
    let text = try String(decoding: Data(contentsOf: page), as: UTF8.self)
    var rows: [String: [String]] = [:]
    for line in text.split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|").map { $0.trimmingSpaces }
      rows[cells[0].filter { $0 != "`" }] = Array(cells.dropFirst())
    }
    let defaults = CenterConfiguration(environment: [:], executablePath: "/today")
    for setting in Setting.all {
      let row = try #require(rows[setting.key], "\(setting.key) is not documented")
      let standard = setting.get(defaults)
      let shown = setting.isSwitch ? (standard == 1 ? "true" : "false") : Setting.words(standard)
      #expect(row[0] == shown, "\(setting.key)")
      if !setting.isSwitch {
        let range =
          "\(Setting.words(setting.range.lowerBound)) to \(Setting.words(setting.range.upperBound))"
        #expect(row[1] == range, "\(setting.key)")
      }
      let other = setting.isSwitch ? 1 - standard : setting.range.upperBound
      let parts = setting.key.split(separator: ".")
      let value = setting.isSwitch ? (other == 1 ? "true" : "false") : Setting.words(other)
      let body = parts.reversed().reduce(value) { "{ \($1): \($0) }" }
      #expect(setting.get(try configuration(body)) == other, "\(setting.key)")
    }
  }
}

extension Substring {
  fileprivate var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
