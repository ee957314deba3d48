import CNcurses
import Glibc
import TerminalInput

/// What was typed for the program that has the terminal next, between answers of the terminal.
nonisolated struct TypedAhead {
  private var bytes: [UInt8] = []
  /// More than anybody types within half a second.
  private static let byteLimit = 1_024

  /// Takes keys that are text or edit it; of others nothing is known that every program understands.
  mutating func take(_ events: [InputEvent]) {
    for event in events {
      guard case .key(let key) = event, key.modifiers.isEmpty else { continue }
      let typed: [UInt8] =
        switch key.code {
        case .character(let scalar): Array(String(Character(scalar)).utf8)
        case .enter: [0x0D]
        case .tab: [0x09]
        case .backspace: [0x7F]
        default: []
        }
      if bytes.count + typed.count <= Self.byteLimit { bytes += typed }
    }
  }

  /// Gives it back to the terminal as if it were typed now, where the system allows that (TIOCSTI).
  mutating func giveBack(to terminal: Int32) {
    for byte in bytes where cn_type(terminal, byte) != 0 { break }
    bytes = []
  }
}
