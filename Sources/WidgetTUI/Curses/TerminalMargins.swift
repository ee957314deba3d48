/// The margins between which the terminal scrolls (DECSTBM).
///
/// ncurses sets them to the size that it knows when it opens the screen, and to a part of it while it moves
/// rows; neither its end nor the end of the alternate screen takes them back: in a terminal that has grown
/// since, no shell would scroll below. They are reset when the terminal is left.
struct TerminalMargins {
  /// What is sent when the terminal is left, before the cursor is placed, as it moves the cursor to the top;
  /// empty for a terminal without margins.
  let reset: [UInt8]
  /// What the opened screen sends in vain.
  private var unwanted: [[UInt8]]

  /// Reads the description of the terminal when the screen has been opened, and before the first refresh.
  init() {
    let margins = TerminalCapability.wholeMargins()
    let isStandard = margins.map { $0.starts(with: [0x1B, 0x5B]) && $0.last == UInt8(ascii: "r") }
    reset = isStandard == true ? Array("\u{1B}[r".utf8) : []
    unwanted = [margins, TerminalCapability.bytes("enacs")].compactMap(\.self)
      .filter { !$0.isEmpty }
  }

  /// Takes the margins, and the choice of a second character set, out of the first output of ncurses.
  mutating func spare(_ bytes: [UInt8]) -> [UInt8] {
    guard !unwanted.isEmpty, !bytes.isEmpty else { return bytes }
    var bytes = bytes
    for part in unwanted {
      if let range = bytes.firstRange(of: part) { bytes.removeSubrange(range) }
    }
    unwanted = []
    return bytes
  }
}
