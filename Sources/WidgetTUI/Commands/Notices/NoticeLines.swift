import FoundationEssentials
import Notices
import WidgetKitCore

/// Notices in lines for a person.
struct NoticeLines {
  private let list: NoticeList
  private let now: Date
  /// The columns of the terminal; nil if lines may be of any width.
  private let columns: Int?
  /// The letters of notices that wait, by number.
  private let letters: [Int: String]

  /// The most rows of waiting and of earlier notices where no time was asked for.
  private static let waitingLimit = 100
  private static let earlierLimit = 20
  /// The most lines of a text.
  private static let bodyLimit = 5

  init(_ list: NoticeList, now: Date, columns: Int?, letters: [Int: String] = [:]) {
    (self.list, self.now, self.columns, self.letters) = (list, now, columns, letters)
  }

  /// What a person names a notice by: its letters while it waits, else its number.
  private func name(of entry: NoticeList.Entry) -> String {
    (entry.state == .waiting ? letters[entry.id] : nil) ?? "\(entry.id)"
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
    let width = (shown + past).map { name(of: $0).count }.max() ?? 1
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

  // MARK: - As they come

  /// Notices in the order in which they came, those that wait with their texts.
  func log(_ entries: [NoticeList.Entry]) -> [SafeText] {
    let waiting = entries.filter { $0.state == .waiting }.suffix(Self.waitingLimit)
    let earlier = entries.filter { $0.state == .earlier }.suffix(Self.earlierLimit)
    return (earlier + waiting).sorted { $0.id < $1.id }.flatMap(row)
  }

  /// A notice of the log: when it came, and what names it while it waits.
  func row(of entry: NoticeList.Entry) -> [SafeText] {
    guard let notice = list.notice(entry) else { return [] }
    let isWaiting = notice.state == .waiting
    let mark = notice.content.urgency == .critical && isWaiting ? "!" : " "
    let letters = isWaiting ? name(of: entry) : ""
    let label = letters + String(repeating: " ", count: max(0, 2 - letters.count))
    let time = clock(notice.date)
    let head = "\(mark) \(label)  \(time)  "
    let title = "\(Self.name(notice)): \(SafeText(lineOf: notice.content.title))"
    let margin = String(repeating: " ", count: 6 + time.count + 2)
    let rest = isWaiting ? further(notice, margin, Self.bodyLimit) : []
    return [cut(head + title, progress(notice))] + rest
  }

  /// When a notice came: the hour, or before today the day.
  private func clock(_ date: Date) -> String {
    guard let time = LocalTime(date), let today = LocalTime(now) else { return "     " }
    if time.isSameDay(as: today) { return time.clock }
    return [time.month, time.day].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: "-")
  }

  // MARK: - Rows

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
    let mark = notice.content.urgency == .critical && notice.state == .waiting ? "!" : " "
    let name = name(of: entry)
    let label = String(repeating: " ", count: max(0, width - name.count)) + name
    let age = AgeWording.ago(now.timeIntervalSince(notice.date)).string
    let padded = age + String(repeating: " ", count: max(0, 10 - age.count))
    var title = SafeText(lineOf: notice.content.title).string
    if namesApplication { title = "\(Self.name(notice)): \(title)" }
    let margin = String(repeating: " ", count: width + 16)
    return [cut("\(mark) \(label)  \(padded)  \(title)", progress(notice))]
      + further(notice, margin, bodyLimit)
  }

  /// The text of a notice and what it offers, below its row.
  private func further(_ notice: Notice, _ margin: String, _ bodyLimit: Int) -> [SafeText] {
    var lines: [SafeText] = []
    let content = notice.content
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

  /// How far something is, behind its title.
  private func progress(_ notice: Notice) -> String {
    notice.content.progress.map { "  \($0) %" } ?? ""
  }

  /// A line for the columns that there are, at whose end a word stays if there is room for it.
  private func cut(_ text: String, _ end: String) -> SafeText {
    guard let columns, !end.isEmpty, columns > 2 * end.count else { return cut(text + end) }
    let start = SafeText(text).onOneLine.truncated(to: columns - end.count)
    return SafeText("\(start)\(SafeText(end))")
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
