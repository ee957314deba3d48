import FoundationEssentials
import Notices
import WidgetKitCore

/// Notices in lines for a person.
struct NoticeLines {
  private let list: NoticeList
  private let now: Date
  /// The columns of the terminal; nil if lines may be of any width.
  private let columns: Int?

  /// The most rows of waiting and of earlier notices where no time was asked for.
  private static let waitingLimit = 100
  private static let earlierLimit = 20
  /// The most lines of a text.
  private static let bodyLimit = 5

  init(_ list: NoticeList, now: Date, columns: Int?) {
    (self.list, self.now, self.columns) = (list, now, columns)
  }

  /// All of them: those that wait, by application, with critical ones first, then the earlier ones.
  ///
  /// - Parameter isLimited: Whether only the last ones are listed.
  /// - Returns: The lines; one that says so if there are no notices.
  func all(isLimited: Bool) -> [SafeText] {
    guard !list.entries.isEmpty else { return ["no notices"] }
    let limit = isLimited ? Self.waitingLimit : .max
    var critical: [NoticeList.Entry] = []
    var others: [NoticeList.Entry] = []
    var past: [NoticeList.Entry] = []
    var waitingCount = 0
    // The last ones are first.
    for entry in list.entries.reversed() {
      if entry.state == .earlier {
        if past.count < (isLimited ? Self.earlierLimit : .max) { past.append(entry) }
      } else {
        waitingCount += 1
        if entry.urgency == .critical {
          if critical.count < limit { critical.append(entry) }
        } else if others.count < limit {
          others.append(entry)
        }
      }
    }
    let shown = Array((critical + others).prefix(limit))
    let earlierCount = list.entries.count - waitingCount
    let width = ((shown + past).map(\.id).max() ?? 0).description.count
    var lines = groups(shown, width)
    if waitingCount > shown.count { lines.append("… \(waitingCount - shown.count) more wait") }
    if !past.isEmpty {
      if !lines.isEmpty { lines.append("") }
      lines +=
        ["Earlier"] + past.flatMap { rows(of: $0, width, namesApplication: true, bodyLimit: 0) }
    }
    if earlierCount > past.count {
      lines.append("… \(earlierCount - past.count) more; “--since 30d” lists them")
    }
    return lines
  }

  /// Notices below the names of their applications, in the order of the first of each.
  private func groups(_ entries: [NoticeList.Entry], _ width: Int) -> [SafeText] {
    var names: [String] = []
    var groups: [String: [SafeText]] = [:]
    for entry in entries {
      guard let notice = list.notice(entry) else { continue }
      let name = Self.name(notice)
      if groups[name] == nil { names.append(name) }
      groups[name, default: []] += rows(of: entry, width)
    }
    var lines: [SafeText] = []
    for name in names {
      if !lines.isEmpty { lines.append("") }
      lines += [cut(name)] + (groups[name] ?? [])
    }
    return lines
  }

  /// A notice that has just come, in lines of its own.
  func rows(of entry: NoticeList.Entry) -> [SafeText] {
    rows(of: entry, entry.id.description.count, namesApplication: true)
  }

  private static func name(_ notice: Notice) -> String {
    let name = SafeText(lineOf: notice.content.application).string
    return notice.content.host.map { "\(name) (\(SafeText(lineOf: $0)))" } ?? name
  }

  private func rows(
    of entry: NoticeList.Entry,
    _ width: Int,
    namesApplication: Bool = false,
    bodyLimit: Int = bodyLimit
  ) -> [SafeText] {
    guard let notice = list.notice(entry) else { return [] }
    let content = notice.content
    let mark = content.urgency == .critical && notice.state == .waiting ? "!" : " "
    let number =
      String(repeating: " ", count: max(0, width - "\(notice.id)".count)) + "\(notice.id)"
    let age = AgeWording.ago(now.timeIntervalSince(notice.date)).string
    let padded = age + String(repeating: " ", count: max(0, 10 - age.count))
    var title = SafeText(lineOf: content.title).string
    if namesApplication { title = "\(Self.name(notice)): \(title)" }
    if let progress = content.progress { title += "  \(progress) %" }
    var lines = [cut("\(mark) \(number)  \(padded)  \(title)")]
    let margin = String(repeating: " ", count: width + 16)
    let body = (content.body ?? "").split(separator: "\n", omittingEmptySubsequences: true)
    for line in body.prefix(bodyLimit) {
      lines.append(cut(margin + SafeText(lineOf: String(line)).string))
    }
    if bodyLimit > 0, body.count > bodyLimit {
      lines.append(cut("\(margin)… \(body.count - bodyLimit) more lines"))
    }
    if notice.state == .waiting, let actions = content.actions, !actions.isEmpty {
      let names = actions.map { "[\(SafeText(lineOf: $0.name))]" }.joined(separator: " ")
      lines.append(cut(margin + names))
    }
    return lines
  }

  private func cut(_ text: String) -> SafeText {
    let text = SafeText(text).onOneLine
    return columns.map { text.truncated(to: $0) } ?? text
  }

  /// What became of a notice, for those who wait; nil if its time has passed.
  static func words(for change: NoticeChange?) -> SafeText {
    switch change {
    case .acted(let action): "acted \(SafeText(lineOf: action))"
    case .dismissed, .seen: "dismissed"
    case .waiting, nil: "expired"
    }
  }
}
