/// A key as terminals of xterm's family send it while a full-screen program runs.
package enum Key: Sendable {
  case enter
  case tab
  case backTab
  case escape
  case up
  case down
  case controlC
  case controlZ
  /// A click of the left button, in cells from 0, as SGR mouse reports (mode 1006).
  case click(column: Int, row: Int)
  case wheelUp(column: Int, row: Int)
  case wheelDown(column: Int, row: Int)

  package var bytes: [UInt8] {
    switch self {
    case .enter: [0x0d]
    case .tab: [0x09]
    case .backTab: Array("\u{1b}[Z".utf8)
    case .escape: [0x1b]
    case .up: Array("\u{1b}OA".utf8)
    case .down: Array("\u{1b}OB".utf8)
    case .controlC: [0x03]
    case .controlZ: [0x1a]
    case .click(let column, let row):
      Self.report(0, column, row, "M") + Self.report(0, column, row, "m")
    case .wheelUp(let column, let row): Self.report(64, column, row, "M")
    case .wheelDown(let column, let row): Self.report(65, column, row, "M")
    }
  }

  private static func report(_ button: Int, _ column: Int, _ row: Int, _ end: String) -> [UInt8] {
    Array("\u{1b}[<\(button);\(column + 1);\(row + 1)\(end)".utf8)
  }
}
