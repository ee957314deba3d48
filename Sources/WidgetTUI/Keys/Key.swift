import WidgetKitCore

/// A key or a mouse event.
nonisolated enum Key: Hashable, Sendable {
  /// A character, as typed.
  case character(Unicode.Scalar)
  /// A letter together with Ctrl, in lower case.
  case control(Character)
  /// A character together with Alt.
  case alt(Unicode.Scalar)
  /// A function key, from 1.
  case function(Int)
  case up
  case down
  /// An arrow with Shift.
  case shiftUp
  /// An arrow with Shift.
  case shiftDown
  case left
  case right
  case tab
  case backTab
  case enter
  case escape
  case backspace
  case insert
  case delete
  /// Left and right with Ctrl or Alt.
  case wordLeft
  case wordRight
  case pageUp
  case pageDown
  case home
  case end
  case mouse(MouseEvent)
  /// A text that was pasted, or a part of it.
  case paste(String)
}

/// A mouse event and its position on the screen.
nonisolated struct MouseEvent: Hashable, Sendable {
  enum Action: Hashable, Sendable {
    case press
    case release
    /// The pointer has moved while the button was held down.
    case drag
    case wheelUp
    case wheelDown
  }

  var action: Action
  /// The column, from the left.
  var column: Int
  /// The row, from the top.
  var row: Int

  /// The cell.
  var position: Position { Position(column: column, row: row) }
}

nonisolated extension Key {
  /// Whether it is what follows a press: the pointer that is moved, or the end of the press.
  var followsPress: Bool {
    guard case .mouse(let event) = self else { return false }
    return event.action == .drag || event.action == .release
  }

  /// Whether it is a mouse event.
  var isMouse: Bool { if case .mouse = self { true } else { false } }

  /// Whether it is a letter with Ctrl.
  var isControl: Bool { if case .control = self { true } else { false } }

  /// The key for a character; nil for one that is not used.
  init?(typed code: UInt32) {
    switch code {
    case 9: self = .tab
    case 10, 13: self = .enter
    case 27: self = .escape
    case 8, 127: self = .backspace
    case 1...26: self = .control(Character(Unicode.Scalar(UInt8(code) + 0x60)))
    default:
      guard code >= 0x20, code != 0x7F, let scalar = Unicode.Scalar(code) else { return nil }
      self = .character(scalar)
    }
  }
}
