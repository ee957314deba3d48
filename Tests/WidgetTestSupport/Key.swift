/// A key as terminals of xterm's family send it while a full-screen program runs.
package enum Key: Sendable {
  case enter
  case tab
  case backTab
  case escape
  case up
  case down
  case shiftUp
  case shiftDown
  case controlC
  case controlZ

  package var bytes: [UInt8] {
    switch self {
    case .enter: [0x0d]
    case .tab: [0x09]
    case .backTab: Array("\u{1b}[Z".utf8)
    case .escape: [0x1b]
    case .up: Array("\u{1b}OA".utf8)
    case .down: Array("\u{1b}OB".utf8)
    case .shiftUp: Array("\u{1b}[1;2A".utf8)
    case .shiftDown: Array("\u{1b}[1;2B".utf8)
    case .controlC: [0x03]
    case .controlZ: [0x1a]
    }
  }
}

/// A button of the mouse, with its number in the protocol.
package enum MouseButton: Int32, Sendable {
  case left = 1
  case wheelUp = 4
  case wheelDown = 5
}
