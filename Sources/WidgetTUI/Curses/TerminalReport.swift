import TerminalInput
import WidgetKitCore

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
  /// Whether it shows frames as a whole (mode 2026), as the answer to DECRQM.
  case wholeFrames(Bool)
  /// Where its cursor is, as the answer to `CSI 6 n`.
  case position(Position)
  /// The pixels of a cell, as the answer to `CSI 16 t`.
  case cellPixels(width: Int, height: Int)

  /// Its name and version, as the answer to XTVERSION.
  case version(String)
  /// It has the notifications of kitty, as the answer to their question.
  case notifications

  /// The query for the background.
  static let query = "\u{1B}]11;?\u{1B}\\"
  /// The question whether it has mode 2026 (DECRQM).
  static let wholeFramesQuestion = "\u{1B}[?2026$p"
  /// From now on changes of the appearance are told.
  static let follow = "\u{1B}[?2031h"
  /// They are not told any more.
  static let unfollow = "\u{1B}[?2031l"
  /// From now on the terminal tells when it gets and loses the focus.
  static let followFocus = "\u{1B}[?1004h"
  /// It does not tell that any more.
  static let unfollowFocus = "\u{1B}[?1004l"

  /// Pasted text is marked from now on, and not any more (bracketed paste, xterm).
  static let followPastes = "\u{1B}[?2004h"
  static let unfollowPastes = "\u{1B}[?2004l"
  /// From now on the terminal tells of the pointer while a button is held down (mode 1002, xterm).
  static let followDrags = "\u{1B}[?1002h"
  /// It does not tell that any more; presses are told again, which the other mode has replaced.
  static let unfollowDrags = "\u{1B}[?1002l\u{1B}[?1000h"
  /// It tells nothing of the mouse any more.
  static let unfollowPointer = "\u{1B}[?1002l"

  /// Reads what a terminal has sent beside keys; nil for what says nothing that is known.
  init?(_ sequence: TerminalSequence) {
    switch sequence {
    case .control(let control): self.init(control)
    case .text(let text): self.init(text)
    }
  }

  private init?(_ sequence: ControlSequence) {
    let numbers = sequence.numbers
    if sequence.marker == UInt8(ascii: "?"), sequence.final == UInt8(ascii: "y"),
      sequence.intermediates == [UInt8(ascii: "$")], numbers.count == 2, numbers[0] == 2026,
      let state = numbers[1]
    {
      // 0: not known; 4: never on.
      self = .wholeFrames(1...3 ~= state)
      return
    }
    guard sequence.intermediates.isEmpty else { return nil }
    switch (sequence.marker, sequence.final) {
    case (UInt8(ascii: "?"), UInt8(ascii: "c")): self = .attributes(numbers.compactMap(\.self))
    case (UInt8(ascii: "?"), UInt8(ascii: "n")):
      guard numbers == [997, 1] || numbers == [997, 2] else { return nil }
      self = .appearance(isDark: numbers[1] == 1)
    case (nil, UInt8(ascii: "R")):
      guard numbers.count == 2, let row = numbers[0], let column = numbers[1], row > 0, column > 0
      else { return nil }
      self = .position(Position(column: column - 1, row: row - 1))
    case (nil, UInt8(ascii: "t")):
      guard numbers.count == 3, numbers[0] == 6, let height = numbers[1], let width = numbers[2]
      else { return nil }
      self = .cellPixels(width: width, height: height)
    default: return nil
    }
  }

  private init?(_ sequence: TextSequence) {
    let text = sequence.text
    switch sequence.kind {
    case .osc where text.hasPrefix("11;"):
      guard let color = Self.color(String(text.dropFirst(3))) else { return nil }
      self = .background(color)
    // The metadata of the answer have the identifier of the question.
    case .osc where text.hasPrefix("99;") && text.contains("p=?"): self = .notifications
    case .dcs where text.hasPrefix(">|"): self = .version(String(text.dropFirst(2).prefix(100)))
    case .apc where text.hasPrefix("G"): self = .graphics(text.hasSuffix(";OK"))
    case .osc, .apc, .dcs, .pm, .sos: return nil
    }
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
