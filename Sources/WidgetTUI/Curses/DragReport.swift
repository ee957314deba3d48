import WidgetKitCore

/// What the terminal tells of the pointer that is moved while a button is held down (mode 1002, xterm).
///
/// ncurses does not get these reports: it keeps only the last eight events of the mouse, and a moved
/// pointer sends more.
nonisolated enum DragReport {
  /// From now on the terminal tells of the pointer while a button is held down.
  static let follow = "\u{1B}[?1002h"
  /// It does not tell that any more; presses are told again, which the other mode has replaced.
  static let unfollow = "\u{1B}[?1002l\u{1B}[?1000h"
  /// It tells nothing of the mouse any more.
  static let farewell = "\u{1B}[?1002l"

  /// A part of what was read.
  enum Piece: Hashable, Sendable {
    case keys([UInt8])
    /// The cell to which the pointer was moved with the left button.
    case drag(Position)
  }

  /// Separates the reports from other bytes, in order; of several reports in a row the last one stays.
  static func pieces(of bytes: [UInt8]) -> [Piece] {
    var pieces: [Piece] = []
    var keys: [UInt8] = []
    var rest = bytes[...]
    while let byte = rest.first {
      guard byte == escape, let report = report(rest) else {
        keys.append(byte)
        rest = rest.dropFirst()
        continue
      }
      rest = rest.dropFirst(report.length)
      guard let position = report.position else { continue }
      if !keys.isEmpty { pieces.append(.keys(keys)) }
      keys = []
      if case .drag? = pieces.last { pieces.removeLast() }
      pieces.append(.drag(position))
    }
    if !keys.isEmpty { pieces.append(.keys(keys)) }
    return pieces
  }

  private static let escape: UInt8 = 0x1B
  /// In the number of a button: the pointer has moved, and it is the wheel.
  private static let (motion, wheel) = (32, 64)
  /// More digits than a screen has columns.
  private static let digitLimit = 6

  /// The report at the start of some bytes, and its length; nil for anything else.
  ///
  /// The position is nil for another button.
  private static func report(_ bytes: ArraySlice<UInt8>) -> (position: Position?, length: Int)? {
    let start = bytes.dropFirst().prefix(2)
    if start.elementsEqual("[M".utf8) {
      let values = bytes.dropFirst(3).prefix(3).map { Int($0) - 32 }
      guard values.count == 3, isMotion(values[0]) else { return nil }
      return (position(values), 6)
    }
    guard start.elementsEqual("[<".utf8) else { return nil }
    var values: [Int] = []
    var rest = bytes.dropFirst(3)
    for end in [";", ";", "M"] {
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      guard !digits.isEmpty, digits.count <= digitLimit else { return nil }
      rest = rest.dropFirst(digits.count)
      guard rest.first == end.utf8.first else { return nil }
      rest = rest.dropFirst()
      values.append(digits.reduce(0) { $0 * 10 + Int($1 - 0x30) })
    }
    guard isMotion(values[0]) else { return nil }
    return (position(values), bytes.count - rest.count)
  }

  private static func isMotion(_ button: Int) -> Bool {
    button >= 0 && button & motion != 0 && button & wheel == 0
  }

  /// The cell of a report; nil if another button than the left one is held down, or none.
  private static func position(_ values: [Int]) -> Position? {
    guard values[0] & 3 == 0 else { return nil }
    return Position(column: max(0, values[1] - 1), row: max(0, values[2] - 1))
  }
}
