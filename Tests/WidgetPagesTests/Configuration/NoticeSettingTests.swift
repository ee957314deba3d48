import Notices
import Testing
import WidgetKitCore

@testable import WidgetPages

/// What config.json says about notices.
struct NoticeSettingTests {
  private func user(_ text: String) -> UserConfiguration {
    UserConfiguration(bytes: Array(text.utf8), path: "config.json", keeping: nil)
  }

  @Test(arguments: [
    ("{}", "1:21: notices.rules: expected a list of at most 100 rules, found an object"),
    ("[{ app: \"a\" }]", "1:22: notices.rules[0]: expected a member “then” with \"hide\""),
    ("[{ app: \"\", then: \"hide\" }]", "1:29: notices.rules[0].app: expected a text of 1 to 200"),
    ("[{ then: \"Hide\" }]", "1:30: notices.rules[0].then: expected \"hide\", \"earlier\""),
    ("[{ then: { run: [] } }]", "notices.rules[0].then.run: expected a list of 1 to 100 texts"),
    (
      "[{ title: \"a\", than: \"hide\" }]", "1:36: notices.rules[0].than: expected app, title, body"
    ),
    ("[{ urgency: \"high\", then: \"hide\" }]", "expected \"low\", \"normal\" or \"critical\""),
  ])
  func `what is wrong with a rule of notices is said with its place`(value: String, words: String) {
    let user = user("{ notices: { rules: \(value) } }")
    #expect(user.problems.count == 1)
    let problem = user.problems.first?.string ?? ""
    #expect(problem.contains(words), "\(problem)")
    #expect(user.settings.notices.rules == [])
  }

  @Test func `of the rules of notices those that are right apply, and no wider one`() {
    let rules = """
      [{ app: "Mail", title: 5, then: "hide" }, { body: "*x*", then: { run: ["a", "b"] } }]
      """
    let user = user("{ notices: { rules: \(rules), deliver: [\"bell\", \"fax\", \"desktop\"] } }")
    #expect(user.problems.count == 2)
    #expect(user.settings.notices.rules.map(\.effect) == [.run(["a", "b"])])
    #expect(user.settings.notices.ways == [.bell, .desktop])
  }
}
