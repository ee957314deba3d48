import CNcurses
import TerminalInput

extension InputEncoding {
  /// The characters of the locale where it has one byte for each, and ASCII for any other.
  static var locale: InputEncoding { .bytes((0x80...0xFF).map { cn_character($0) }) }
}
