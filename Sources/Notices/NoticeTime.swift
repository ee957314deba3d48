import FoundationEssentials
import WidgetKitCore

/// Dates as they are stored and printed.
enum NoticeTime {
  /// The milliseconds since 1970; those of the year 9999 at most.
  static func milliseconds(_ date: Date) -> Int {
    let limit = Double(JournalLine.timeLimit - 1)
    let time = (date.timeIntervalSince1970 * 1000).rounded(.down)
    return time.isNaN ? 0 : Int(min(max(time, -limit), limit))
  }

  static func date(_ milliseconds: Int) -> Date {
    Date(timeIntervalSince1970: Double(milliseconds) / 1000)
  }

  /// A date in the form of RFC 3339, in UTC and whole seconds: `2026-11-28T07:04:53Z`.
  static func text(_ date: Date) -> String {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    return InternetDate(date: Date(timeIntervalSince1970: seconds), offsetFromGMT: nil).text
  }
}

/// Values of the journal as JSON.
enum NoticeJSON {
  /// JSON without line feeds, and without characters that act on a terminal.
  static func text(_ value: some Encodable) -> String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(value)).map {
      HarmlessJSON.text(String(decoding: $0, as: UTF8.self))
    }
  }

  /// A notice as a line of JSON without its end.
  static func line(
    _ id: Int,
    _ date: Date,
    _ expiry: Date?,
    _ state: Notice.State,
    acted: String? = nil,
    content: ArraySlice<UInt8>
  ) -> [UInt8] {
    var head = "{\"id\":\"\(id)\",\"date\":\"\(NoticeTime.text(date))\""
    if let expiry { head += ",\"expires\":\"\(NoticeTime.text(expiry))\"" }
    if let name = acted.flatMap(text) { head += ",\"acted\":\(name)" }
    head += ",\"state\":\"\(state.rawValue)\","
    return Array(head.utf8) + content.dropFirst()
  }
}
