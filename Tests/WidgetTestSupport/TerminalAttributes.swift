internal import Glibc

/// A terminal's settings (termios) as a value that can be compared and printed.
package struct TerminalAttributes: Equatable, Sendable, CustomStringConvertible {
  package var input: UInt32
  package var output: UInt32
  package var control: UInt32
  package var local: UInt32
  package var characters: [UInt8]

  /// All zero when the descriptor is not a terminal.
  init(terminal: Int32) {
    var attributes = termios()
    _ = unsafe tcgetattr(terminal, &attributes)
    input = attributes.c_iflag
    output = attributes.c_oflag
    control = attributes.c_cflag
    local = attributes.c_lflag
    characters = unsafe withUnsafeBytes(of: attributes.c_cc) { unsafe Array($0) }
  }

  /// Whether typed characters are shown, as they are while a shell waits for a command.
  package var echoes: Bool { local & UInt32(ECHO) != 0 }

  /// Whether input comes line by line.
  package var readsLines: Bool { local & UInt32(ICANON) != 0 }

  package var description: String {
    let flags = [input, output, control, local].map { String($0, radix: 16) }
    let codes = characters.map { String($0, radix: 16) }
    return "\(flags.joined(separator: ":")) [\(codes.joined(separator: " "))]"
  }
}
