/// One item of output to a terminal.
///
/// The parser knows the grammar of ECMA-48, not the meaning of sequences: a test lists what
/// may occur, so that anything else is detected.
package enum TerminalOutput: Hashable, Sendable {
  case character(Unicode.Scalar)
  /// A C0 control, DEL, or a C1 control written as a character of two bytes.
  case control(UInt32)
  /// ESC and what belongs to it: `"(B"`, `"7"`.
  case escape(String)
  /// CSI: its parameters and intermediates (`"?1049"`) and its last character (`"h"`).
  case csi(parameters: String, final: Character)
  /// A control string (OSC, DCS, APC, PM, SOS): its introducer and its text.
  case string(introducer: Character, text: String)
  /// A sequence that the output ends in the middle of.
  case unfinished(String)

  /// Cuts output into what it says, in order.
  package static func parse(_ bytes: some Collection<UInt8>) -> [TerminalOutput] {
    var left = String(decoding: Array(bytes), as: UTF8.self).unicodeScalars[...]
    var result: [TerminalOutput] = []
    while let scalar = left.popFirst() {
      switch scalar.value {
      case 0x1b: result.append(sequence(&left))
      case 0..<0x20, 0x7f..<0xa0: result.append(.control(scalar.value))
      default: result.append(.character(scalar))
      }
    }
    return result
  }

  private static func sequence(_ left: inout Substring.UnicodeScalarView) -> TerminalOutput {
    guard let first = left.popFirst() else { return .unfinished("ESC") }
    switch first {
    case "[": return csi(&left)
    case "]", "P", "_", "^", "X": return string(Character(first), &left)
    default: break
    }
    var text = String(first)
    var last = first
    while (0x20..<0x30).contains(last.value) {
      guard let next = left.popFirst() else { return .unfinished(text) }
      text.unicodeScalars.append(next)
      last = next
    }
    return .escape(text)
  }

  private static func csi(_ left: inout Substring.UnicodeScalarView) -> TerminalOutput {
    var parameters = ""
    while let scalar = left.popFirst() {
      // CAN and SUB end a sequence without effect.
      if scalar.value == 0x18 || scalar.value == 0x1a { return .unfinished(parameters) }
      if (0x40..<0x7f).contains(scalar.value) {
        return .csi(parameters: parameters, final: Character(scalar))
      }
      parameters.unicodeScalars.append(scalar)
    }
    return .unfinished(parameters)
  }

  private static func string(
    _ introducer: Character,
    _ left: inout Substring.UnicodeScalarView
  ) -> TerminalOutput {
    var text = ""
    while let scalar = left.popFirst() {
      if scalar.value == 0x18 || scalar.value == 0x1a { return .unfinished(text) }
      if scalar == "\u{07}" { return .string(introducer: introducer, text: text) }
      if scalar == "\u{1b}", left.first == "\\" {
        left.removeFirst()
        return .string(introducer: introducer, text: text)
      }
      text.unicodeScalars.append(scalar)
    }
    return .unfinished(text)
  }
}
