/// An entry or a time zone of a calendar file: `BEGIN:VEVENT` to `END:VEVENT`.
struct CalendarComponent: Hashable, Sendable {
  /// The components that are read; all others, such as alarms, are skipped with their lines.
  enum Kind: String, Sendable {
    case event = "VEVENT"
    case zone = "VTIMEZONE"
    case standard = "STANDARD"
    case daylight = "DAYLIGHT"
  }

  /// What it is.
  var kind: Kind
  /// Its lines, without those of components in it.
  var lines: [ContentLine] = []
  /// The periods of a time zone.
  var parts: [CalendarComponent] = []

  /// The entries and time zones of a file.
  struct List: Hashable, Sendable {
    /// Those that are complete.
    var components: [CalendarComponent] = []
    /// Whether the lines are those of a calendar.
    var isCalendar = false
    /// Whether the file ends before an entry does.
    var isTruncated = false
  }

  /// Groups the lines of a file.
  static func list(of lines: [ContentLine]) -> List {
    var list = List()
    var names: [String] = []
    var open: [CalendarComponent] = []
    for line in lines {
      switch line.name {
      case "BEGIN":
        let name = line.value.uppercased()
        if name == "VCALENDAR" { list.isCalendar = true }
        names.append(name)
        if let kind = Kind(rawValue: name) { open.append(CalendarComponent(kind: kind)) }
      case "END":
        guard let name = names.popLast(), let kind = Kind(rawValue: name),
          let component = open.popLast(), component.kind == kind
        else { continue }
        if kind == .event || kind == .zone {
          list.components.append(component)
        } else if open.last?.kind == .zone {
          open[open.count - 1].parts.append(component)
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
