/// What a terminal says of itself, between the keys that are typed.
nonisolated enum TerminalReport: Hashable, Sendable {
  /// Its background, as the answer to OSC 11.
  case background(RGB)
  /// Its appearance was changed, as mode 2031 tells.
  case appearance(isDark: Bool)
  /// It has got or lost the focus, as mode 1004 tells.
  case focus(Bool)

  /// The query for the background.
  static let query = "\u{1B}]11;?\u{1B}\\"
  /// From now on changes of the appearance are told.
  static let follow = "\u{1B}[?2031h"
  /// They are not told any more.
  static let unfollow = "\u{1B}[?2031l"
  /// From now on the terminal tells when it gets and loses the focus.
  static let followFocus = "\u{1B}[?1004h"
  /// It does not tell that any more.
  static let unfollowFocus = "\u{1B}[?1004l"

  /// Removes all reports from typed bytes.
  ///
  /// - Parameters:
  ///   - bytes: What was read; a report that is not complete stays at its end.
  ///   - isExpected: Whether an answer is expected, so that its beginning is not a key.
  ///   - followsFocus: Whether the terminal tells of the focus, so that its reports are not keys.
  /// - Returns: The reports, and how many bytes at the end are the beginning of one.
  static func extract(
    from bytes: inout [UInt8],
    isExpected: Bool,
    followsFocus: Bool = false
  ) -> (reports: [TerminalReport], held: Int) {
    var reports: [TerminalReport] = []
    var index = 0
    while let start = bytes[index...].firstIndex(of: escape) {
      if followsFocus, let isFocused = focus(bytes[start...].prefix(3)) {
        reports.append(.focus(isFocused))
        bytes.removeSubrange(start..<start + 3)
        index = start
        continue
      }
      switch match(bytes[start...]) {
      case .report(let report, let length):
        if let report { reports.append(report) }
        bytes.removeSubrange(start..<start + length)
        index = start
      case .beginning where isExpected: return (reports, bytes.count - start)
      case .beginning, .none: index = start + 1
      }
    }
    return (reports, 0)
  }

  private enum Match {
    /// A whole report; nil if it says nothing that is known.
    case report(TerminalReport?, length: Int)
    case beginning
    case none
  }

  private static let escape: UInt8 = 0x1B
  private static let bell: UInt8 = 0x07
  private static let lengthLimit = 64

  private static func match(_ bytes: ArraySlice<UInt8>) -> Match {
    let answer = Array("\u{1B}]11;".utf8)
    let change = Array("\u{1B}[?997;".utf8)
    for (prefix, isAnswer) in [(answer, true), (change, false)] {
      guard bytes.starts(with: prefix) else {
        // A single ESC, or ESC and a bracket, is more likely a key.
        if bytes.count > 2 || isAnswer && bytes.count == 2, prefix.starts(with: bytes) {
          return .beginning
        }
        continue
      }
      let rest = bytes.dropFirst(prefix.count).prefix(lengthLimit)
      return isAnswer
        ? answerMatch(rest, prefix: prefix.count) : changeMatch(rest, prefix: prefix.count)
    }
    return .none
  }

  private static func focus(_ bytes: ArraySlice<UInt8>) -> Bool? {
    if bytes.elementsEqual("\u{1B}[I".utf8) { return true }
    return bytes.elementsEqual("\u{1B}[O".utf8) ? false : nil
  }

  private static func answerMatch(_ rest: ArraySlice<UInt8>, prefix: Int) -> Match {
    guard let end = rest.firstIndex(where: { $0 == bell || $0 == escape }) else {
      return rest.count < lengthLimit ? .beginning : .none
    }
    let text = String(decoding: rest[..<end], as: UTF8.self)
    let length = prefix + end - rest.startIndex
    if rest[end] == bell { return .report(color(text).map { .background($0) }, length: length + 1) }
    guard end + 1 < rest.endIndex else { return .beginning }
    guard rest[end + 1] == UInt8(ascii: "\\") else { return .none }
    return .report(color(text).map { .background($0) }, length: length + 2)
  }

  private static func changeMatch(_ rest: ArraySlice<UInt8>, prefix: Int) -> Match {
    guard let kind = rest.first else { return .beginning }
    guard let end = rest.dropFirst().first else { return .beginning }
    guard end == UInt8(ascii: "n") else { return .none }
    let report: TerminalReport? =
      switch kind {
      case UInt8(ascii: "1"): .appearance(isDark: true)
      case UInt8(ascii: "2"): .appearance(isDark: false)
      default: nil
      }
    return .report(report, length: prefix + 2)
  }

  /// A colour as XParseColor(3) writes it: `rgb:1616/1818/1d1d`.
  private static func color(_ text: String) -> RGB? {
    guard let colon = text.firstIndex(of: ":"), text.hasPrefix("rgb") else { return nil }
    let parts = text[text.index(after: colon)...].split(separator: "/")
      .map { part -> UInt8? in
        guard 1...4 ~= part.count, let value = Int(part, radix: 16), value >= 0 else { return nil }
        let most = (1 << (4 * part.count)) - 1
        return UInt8(clamping: (value * 255 + most / 2) / most)
      }
    guard parts.count >= 3, let red = parts[0], let green = parts[1], let blue = parts[2] else {
      return nil
    }
    return RGB(red: red, green: green, blue: blue)
  }
}

nonisolated extension RGB {
  /// Whether light text is easier to read on it than dark text.
  var isDark: Bool { luminance < 0.179 }
}
