/// What a terminal has sent: a key, or something else that is not a key.
package enum InputEvent: Hashable, Sendable {
  case key(KeyStroke)
  case pointer(PointerReport)
  /// A part of a pasted text, with whole characters.
  case paste(String)
  /// The terminal has got or lost the focus (mode 1004).
  case focus(Bool)
  /// Any other sequence: an answer to a question, or something unknown.
  case answer(TerminalSequence)
}

/// What the terminal says of the mouse.
package struct PointerReport: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    /// The left button was pressed.
    case press
    /// The left button, or in the old formats any, was released.
    case release
    /// The pointer was moved with the left button held down.
    case drag
    case wheelUp
    case wheelDown
    /// Another button, or the pointer without any.
    case other
  }

  package var action: Action
  /// The column, from the left, and the row, from the top.
  package var column: Int
  package var row: Int

  init(_ action: Action, column: Int, row: Int) {
    (self.action, self.column, self.row) = (action, column, row)
  }

  /// Reads the number of a button with its flags (xterm, Mouse Tracking) and a cell counted from 1.
  init(button: Int, column: Int, row: Int, isRelease: Bool, hasButtonOfRelease: Bool) {
    let (motion, wheel, further) = (32, 64, 128)
    let number = button & 3
    self.column = max(0, column - 1)
    self.row = max(0, row - 1)
    action =
      if button < 0 || button & further != 0 || column < 1 || row < 1 {
        .other
      } else if button & wheel != 0 {
        isRelease || number > 1 ? .other : number == 0 ? .wheelUp : .wheelDown
      } else if button & motion != 0 {
        number == 0 ? .drag : .other
      } else if hasButtonOfRelease {
        number != 0 ? .other : isRelease ? .release : .press
      } else {
        number == 0 ? .press : number == 3 ? .release : .other
      }
  }
}

/// A sequence that is neither a key nor the mouse.
package enum TerminalSequence: Hashable, Sendable {
  case control(ControlSequence)
  case text(TextSequence)
}

/// A control sequence: `ESC [`, parameters, a final byte (ECMA-48, 5.4).
package struct ControlSequence: Hashable, Sendable {
  /// The mark of a private sequence: `<`, `=`, `>` or `?`.
  package var marker: UInt8?
  /// The parameters, each with its parts; an empty one is nil.
  package var parameters: [[Int?]]
  package var intermediates: [UInt8]
  package var final: UInt8

  /// Numbers are read up to this one.
  private static let largest = 9_999_999
  /// More parameters than any terminal sends.
  private static let parameterLimit = 64

  /// Reads the bytes between `ESC [` and the final byte.
  init(parameters bytes: ArraySlice<UInt8>, intermediates: ArraySlice<UInt8>, final: UInt8) {
    var rest = bytes
    if let first = rest.first, (0x3C...0x3F).contains(first) {
      marker = first
      rest = rest.dropFirst()
    }
    parameters =
      rest.isEmpty
      ? []
      : rest.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        .prefix(Self.parameterLimit)
        .map { part in
          part.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            .prefix(Self.parameterLimit)
            .map(Self.number)
        }
    self.intermediates = Array(intermediates)
    self.final = final
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard !digits.isEmpty else { return nil }
    var value = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      value = min(largest, value * 10 + Int(digit - 0x30))
    }
    return value
  }

  /// The first part of a parameter.
  package func number(_ index: Int) -> Int? {
    parameters.indices.contains(index) ? parameters[index].first ?? nil : nil
  }

  /// The first parts of all parameters.
  package var numbers: [Int?] { parameters.map { $0.first ?? nil } }
}

/// A sequence with a text, up to `ESC \` (ECMA-48, 5.6).
package struct TextSequence: Hashable, Sendable {
  package enum Kind: UInt8, Hashable, Sendable {
    /// `ESC ]`, an operating system command.
    case osc = 0x5D
    /// `ESC P`, a device control string.
    case dcs = 0x50
    /// `ESC _`, an application program command.
    case apc = 0x5F
    /// `ESC ^`, a privacy message.
    case pm = 0x5E
    /// `ESC X`, the start of a string.
    case sos = 0x58
  }

  package var kind: Kind
  package var bytes: [UInt8]

  /// The text, with U+FFFD for what is no UTF-8.
  package var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension TextSequence.Kind {
  /// Whether an answer of a terminal can begin so; otherwise the key was Alt with the character.
  func canBegin(with byte: UInt8) -> Bool {
    switch self {
    // A number, or the title after `l` or `L` (xterm, CSI 20 t and CSI 21 t).
    case .osc: (0x30...0x39).contains(byte) || byte == 0x6C || byte == 0x4C
    // Parameters, or the mark of a private answer.
    case .dcs: (0x30...0x3F).contains(byte) || "!$+|".utf8.contains(byte)
    case .apc, .pm, .sos: byte >= 0x20 && byte != 0x7F
    }
  }
}
