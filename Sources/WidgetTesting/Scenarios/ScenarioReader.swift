import FoundationEssentials
import WidgetKitCore
import WidgetPlatform

/// Reads scenarios: JSON5, with the place of everything that is wrong.
nonisolated struct ScenarioReader {
  private let values: ScenarioValues
  /// Where the files are that it names.
  private let folder: String

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - name: How it is called in messages.
  /// - Returns: The scenario.
  /// - Throws: ``HarnessFailure`` that says what is wrong, and where.
  static func read(_ path: String, name: String) throws(HarnessFailure) -> Scenario {
    try ScenarioReader(path, name: name).scenario()
  }

  /// Reads the steps of a file, which may be one step alone.
  ///
  /// - Throws: ``HarnessFailure`` that says what is wrong, and where.
  static func steps(_ path: String, name: String) throws(HarnessFailure) -> [Scenario.Step] {
    let reader = try ScenarioReader(path, name: name)
    guard reader.values[.top.member("steps")] == nil else { return try reader.scenario().steps }
    return [try reader.step(.top)]
  }

  private init(_ path: String, name: String) throws(HarnessFailure) {
    values = try ScenarioValues(path, name: name)
    let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    self.folder = folder.isEmpty ? "." : folder.joined(separator: "/")
  }

  private func scenario() throws(HarnessFailure) -> Scenario {
    if let repeated = values.firstRepeated {
      throw values.fault(repeated, "given twice; remove one of them")
    }
    let members = try values.members(.top, Self.memberNames)
    var scenario = Scenario(name: try values.text(.top.member("name")))
    if members["configuration"] != nil {
      scenario.configuration = try values.settings(.top.member("configuration"))
    }
    if members["now"] != nil { scenario.now = try values.date(.top.member("now")) }
    if members["locale"] != nil { scenario.locale = try locale(.top.member("locale")) }
    if members["timeZone"] != nil { scenario.timeZone = try zone(.top.member("timeZone")) }
    let steps = MemberPath.top.member("steps")
    guard case .array(let list)? = values[steps] else {
      throw values.expected("a list of steps", steps)
    }
    for index in list.indices { scenario.steps.append(try step(steps.element(index))) }
    return scenario
  }

  private func locale(_ path: MemberPath) throws(HarnessFailure) -> String {
    let text = try values.text(path)
    let form = /(C|POSIX|[A-Za-z]{2,3}([_-][A-Za-z0-9]{2,8})*)(\.[A-Za-z0-9-]+)?(@[A-Za-z0-9]+)?/
    guard text.wholeMatch(of: form) != nil else {
      throw values.expected("a locale such as de_DE", path)
    }
    return text
  }

  private func zone(_ path: MemberPath) throws(HarnessFailure) -> String {
    let text = try values.text(path)
    guard LocalTime.secondsFromGMT(in: text) != nil else {
      throw values.expected("a time zone of the tz database, such as Asia/Tokyo", path)
    }
    return text
  }

  // MARK: - Steps

  /// The members of a scenario.
  static let memberNames = [
    "name", "configuration", "now", "locale", "timeZone", "steps", "$schema",
  ]

  /// The members of an expectation.
  static let expectationNames = [
    "result", "error", "height", "contains", "lacks", "golden", "widths", "shown", "sent",
    "written", "opened", "alerts", "log", "outcome", "returned", "types", "valid", "remaining",
  ]

  /// The steps.
  static let stepNames = [
    "appear", "disappear", "update", "press", "type", "remove", "move", "add", "edit", "expand",
    "lock", "hide", "theme", "configure", "advance", "answer", "deny", "grant", "post", "notice",
    "deliver",
    "memoryWarning", "kill", "request", "choose", "select", "back", "expect",
  ]

  private func step(_ path: MemberPath) throws(HarnessFailure) -> Scenario.Step {
    let members = try values.members(path, Self.stepNames)
    guard members.count == 1, let name = members.first?.name else {
      throw values.expected("one step, such as { \"appear\": { \"width\": 60 } }", path)
    }
    return Scenario.Step(place: values.place(path), action: try action(name, path.member(name)))
  }

  private func action(_ name: String, _ path: MemberPath) throws(HarnessFailure) -> Scenario.Action
  {
    switch name {
    case "appear":
      let members = try values.members(path, ["width"])
      let width = path.member("width")
      return .appear(width: members["width"] == nil ? nil : try values.whole(width, in: 1...1_000))
    case "disappear":
      _ = try values.members(path, [])
      return .disappear
    case "update":
      guard let reason = UpdateReason(rawValue: try values.text(path)) else {
        throw values.expected("\"user\", \"schedule\", \"event\" or \"appear\"", path)
      }
      return .update(reason)
    case "press": return .press(try values.text(path))
    case "type":
      let members = try values.members(path, ["field", "text", "submit"])
      let submits = members["submit"] == nil ? false : try values.truth(path.member("submit"))
      return .type(
        field: members["field"] == nil ? nil : try values.text(path.member("field")),
        text: try values.text(path.member("text")),
        submits: submits
      )
    case "remove": return .row(.remove, try values.text(path))
    case "add": return .row(.add, try values.text(path))
    case "move":
      _ = try values.members(path, ["row", "by"])
      let distance = try values.whole(path.member("by"), in: -1_000...1_000)
      return .row(.move(distance), try values.text(path.member("row")))
    case "edit": return .edit(try values.truth(path))
    case "expand": return .expand(try values.truth(path))
    case "lock": return .lock(try values.truth(path))
    case "hide": return .hide(try values.truth(path))
    case "theme":
      guard let isDark = ["dark": true, "light": false][try values.text(path)] else {
        throw values.expected("\"dark\" or \"light\"", path)
      }
      return .theme(isDark: isDark)
    case "configure": return .configure(try values.settings(path))
    case "advance": return .advance(try values.duration(path))
    case "answer":
      _ = try values.members(path, ["openURL"])
      return .answerURLs(try values.truth(path.member("openURL")))
    case "deny", "grant":
      guard try values.text(path) == "expiringActivity" else {
        throw values.expected("\"expiringActivity\"", path)
      }
      return .denyActivities(name == "deny")
    case "post": return .post(try values.text(path))
    case "notice": return try notice(path)
    case "deliver": return .deliver(try events(path))
    case "memoryWarning":
      _ = try values.members(path, [])
      return .warnOfMemory
    case "kill":
      _ = try values.members(path, [])
      return .kill
    case "request": return try request(path)
    case "choose":
      let members = try values.members(path, ["item", "value"])
      let value = members["value"] == nil ? nil : try values.text(path.member("value"))
      return .choose(item: try values.text(path.member("item")), value: value)
    case "select":
      guard let button = Scenario.RequestButton(rawValue: try values.text(path)) else {
        throw values.expected("\"post\" or \"cancel\"", path)
      }
      return .select(button)
    case "back":
      _ = try values.members(path, [])
      return .back
    default: return .expect(try expectation(path))
    }
  }

  // MARK: - Notices

  /// The members of a notice, named as the options of `today post`.
  private static let noticeNames = ["title", "body", "urgency", "tag", "progress", "action", "app"]

  private func notice(_ path: MemberPath) throws(HarnessFailure) -> Scenario.Action {
    let members = try values.members(path, Self.noticeNames)
    func optional(_ name: String) throws(HarnessFailure) -> String? {
      members[name] == nil ? nil : try values.text(path.member(name))
    }
    var notice = PostedNotice(try values.text(path.member("title")))
    notice.body = try optional("body")
    notice.tag = try optional("tag")
    if let word = try optional("urgency") {
      guard let urgency = NoticeUrgency(rawValue: word) else {
        throw values.expected("\"low\", \"normal\" or \"critical\"", path.member("urgency"))
      }
      notice.urgency = urgency
    }
    if members["progress"] != nil {
      notice.progress = try values.whole(path.member("progress"), in: 0...100)
    }
    if members["action"] != nil {
      notice.actions = try values.texts(path.member("action")).map { text in
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        return UserNotice.Action(parts.first ?? "", url: parts.count == 2 ? parts[1] : nil)
      }
    }
    return .notice(notice, application: try optional("app") ?? "test")
  }

  // MARK: - Requests

  /// The members of one attachment.
  private static let attachmentNames = ["text", "file", "type", "name"]

  private func request(_ path: MemberPath) throws(HarnessFailure) -> Scenario.Action {
    let names = ["attachments", "separate", "title", "contentText", "userInfo", "options"]
    let members = try values.members(path, Self.attachmentNames + names)
    var attachments: [HarnessContent.Attachment] = []
    if members["attachments"] != nil {
      for name in Self.attachmentNames where members[name] != nil {
        throw values.fault(
          path.member(name),
          "stands beside “attachments”; put it into one of them"
        )
      }
      let list = path.member("attachments")
      guard case .array(let elements)? = values[list], !elements.isEmpty else {
        throw values.expected("a list of attachments", list)
      }
      for index in elements.indices {
        let element = list.element(index)
        _ = try values.members(element, Self.attachmentNames)
        attachments.append(try attachment(element))
      }
    } else {
      attachments = [try attachment(path)]
    }
    let isSeparate = members["separate"] == nil ? false : try values.truth(path.member("separate"))
    var content = HarnessContent(items: isSeparate ? attachments.map { [$0] } : [attachments])
    if members["title"] != nil { content.title = try values.text(path.member("title")) }
    if members["contentText"] != nil {
      content.contentText = try values.text(path.member("contentText"))
    }
    if members["userInfo"] != nil { content.userInfo = try pairs(path.member("userInfo")) }
    let options = members["options"] == nil ? [:] : try pairs(path.member("options"))
    return .request(content, options: options)
  }

  private func attachment(_ path: MemberPath) throws(HarnessFailure) -> HarnessContent.Attachment {
    let (text, source) = (path.member("text"), path.member("file"))
    guard (values[text] == nil) != (values[source] == nil) else {
      throw values.expected("either “text” or “file”", path)
    }
    var attachment: HarnessContent.Attachment
    if values[text] != nil {
      attachment = HarnessContent.Attachment(Array(try values.text(text).utf8))
    } else {
      let name = try values.text(source)
      do throws(HarnessFailure) {
        let content = try HarnessContent.file(name.hasPrefix("/") ? name : "\(folder)/\(name)")
        attachment = content.items[0][0]
      } catch {
        throw values.fault(source, error.description)
      }
    }
    let (type, name) = (path.member("type"), path.member("name"))
    if values[type] != nil { attachment.type = try values.text(type) }
    if values[name] != nil { attachment.suggestedName = try values.text(name) }
    return attachment
  }

  /// The members of an object of texts.
  private func pairs(_ path: MemberPath) throws(HarnessFailure) -> [String: String] {
    guard case .object(let members)? = values[path] else {
      throw values.expected("an object", path)
    }
    var pairs: [String: String] = [:]
    for name in members.map(\.name) { pairs[name] = try values.text(path.member(name)) }
    return pairs
  }

  private func events(
    _ path: MemberPath
  ) throws(HarnessFailure) -> HandleEventsForBackgroundURLSessionRequest {
    let names = ["session", "task", "url", "path", "error", "reason", "status"]
    let members = try values.members(path, names)
    func optional(_ name: String) throws(HarnessFailure) -> String? {
      members[name] == nil ? nil : try values.text(path.member(name))
    }
    let event = BackgroundTransferEvent(
      task: try values.text(path.member("task")),
      url: try optional("url") ?? "https://example.com/",
      path: try optional("path"),
      error: try optional("error"),
      reason: try optional("reason"),
      status: members["status"] == nil
        ? nil : try values.whole(path.member("status"), in: 100...999)
    )
    return .init(identifier: try values.text(path.member("session")), events: [event])
  }

  private func expectation(_ path: MemberPath) throws(HarnessFailure) -> Scenario.Expectation {
    let members = try values.members(path, Self.expectationNames)
    var expectation = Scenario.Expectation()
    // A closure would lose the type of the error.
    for name in members.map(\.name).sorted() {
      let path = path.member(name)
      switch name {
      case "result":
        guard let result = UpdateResult(rawValue: try values.text(path)) else {
          throw values.expected("\"newData\", \"noData\" or \"failed\"", path)
        }
        expectation.result = result
      case "error": expectation.error = try values.text(path)
      case "height": expectation.height = try values.whole(path, in: 0...10_000)
      case "contains": expectation.contains = try values.texts(path)
      case "lacks": expectation.lacks = try values.texts(path)
      case "golden":
        let name = try values.text(path)
        guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || "-_".contains($0) })
        else {
          throw values.expected("a name of letters, digits, “-” and “_”", path)
        }
        expectation.golden = name
      case "widths":
        guard case .array(let list)? = values[path] else {
          throw values.expected("a list of widths", path)
        }
        for index in list.indices {
          expectation.widths.append(try values.whole(path.element(index), in: 1...1_000))
        }
      case "shown": expectation.shown = try values.truth(path)
      case "sent": expectation.sent = try values.texts(path)
      case "written": expectation.written = try values.texts(path)
      case "opened": expectation.opened = try values.texts(path)
      case "alerts": expectation.alerts = try values.texts(path)
      case "outcome":
        let outcome = try values.text(path)
        guard ["completed", "cancelled", "failed", "none"].contains(outcome) else {
          throw values.expected("\"completed\", \"cancelled\", \"failed\" or \"none\"", path)
        }
        expectation.outcome = outcome
      case "returned": expectation.returned = try values.texts(path)
      case "types": expectation.types = try values.texts(path)
      case "valid": expectation.valid = try values.truth(path)
      case "remaining": expectation.remaining = try values.whole(path, in: -1_000_000...1_000_000)
      default: expectation.log = try values.text(path)
      }
    }
    return expectation
  }
}
