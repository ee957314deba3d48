import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import WidgetHost

/// The user's file: what counts, what is passed over, and what the documentation says of it.
struct UserConfigurationTests {
  private func configuration(_ text: String) throws -> CenterConfiguration {
    let folder = try BundleFolder()
    try DurableFile.write(text.utf8, to: "\(folder.path)/config/today/config.json")
    var configuration = CenterConfiguration(environment: [:], executablePath: "/today")
    UserConfiguration(environment: ["XDG_CONFIG_HOME": "\(folder.path)/config"])
      .apply(to: &configuration)
    return configuration
  }

  @Test("what is set counts, comments and all")
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
    "what is wrong is named with its place, and the rest counts",
    arguments: [
      ("limits: { lineByte: 5 }", "limits.lineByte: there is no such setting"),
      ("limits: { lineBytes: \"5\" }", "limits.lineBytes: expected a number from 1024"),
      ("limits: { lineBytes: 1 }", "limits.lineBytes: expected a number from 1024"),
      ("limits: { lineBytes: [1] }", "limits.lineBytes: expected a number"),
      ("limits: 7", "limits: there is no such setting"),
      ("limits: { lineBytes: { a: 1 } }", "limits.lineBytes: expected one value"),
      ("colour: \"\u{1B}[2J\"", "colour: there is no such setting"),
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

  @Test(arguments: ["", "[]", "{", "7", "\u{0}"])
  func `a file that is no object is named, and nothing of it counts`(text: String) throws {
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
