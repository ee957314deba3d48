import CalendarFormats
import FoundationEssentials
import Glibc
import WidgetKitCore

extension FuzzTarget {
  /// The processor time for one file, in a build that is not optimized.
  private static let secondsOfCalendar = 8.0

  /// Reads a calendar file, and lists its entries in a zone with summer time and in one without.
  static func listEntries(_ bytes: [UInt8]) {
    let start = processorSeconds
    let file = CalendarFile(parsing: bytes)
    let first = CivilDate(daysSince1970: 20_760)
    let last = first.adding(days: 60)
    for zone in ["Europe/Vienna", "Asia/Kathmandu"] {
      let agenda = Agenda(of: [file], from: first, through: last, in: zone)
      precondition(agenda.cuts.count == 1, "a file without its word of what is missing")
      for entry in agenda.occurrences {
        precondition(entry.firstDay <= last && entry.lastDay >= first, "an entry of other days")
        precondition(entry.firstDay <= entry.lastDay, "an entry that ends before it begins")
        precondition((entry.start == nil) == (entry.end == nil), "an entry with half of a time")
        if let start = entry.start, let end = entry.end {
          precondition(start <= end, "a negative length")
        }
      }
      let again = Agenda(of: [file, file], from: first, through: last, in: zone)
      precondition(again.cuts.count == 2, "a file without its word of what is missing")
    }
    precondition(processorSeconds - start < secondsOfCalendar, "a calendar that takes too long")
  }

  private static var processorSeconds: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
