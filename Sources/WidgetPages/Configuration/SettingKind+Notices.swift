import Notices
import WidgetKitCore
import WidgetPlatform

/// The kind of `notices.rules`.
nonisolated extension SettingKind<[NoticeRule]> {
  private static let limit = 100
  private static let names = ["app", "title", "body", "urgency", "then"]
  private static let words = "\"hide\", \"earlier\", \"critical\" or { run: [\"program\", ...] }"

  /// A list of rules, each an object with what it fits, and with what is done as the member `then`.
  static var noticeRules: SettingKind {
    SettingKind(
      expectation: "a list of at most \(limit) rules",
      range: "a list of objects",
      text: { "[" + $0.map(text).joined(separator: ", ") + "]" },
      value: { value, path throws(SettingFault) in
        guard case .array(let values) = value, values.count <= limit else {
          throw SettingFault(path: path, expectation: "a list of at most \(limit) rules")
        }
        var rules: [NoticeRule] = []
        for (index, value) in values.enumerated() {
          rules.append(try rule(value, at: path.element(index)))
        }
        return rules
      }
    )
  }

  private static func rule(
    _ value: JSONTree,
    at path: MemberPath
  ) throws(SettingFault) -> NoticeRule {
    guard case .object(let members) = value else {
      throw SettingFault(
        path: path,
        expectation: "a rule such as { app: \"Mail\", then: \"hide\" }"
      )
    }
    for name in members.map(\.name).sorted() where !names.contains(name) {
      throw SettingFault(
        path: path.member(name),
        expectation: "app, title, body, urgency or then",
        isOfName: true
      )
    }
    guard let then = members["then"] else {
      throw SettingFault(path: path, expectation: "a member “then” with \(words)")
    }
    var rule = NoticeRule(try effect(then, at: path.member("then")))
    rule.application = try pattern(members, "app", path)
    rule.title = try pattern(members, "title", path)
    rule.body = try pattern(members, "body", path)
    rule.urgency = try members["urgency"].map { value throws(SettingFault) in
      try SettingKind<NoticeContent.Urgency>.choice.value(value, path.member("urgency"))
    }
    return rule
  }

  private static func pattern(
    _ members: [JSONTree.Member],
    _ name: String,
    _ path: MemberPath
  ) throws(SettingFault) -> NoticePattern? {
    try members[name].map { value throws(SettingFault) in
      NoticePattern(try SettingKind<String>.text(upTo: 200).value(value, path.member(name)))
    }
  }

  private static func effect(
    _ value: JSONTree,
    at path: MemberPath
  ) throws(SettingFault) -> NoticeRule.Effect {
    switch value {
    case .string("hide"): return .hide
    case .string("earlier"): return .earlier
    case .string("critical"): return .critical
    case .object(let members):
      for name in members.map(\.name).sorted() where name != "run" {
        throw SettingFault(path: path.member(name), expectation: "run", isOfName: true)
      }
      guard let run = members["run"] else { break }
      let command = SettingKind<[String]>.list(of: .text(upTo: 4096), "texts", upTo: 100)
      return .run(try command.value(run, path.member("run")))
    default: break
    }
    throw SettingFault(path: path, expectation: words)
  }

  private static func text(_ rule: NoticeRule) -> String {
    let effect =
      switch rule.effect {
      case .hide: "\"hide\""
      case .earlier: "\"earlier\""
      case .critical: "\"critical\""
      case .run(let command): "{run: [\(command.map { "\"\($0)\"" }.joined(separator: ", "))]}"
      }
    let members = [
      ("app", rule.application?.text), ("title", rule.title?.text), ("body", rule.body?.text),
      ("urgency", rule.urgency?.rawValue),
    ]
    let fits = members.compactMap { name, text in text.map { "\(name): \"\($0)\"" } }
    return "{" + (fits + ["then: \(effect)"]).joined(separator: ", ") + "}"
  }
}
