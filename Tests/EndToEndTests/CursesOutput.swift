import WidgetTestSupport

/// The sequences that ncurses and the program itself write to a terminal of xterm's family.
enum CursesOutput {
  /// Everything in the output that neither ncurses nor the program would have written by itself.
  static func strangers(in bytes: [UInt8]) -> Set<TerminalOutput> {
    Set(TerminalOutput.parse(bytes).filter { !isOwn($0) })
  }

  /// What printed output may contain: lines and colours.
  static func strangers(inPicture bytes: [UInt8]) -> Set<TerminalOutput> {
    Set(
      TerminalOutput.parse(bytes).filter { part in
        switch part {
        case .character(let scalar): isUnseen(scalar)
        case .control(let code): code != 0x0a
        case .csi(let parameters, "m"): !isStyle(parameters)
        default: true
        }
      }
    )
  }

  private static func isOwn(_ part: TerminalOutput) -> Bool {
    switch part {
    case .character(let scalar): !isUnseen(scalar)
    case .control(let code): [0x08, 0x09, 0x0a, 0x0d].contains(code)
    case .escape(let text): ["(B", "(0", ")0", "7", "8", "=", ">", "M"].contains(text)
    case .csi(let parameters, "m"): isStyle(parameters)
    case .csi(let parameters, "h"), .csi(let parameters, "l"): isMode(parameters)
    // The question for the background.
    case .string("]", "11;?"): true
    // The questions for the name of the terminal and for the notifications that it shows.
    case .csi(">", "q"), .string("]", "99;i=today:p=?;"): true
    // The question whether it shows frames as a whole.
    case .csi("?2026$", "p"): true
    // The questions for graphics and for the size of a cell; the last one is answered by every terminal.
    case .string("_", "Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA"), .csi("", "c"): true
    case .csi(let parameters, "t"): ["16", "22;0;0", "23;0;0"].contains(parameters)
    case .csi(let parameters, let final):
      "ABCDGHJKLMPXZ@dfr".contains(final)
        && parameters.allSatisfy { $0.isNumber || $0 == ";" }
    default: false
    }
  }

  /// SGR without blinking, which no theme uses.
  private static func isStyle(_ parameters: String) -> Bool {
    let codes = parameters.split(whereSeparator: { $0 == ";" || $0 == ":" })
    let isColor = codes.first == "38" || codes.first == "48"
    return codes.allSatisfy { $0.allSatisfy(\.isNumber) }
      && (isColor || !codes.contains { $0 == "5" || $0 == "6" })
  }

  private static func isMode(_ parameters: String) -> Bool {
    let own = [
      "?1", "?7", "?12", "?25", "?12;25", "?1000", "?1002", "?1006", "?1006;1000", "?1049", "?2004",
      "?1004", "?2026", "?2031", "4",
    ]
    return own.contains(parameters)
  }

  /// Invisible characters that change the order or the position of others.
  private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xad, 0x200e...0x200f, 0x2028...0x202e, 0x2066...0x2069, 0xfeff, 0xe0000...0xe007f: true
    default: false
    }
  }
}
