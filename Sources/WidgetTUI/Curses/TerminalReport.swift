/// What a terminal says of itself, between the keys that are typed.
nonisolated enum TerminalReport: Hashable, Sendable {
  /// Its background, as the answer to OSC 11.
  case background(RGB)
  /// Its appearance was changed, as mode 2031 tells.
  case appearance(isDark: Bool)
  /// It has got or lost the focus, as mode 1004 tells.
  case focus(Bool)
  /// Whether it has the graphics protocol of kitty, as the answer to its question.
  case graphics(Bool)
  /// What it can do, as the answer to DA1.
  case attributes([Int])
  /// The pixels of a cell, as the answer to `CSI 16 t`.
  case cellPixels(width: Int, height: Int)

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
      switch match(bytes[start...]) ?? (isExpected ? graphicsMatch(bytes[start...]) : .none) {
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

  /// The answer to a question for the background, or a change; nil if it is neither.
  private static func match(_ bytes: ArraySlice<UInt8>) -> Match? {
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
    return nil
  }

  /// The answer to a question for graphics.
  private static func graphicsMatch(_ bytes: ArraySlice<UInt8>) -> Match {
    guard bytes.count > 1 else { return .none }
    let command = Array("\u{1B}_G".utf8)
    if command.starts(with: bytes) { return .beginning }
    if bytes.starts(with: command) { return commandMatch(bytes, prefix: command.count) }
    guard bytes.starts(with: Array("\u{1B}[".utf8)) else { return .none }
    let rest = bytes.dropFirst(2).prefix(lengthLimit)
    let isPrivate = rest.first == UInt8(ascii: "?")
    let parameters = rest.dropFirst(isPrivate ? 1 : 0)
      .prefix { UInt8(ascii: "0")...UInt8(ascii: ";") ~= $0 }
    let numbers = String(decoding: parameters, as: UTF8.self).split(separator: ";").map { Int($0) }
    guard isPrivate || numbers.first == 6 && parameters.contains(UInt8(ascii: ";")) else {
      return .none
    }
    let length = 2 + (isPrivate ? 1 : 0) + parameters.count
    guard let end = bytes.dropFirst(length).first else {
      return parameters.count < lengthLimit ? .beginning : .none
    }
    switch (end, isPrivate) {
    case (UInt8(ascii: "c"), true):
      return .report(.attributes(numbers.compactMap(\.self)), length: length + 1)
    case (UInt8(ascii: "t"), false):
      guard numbers.count == 3, let height = numbers[1], let width = numbers[2] else {
        return .report(nil, length: length + 1)
      }
      return .report(.cellPixels(width: width, height: height), length: length + 1)
    default: return .none
    }
  }

  private static func commandMatch(_ bytes: ArraySlice<UInt8>, prefix: Int) -> Match {
    let rest = bytes.dropFirst(prefix).prefix(lengthLimit)
    guard let end = rest.firstIndex(of: escape) else {
      return rest.count < lengthLimit ? .beginning : .none
    }
    guard end + 1 < rest.endIndex else { return .beginning }
    guard rest[end + 1] == UInt8(ascii: "\\") else { return .none }
    let text = String(decoding: rest[..<end], as: UTF8.self)
    return .report(.graphics(text.hasSuffix(";OK")), length: prefix + end - rest.startIndex + 2)
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
