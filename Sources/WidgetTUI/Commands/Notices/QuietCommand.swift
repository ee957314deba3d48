import FoundationEssentials
import Notices
import WidgetKitCore
import WidgetPlatform

/// `today quiet`: begins or ends a time in which no notice sounds.
struct QuietCommand: Command {
  static let name = "quiet"
  static let syntax = CommandSyntax<QuietCommand>(
    name,
    "let notices wait without a sound",
    expected: "on, off, a time such as 1h, or until and an hour such as 17:00",
    forms: ["[on|off|TIME|until HH:MM]"],
    details: """
      In quiet time notices are stored and shown, but nothing sounds; critical ones do. TIME is how long it is, such
      as 30m or 1h, and less than a year. Without an argument, the command prints whether it is quiet, and until when.
      """,
    operands: [.rest("[on|off|TIME|until HH:MM]", .text(.words(["on", "off", "until"])), \.words)]
  )

  var options = CommonOptions()
  private var words: [String] = []

  func run() async throws(CommandError) -> ExitCode {
    let folders = StateFolders(environment: options.environment)
    switch words {
    case []: break
    case ["on"]: try begin(folders, nil)
    case ["off"]:
      try CommandError.from { () throws(HostError) in try QuietTime.finish(folders) }
    default: try begin(folders, try end())
    }
    StandardStreams.writeLine(Self.words(for: QuietTime.current(folders)))
    return .success
  }

  private func begin(_ folders: StateFolders, _ end: Date?) throws(CommandError) {
    try CommandError.from { () throws(HostError) in try QuietTime(until: end).begin(folders) }
  }

  /// The longest time that can be said.
  private static let longest = ScriptName.intervals.upperBound

  private func end() throws(CommandError) -> Date {
    if words.count == 1, let seconds = ScriptName.seconds(words[0]) {
      guard seconds < Self.longest else {
        throw .usage(
          "\(words[0]) is a year or longer; “today quiet on” lasts until “today quiet off”"
        )
      }
      return Date().addingTimeInterval(seconds)
    }
    guard words.count == 2, words[0] == "until", let end = Self.next(words[1], after: Date()) else {
      throw Self.misused
    }
    return end
  }

  /// The next time at which the clock says `HH:MM`; nil if the text is no such time.
  static func next(_ text: String, after now: Date) -> Date? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].utf8.count == 2, let hour = Int(parts[0]),
      let minute = Int(parts[1]), 0...23 ~= hour, 0...59 ~= minute, var time = LocalTime(now)
    else { return nil }
    (time.hour, time.minute, time.second) = (hour, minute, 0)
    if let date = time.date(), date > now { return date }
    time.day += 1
    return time.date()
  }

  private static func words(for quiet: QuietTime?) -> SafeText {
    guard let quiet else { return "off" }
    guard let end = quiet.end else { return "on" }
    guard let time = LocalTime(end), let today = LocalTime() else { return "on" }
    let number = { (value: Int) in value < 10 ? "0\(value)" : "\(value)" }
    let day =
      time.isSameDay(as: today) ? "" : "\(time.year)-\(number(time.month))-\(number(time.day)) "
    return SafeText("on until \(day)\(time.clock)")
  }
}
