/// Something in a text that can be looked up.
package struct DetectedItem: Hashable, Sendable {
  /// What it is.
  package enum Kind: Hashable, Sendable {
    /// An address with a scheme.
    case link(String)
    /// An address of e-mail.
    case mail(String)
    /// A line of a file, the first one being 1, and its column if it is known.
    case line(path: String, line: Int, column: Int?)
    /// What may be the name of a commit: 7 to 40 hexadecimal digits.
    case commit(String)
    /// The number of an issue, in a repository such as “owner/name”; nil for that of the folder.
    case issue(Int, repository: String?)
    case date(DetectedDate)
    case uuid(String)
    /// An address of the internet protocol, version 4.
    case networkAddress(String)
  }

  package var kind: Kind
  /// How it stands in the text.
  package var text: String
  /// The line of the text in which it stands, at most ``DataDetector/lineLimit`` bytes of it.
  package var context: String

  package init(_ kind: Kind, text: String, context: String) {
    (self.kind, self.text, self.context) = (kind, text, context)
  }
}

/// A day of the Gregorian calendar, and the time if the text has one.
package struct DetectedDate: Hashable, Sendable {
  package var year: Int
  package var month: Int
  package var day: Int
  /// Hours and minutes; nil for a whole day.
  package var time: Time?

  /// A time of the day.
  package struct Time: Hashable, Sendable {
    package var hour: Int
    package var minute: Int
    /// The zone as ISO 8601 writes it, such as “Z” or “+02:00”; empty for that of the reader.
    package var zone = ""
  }

  /// A day that exists; nil for others.
  package init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month) else { return nil }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...days[month - 1]).contains(day) else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// As ISO 8601 has it, such as “2027-01-31” or “2027-01-31 14:00+01:00”.
  package var words: String {
    let day = "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(day, 2))"
    guard let time else { return day }
    let zone = time.zone == "Z" ? "+00:00" : time.zone
    return "\(day) \(Self.digits(time.hour, 2)):\(Self.digits(time.minute, 2))\(zone)"
  }

  private static func digits(_ number: Int, _ count: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }
}
