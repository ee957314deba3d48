/// A notification of the desktop as it was sent (Desktop Notifications Specification, `Notify`).
struct DesktopNotification: Hashable {
  var number: DesktopNumber
  /// The name of the application; empty if it has not told it.
  var application = ""
  /// The name of its desktop file without ending (`desktop-entry`); empty without any.
  var identifier = ""
  var title = ""
  /// Further lines, which may have markup.
  var body = ""
  /// The milliseconds after which it expires; negative for those that the daemon chooses, 0 for never.
  var time = -1
  /// Other hints by name.
  var hints: [String: String] = [:]
  var actions: [Action] = []

  /// Something that can be done about it.
  struct Action: Hashable {
    /// What the application knows it by; `default` is what a press on the notification does.
    var key: String
    /// What the user reads.
    var label: String
  }

  init(number: DesktopNumber) {
    self.number = number
  }

  /// Reads the texts of a report: scope and number, application, identifier, title, body, time, the number of hints,
  /// name and value of each, and key and label of each action.
  init?(_ fields: ArraySlice<String>) {
    let fields = Array(fields)
    guard fields.count >= 8, let id = UInt32(fields[1]), let time = Int(fields[6]),
      let hintCount = Int(fields[7]), 0...fields.count ~= hintCount,
      fields.count >= 8 + 2 * hintCount
    else { return nil }
    number = DesktopNumber(scope: fields[0], id: id)
    (application, identifier, title, body) = (fields[2], fields[3], fields[4], fields[5])
    self.time = time
    let rest = fields.dropFirst(8)
    for (name, value) in Self.pairs(rest.prefix(2 * hintCount)) { hints[name] = value }
    actions = Self.pairs(rest.dropFirst(2 * hintCount)).map { Action(key: $0, label: $1) }
  }

  private static func pairs(_ fields: ArraySlice<String>) -> [(String, String)] {
    stride(from: fields.startIndex, to: fields.endIndex - 1, by: 2).map {
      (fields[$0], fields[$0 + 1])
    }
  }
}

// MARK: - The notice

extension DesktopNotification {
  /// The notice that it becomes.
  ///
  /// Actions are those of the applications, which hear of them only from the daemon: a notice has none if another
  /// program shows the notification.
  var content: NoticeContent {
    let title = title.contains { !$0.isWhitespace } ? title : ""
    var lines = MarkupText.plain(body).split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
    while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
    // A notification of some applications has a body alone.
    let first = title.isEmpty && !lines.isEmpty ? lines.removeFirst() : title
    var content = NoticeContent(
      application: name,
      source: .desktop,
      title: first.isEmpty ? name : first,
      body: lines.isEmpty ? nil : lines.joined(separator: "\n"),
      urgency: urgency
    )
    content.progress = hints["value"].flatMap(Int.init).map { min(max($0, 0), 100) }
    if number.id != 0 { content.tag = number.tag }
    if number.isOwn, !actions.isEmpty { content.actions = actions.map(\.notice) }
    return content
  }

  /// The seconds after which the notice no longer waits; nil for the usual ones.
  ///
  /// Where another program shows the notification, the time is that of a box on the screen, which nobody may have seen.
  var seconds: Double? { number.isOwn && time > 0 ? Double(time) / 1000 : nil }

  private var name: String {
    for name in [application, identifier] where name.contains(where: { !$0.isWhitespace }) {
      return name
    }
    return NoticeContent.Source.desktop.rawValue
  }

  private var urgency: NoticeContent.Urgency {
    switch hints["urgency"] {
    case "0": .low
    case "2": .critical
    default: .normal
    }
  }
}

extension DesktopNotification.Action {
  /// The action of the notice.
  fileprivate var notice: NoticeAction {
    let isNamed = label.contains { !$0.isWhitespace }
    var action = NoticeAction(name: isNamed ? label : key == "default" ? "Open" : key)
    action.key = key
    return action
  }
}
