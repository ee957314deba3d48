/// An entry or a time zone of a calendar file: `BEGIN:VEVENT` to `END:VEVENT`.
struct CalendarComponent: Hashable, Sendable {
  /// The components that are read; all others, such as tasks, are skipped with their lines.
  enum Kind: String, Sendable {
    case event = "VEVENT"
    case alarm = "VALARM"
    case zone = "VTIMEZONE"
    case standard = "STANDARD"
    case daylight = "DAYLIGHT"
  }

  /// What it is.
  var kind: Kind
  /// The number of the line with which it begins.
  var firstLine = 0
  /// Its lines, without those of components in it.
  var lines: [ContentLine] = []
  /// The periods of a time zone, or the alarms of an entry.
  var parts: [CalendarComponent] = []

  /// The entries and time zones of a file.
  struct List: Hashable, Sendable {
    /// Those that are complete.
    var components: [CalendarComponent] = []
    /// Whether the lines are those of a calendar.
    var isCalendar = false
    /// Whether the file ends before an entry does.
    var isTruncated = false
    /// The line of the first entry that has no end.
    var openEntry: Int?
    /// Whether the entries are a message that they do not take place (RFC 5546 §3.2.5).
    var isCancellation = false
  }

  /// How deep components can be in others; no format has more than three.
  private static let depthLimit = 32

  /// Groups the lines of a file; an entry without an end is left out, and none of its neighbours.
  static func list(of lines: [ContentLine]) -> List {
    var list = List()
    var names: [String] = []
    var open: [CalendarComponent] = []
    for line in lines {
      switch line.name {
      case "BEGIN":
        let name = line.value.trimmed.uppercased()
        if name == "VCALENDAR" { list.isCalendar = true }
        let kind = Kind(rawValue: name)
        // No entry, zone or calendar is part of an entry.
        if kind == .event || kind == .zone || name == "VCALENDAR" {
          if let entry = open.first(where: { $0.kind == .event }) {
            list.openEntry = list.openEntry ?? entry.firstLine
          }
          names = []
          open = []
        }
        guard names.count < depthLimit else { continue }
        names.append(name)
        if let kind { open.append(CalendarComponent(kind: kind, firstLine: line.number)) }
      case "END":
        let name = line.value.trimmed.uppercased()
        guard let place = names.lastIndex(of: name) else { continue }
        for name in names[(place + 1)...] where Kind(rawValue: name) != nil { open.removeLast() }
        names.removeSubrange(place...)
        guard Kind(rawValue: name) != nil, let component = open.popLast() else { continue }
        if component.kind == .event || component.kind == .zone {
          list.components.append(component)
        } else if open.last?.kind == (component.kind == .alarm ? .event : .zone) {
          open[open.count - 1].parts.append(component)
        }
      case "METHOD":
        if !names.contains(where: { $0 != "VCALENDAR" }) {
          list.isCancellation = line.value.trimmed.uppercased() == "CANCEL"
        }
      default:
        guard let kind = names.last.flatMap(Kind.init(rawValue:)), open.last?.kind == kind else {
          continue
        }
        open[open.count - 1].lines.append(line)
      }
    }
    list.isTruncated = open.contains { $0.kind == .event }
    return list
  }
}

extension String {
  /// The text without blanks around it.
  var trimmed: String {
    func isBlank(_ character: Character) -> Bool { character.isWhitespace }
    guard let first = firstIndex(where: { !isBlank($0) }),
      let last = lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(self[first...last])
  }
}
