import CNcurses

/// What the description of the terminal (terminfo) says, as bytes that can be sent.
enum TerminalCapability {
  /// The text of a capability, without padding such as `$<5>`; nil if there is none.
  static func bytes(_ name: String) -> [UInt8]? {
    unsafe cn_capability(name).map { unsafe withoutPadding(String(cString: $0)) }
  }

  /// What sets the margins to the whole screen, as the opened screen sends it; nil if nothing does.
  static func wholeMargins() -> [UInt8]? {
    unsafe cn_whole_margins().map { unsafe withoutPadding(String(cString: $0)) }
  }

  /// What erases the alternate screen before it is left; nothing where there is none.
  ///
  /// A multiplexer that was resized may copy rows of it to the screen of the shell (tmux 3.3).
  static func erasingOtherScreen() -> [UInt8] {
    guard bytes("rmcup") != nil, let clear = bytes("clear") else { return [] }
    return (bytes("sgr0") ?? []) + clear
  }

  private static func withoutPadding(_ text: String) -> [UInt8] {
    var result: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "$"), rest.first == UInt8(ascii: "<"),
        let end = rest.firstIndex(of: UInt8(ascii: ">"))
      {
        rest = rest[(end + 1)...]
      } else {
        result.append(byte)
      }
    }
    return result
  }
}
