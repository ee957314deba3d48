import FoundationEssentials
import WidgetKitCore
import WidgetPlatform

/// Reads scenarios: JSON5, with the place of everything that is wrong.
nonisolated struct ScenarioReader {
  private let file: JSON5File
  private let path: String
  /// Where the files are that it names.
  private let folder: String

  /// The most bytes of a file.
  private static let byteLimit = 1 << 20

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - name: How it is called in messages.
  /// - Returns: The scenario.
  /// - Throws: ``HarnessFailure`` that says what is wrong, and where.
  static func read(_ path: String, name: String) throws(HarnessFailure) -> Scenario {
    try open(path, name: name).scenario()
  }

  /// Reads the steps of a file, which may be one step alone.
  ///
  /// - Throws: ``HarnessFailure`` that says what is wrong, and where.
  static func steps(_ path: String, name: String) throws(HarnessFailure) -> [Scenario.Step] {
    let reader = try open(path, name: name)
    guard reader.file.value[.top.member("steps")] == nil else { return try reader.scenario().steps }
    return [try reader.step(.top)]
  }

  private static func open(_ path: String, name: String) throws(HarnessFailure) -> ScenarioReader {
    guard let bytes = UserFile.bytes(path, byteLimit: byteLimit) else {
      throw HarnessFailure(unreadable: path, name: name, byteLimit: byteLimit)
    }
    let file: JSON5File
    do throws(JSON5File.Failure) {
      file = try JSON5File(bytes, path: name)
    } catch {
      throw HarnessFailure(error.words)
    }
    let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return ScenarioReader(
      file: file,
      path: name,
      folder: folder.isEmpty ? "." : folder.joined(separator: "/")
    )
  }

  private func scenario() throws(HarnessFailure) -> Scenario {
    if let repeated = file.outline.repeated.first {
      throw fault(repeated, "given twice; remove one of them")
    }
    let members = try members(.top, Self.memberNames)
    var scenario = Scenario(name: try text(.top.member("name")))
    if members["configuration"] != nil {
      scenario.configuration = try json(.top.member("configuration"))
    }
    if members["now"] != nil { scenario.now = try date(.top.member("now")) }
    if members["locale"] != nil { scenario.locale = try text(.top.member("locale")) }
    if members["timeZone"] != nil { scenario.timeZone = try text(.top.member("timeZone")) }
    let steps = MemberPath.top.member("steps")
    guard case .array(let list)? = file.value[steps] else {
      throw expected("a list of steps", steps)
    }
    for index in list.indices { scenario.steps.append(try step(steps.element(index))) }
    return scenario
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
    "lock", "hide", "theme", "configure", "advance", "answer", "deny", "grant", "post", "deliver",
    "memoryWarning", "kill", "request", "choose", "select", "back", "expect",
  ]

  private func step(_ path: MemberPath) throws(HarnessFailure) -> Scenario.Step {
    let members = try members(path, Self.stepNames)
    guard members.count == 1, let name = members.first?.name else {
      throw expected("one step, such as { \"appear\": { \"width\": 60 } }", path)
    }
    return Scenario.Step(place: place(path), action: try action(name, path.member(name)))
  }

  private func action(_ name: String, _ path: MemberPath) throws(HarnessFailure) -> Scenario.Action
  {
    switch name {
    case "appear":
      let members = try members(path, ["width"])
      let width = path.member("width")
      return .appear(width: members["width"] == nil ? nil : try whole(width, in: 1...1_000))
    case "disappear":
      _ = try members(path, [])
      return .disappear
    case "update":
      guard let reason = UpdateReason(rawValue: try text(path)) else {
        throw expected("\"user\", \"schedule\", \"event\" or \"appear\"", path)
      }
      return .update(reason)
    case "press": return .press(try text(path))
    case "type":
      let members = try members(path, ["field", "text", "submit"])
      let submits = members["submit"] == nil ? false : try truth(path.member("submit"))
      return .type(
        field: members["field"] == nil ? nil : try text(path.member("field")),
        text: try text(path.member("text")),
        submits: submits
      )
    case "remove": return .row(.remove, try text(path))
    case "add": return .row(.add, try text(path))
    case "move":
      _ = try members(path, ["row", "by"])
      let distance = try whole(path.member("by"), in: -1_000...1_000)
      return .row(.move(distance), try text(path.member("row")))
    case "edit": return .edit(try truth(path))
    case "expand": return .expand(try truth(path))
    case "lock": return .lock(try truth(path))
    case "hide": return .hide(try truth(path))
    case "theme":
      guard let isDark = ["dark": true, "light": false][try text(path)] else {
        throw expected("\"dark\" or \"light\"", path)
      }
      return .theme(isDark: isDark)
    case "configure": return .configure(try json(path))
    case "advance": return .advance(try duration(path))
    case "answer":
      _ = try members(path, ["openURL"])
      return .answerURLs(try truth(path.member("openURL")))
    case "deny", "grant":
      guard try text(path) == "expiringActivity" else {
        throw expected("\"expiringActivity\"", path)
      }
      return .denyActivities(name == "deny")
    case "post": return .post(try text(path))
    case "deliver": return .deliver(try events(path))
    case "memoryWarning":
      _ = try members(path, [])
      return .warnOfMemory
    case "kill":
      _ = try members(path, [])
      return .kill
    case "request": return try request(path)
    case "choose":
      let members = try members(path, ["item", "value"])
      let value = members["value"] == nil ? nil : try text(path.member("value"))
      return .choose(item: try text(path.member("item")), value: value)
    case "select":
      guard let button = Scenario.RequestButton(rawValue: try text(path)) else {
        throw expected("\"post\" or \"cancel\"", path)
      }
      return .select(button)
    case "back":
      _ = try members(path, [])
      return .back
    default: return .expect(try expectation(path))
    }
  }

  // MARK: - Requests

  /// The members of one attachment.
  private static let attachmentNames = ["text", "file", "type", "name"]

  private func request(_ path: MemberPath) throws(HarnessFailure) -> Scenario.Action {
    let names = ["attachments", "separate", "title", "contentText", "userInfo", "options"]
    let members = try members(path, Self.attachmentNames + names)
    var attachments: [HarnessContent.Attachment] = []
    if members["attachments"] != nil {
      for name in Self.attachmentNames where members[name] != nil {
        throw fault(path.member(name), "stands beside “attachments”; put it into one of them")
      }
      let list = path.member("attachments")
      guard case .array(let elements)? = file.value[list], !elements.isEmpty else {
        throw expected("a list of attachments", list)
      }
      for index in elements.indices {
        let element = list.element(index)
        _ = try self.members(element, Self.attachmentNames)
        attachments.append(try attachment(element))
      }
    } else {
      attachments = [try attachment(path)]
    }
    let isSeparate = members["separate"] == nil ? false : try truth(path.member("separate"))
    var content = HarnessContent(items: isSeparate ? attachments.map { [$0] } : [attachments])
    if members["title"] != nil { content.title = try text(path.member("title")) }
    if members["contentText"] != nil { content.contentText = try text(path.member("contentText")) }
    if members["userInfo"] != nil { content.userInfo = try pairs(path.member("userInfo")) }
    let options = members["options"] == nil ? [:] : try pairs(path.member("options"))
    return .request(content, options: options)
  }

  private func attachment(_ path: MemberPath) throws(HarnessFailure) -> HarnessContent.Attachment {
    let (text, source) = (path.member("text"), path.member("file"))
    guard (file.value[text] == nil) != (file.value[source] == nil) else {
      throw expected("either “text” or “file”", path)
    }
    var attachment: HarnessContent.Attachment
    if file.value[text] != nil {
      attachment = HarnessContent.Attachment(Array(try self.text(text).utf8))
    } else {
      let name = try self.text(source)
      do throws(HarnessFailure) {
        let content = try HarnessContent.file(name.hasPrefix("/") ? name : "\(folder)/\(name)")
        attachment = content.items[0][0]
      } catch {
        throw fault(source, error.description)
      }
    }
    let (type, name) = (path.member("type"), path.member("name"))
    if file.value[type] != nil { attachment.type = try self.text(type) }
    if file.value[name] != nil { attachment.suggestedName = try self.text(name) }
    return attachment
  }

  /// The members of an object of texts.
  private func pairs(_ path: MemberPath) throws(HarnessFailure) -> [String: String] {
    guard case .object(let members)? = file.value[path] else { throw expected("an object", path) }
    var pairs: [String: String] = [:]
    for name in members.map(\.name) { pairs[name] = try text(path.member(name)) }
    return pairs
  }

  private func events(
    _ path: MemberPath
  ) throws(HarnessFailure) -> HandleEventsForBackgroundURLSessionRequest {
    let names = ["session", "task", "url", "path", "error", "reason", "status"]
    let members = try members(path, names)
    func optional(_ name: String) throws(HarnessFailure) -> String? {
      members[name] == nil ? nil : try text(path.member(name))
    }
    let event = BackgroundTransferEvent(
      task: try text(path.member("task")),
      url: try optional("url") ?? "https://example.com/",
      path: try optional("path"),
      error: try optional("error"),
      reason: try optional("reason"),
      status: members["status"] == nil ? nil : try whole(path.member("status"), in: 100...999)
    )
    return .init(identifier: try text(path.member("session")), events: [event])
  }

  private func expectation(_ path: MemberPath) throws(HarnessFailure) -> Scenario.Expectation {
    let members = try members(path, Self.expectationNames)
    var expectation = Scenario.Expectation()
    // A closure would lose the type of the error.
    for name in members.map(\.name).sorted() {
      let path = path.member(name)
      switch name {
      case "result":
        guard let result = UpdateResult(rawValue: try text(path)) else {
          throw expected("\"newData\", \"noData\" or \"failed\"", path)
        }
        expectation.result = result
      case "error": expectation.error = try text(path)
      case "height": expectation.height = try whole(path, in: 0...10_000)
      case "contains": expectation.contains = try texts(path)
      case "lacks": expectation.lacks = try texts(path)
      case "golden":
        let name = try text(path)
        guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || "-_".contains($0) })
        else {
          throw expected("a name of letters, digits, “-” and “_”", path)
        }
        expectation.golden = name
      case "widths":
        guard case .array(let list)? = file.value[path] else {
          throw expected("a list of widths", path)
        }
        for index in list.indices {
          expectation.widths.append(try whole(path.element(index), in: 1...1_000))
        }
      case "shown": expectation.shown = try truth(path)
      case "sent": expectation.sent = try texts(path)
      case "written": expectation.written = try texts(path)
      case "opened": expectation.opened = try texts(path)
      case "alerts": expectation.alerts = try texts(path)
      case "outcome":
        let outcome = try text(path)
        guard ["completed", "cancelled", "failed", "none"].contains(outcome) else {
          throw expected("\"completed\", \"cancelled\", \"failed\" or \"none\"", path)
        }
        expectation.outcome = outcome
      case "returned": expectation.returned = try texts(path)
      case "types": expectation.types = try texts(path)
      case "valid": expectation.valid = try truth(path)
      case "remaining": expectation.remaining = try whole(path, in: -1_000_000...1_000_000)
      default: expectation.log = try text(path)
      }
    }
    return expectation
  }

  // MARK: - Values

  /// The members of an object, none of which has another name than `names`.
  private func members(
    _ path: MemberPath,
    _ names: [String]
  ) throws(HarnessFailure) -> [JSONTree.Member] {
    guard case .object(let members)? = file.value[path] else {
      throw expected(names.isEmpty ? "{}" : "an object", path)
    }
    for name in members.map(\.name).sorted() where !names.contains(name) {
      let near = NearName.nearest(to: name, among: names).map { "; did you mean “\($0)”?" }
      let known = names.isEmpty ? "" : "; there is " + names.joined(separator: ", ")
      throw fault(path.member(name), "unknown member\(near ?? known)", isOfName: true)
    }
    return members
  }

  private func text(_ path: MemberPath) throws(HarnessFailure) -> String {
    guard case .string(let text)? = file.value[path] else { throw expected("a text", path) }
    return text
  }

  /// A text, or a list of texts.
  private func texts(_ path: MemberPath) throws(HarnessFailure) -> [String] {
    guard case .array(let list)? = file.value[path] else { return [try text(path)] }
    var texts: [String] = []
    for index in list.indices { texts.append(try text(path.element(index))) }
    return texts
  }

  private func truth(_ path: MemberPath) throws(HarnessFailure) -> Bool {
    guard case .boolean(let truth)? = file.value[path] else {
      throw expected("true or false", path)
    }
    return truth
  }

  private func whole(
    _ path: MemberPath,
    in range: ClosedRange<Int>
  ) throws(HarnessFailure) -> Int {
    guard case .number(let number)? = file.value[path], let whole = Int(exactly: number),
      range.contains(whole)
    else { throw expected("a whole number from \(range.lowerBound) to \(range.upperBound)", path) }
    return whole
  }

  private func date(_ path: MemberPath) throws(HarnessFailure) -> Date {
    let words = "a time such as \"2031-02-03T04:05:06Z\""
    guard let date = InternetDate(try text(path))?.date else { throw expected(words, path) }
    return date
  }

  private func duration(_ path: MemberPath) throws(HarnessFailure) -> Duration {
    let parts = try text(path).split(separator: " ")
    let units: [String: Double] = [
      "ms": 0.001, "s": 1, "min": 60, "h": 3_600, "day": 86_400, "days": 86_400,
    ]
    guard parts.count == 2, let number = Double(parts[0]), let unit = units[String(parts[1])],
      number >= 0, number * unit <= 366 * 86_400
    else {
      throw expected("a time such as \"5 min\", \"30 s\" or \"1 day\", at most 366 days", path)
    }
    return .milliseconds(Int64((number * unit * 1_000).rounded()))
  }

  /// The value as JSON.
  private func json(_ path: MemberPath) throws(HarnessFailure) -> String {
    guard let value = file.value[path], case .object = value else {
      throw expected("an object", path)
    }
    return String(decoding: value.json, as: UTF8.self)
  }

  // MARK: - Faults

  private func place(_ path: MemberPath) -> String {
    file.outline[path].map { "\(self.path):\($0.value)" } ?? self.path
  }

  private func expected(_ what: String, _ path: MemberPath) -> HarnessFailure {
    guard file.value[path] != nil else {
      return fault(path, "is missing; expected \(what)")
    }
    return fault(
      path,
      "expected \(what)" + (file.outline[path].map { ", found \($0.words)" } ?? "")
    )
  }

  private func fault(_ path: MemberPath, _ words: String, isOfName: Bool = false) -> HarnessFailure
  {
    var known = path
    while file.outline[known] == nil, let parent = known.parent { known = parent }
    let entry = file.outline[known]
    let found = isOfName ? entry?.name ?? entry?.value : entry?.value
    let name = "\(path)"
    return HarnessFailure(
      "\(self.path):\(found.map { "\($0): " } ?? " ")\(name.isEmpty ? "" : "\(name): ")\(words)"
    )
  }
}
