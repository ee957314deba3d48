import CNcurses
import Glibc
import TerminalInput

/// What was typed for the program that has the terminal next, between answers of the terminal.
///
/// All of it is given back, or nothing: the rest of a command line is another command.
nonisolated struct TypedAhead {
  private var bytes: [UInt8] = []
  /// Whether something was typed that cannot be given back as it was.
  private var isTorn = false
  /// More than anybody types within half a second.
  private static let byteLimit = 1_024

  /// Whether nothing was typed.
  var isEmpty: Bool { bytes.isEmpty && !isTorn }

  /// Takes keys that are text or edit it; of others nothing is known that every program understands.
  mutating func take(_ events: [InputEvent]) {
    for event in events {
      switch event {
      case .key(let key): take(Self.bytes(of: key))
      case .paste: isTorn = true
      case .pointer, .focus, .answer: break
      }
    }
  }

  private mutating func take(_ typed: [UInt8]?) {
    guard let typed, bytes.count + typed.count <= Self.byteLimit else {
      isTorn = true
      return
    }
    bytes += typed
  }

  private static func bytes(of key: KeyStroke) -> [UInt8]? {
    guard key.modifiers.isEmpty else { return nil }
    return switch key.code {
    case .character(let scalar): Array(String(Character(scalar)).utf8)
    case .enter: [0x0D]
    case .tab: [0x09]
    case .backspace: [0x7F]
    default: nil
    }
  }

  /// Gives it back to the terminal as if it were typed now, where the system allows that (TIOCSTI); where not, what
  /// waits in the terminal goes too.
  mutating func giveBack(to terminal: Int32) {
    giveBack(
      typing: { cn_type(terminal, $0) == 0 },
      discarding: { _ = tcflush(terminal, TCIFLUSH) }
    )
  }

  /// The same with what types a byte, false if it cannot, and what discards everything that waits.
  mutating func giveBack(typing type: (UInt8) -> Bool, discarding discard: () -> Void) {
    guard !isEmpty else { return }
    if isTorn || !bytes.allSatisfy(type) { discard() }
    (bytes, isTorn) = ([], false)
  }
}
