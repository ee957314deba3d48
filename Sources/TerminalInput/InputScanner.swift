/// Finds the first key, or the first sequence, in bytes of a terminal.
///
/// A terminal sends the same bytes for a key and for the beginning of another one, which only time tells apart.
/// Therefore the result may be that more is needed; when nothing more has come, ``giveUp(_:)`` says what the
/// bytes were.
struct InputScanner: Sendable {
  enum Result: Hashable {
    /// A whole one, of so many bytes; nil for what means nothing.
    case event(InputEvent?, length: Int)
    /// The mark before pasted text.
    case pasteStart(length: Int)
    /// All bytes are the beginning of something.
    case unfinished(Wait)
    /// A sequence that is longer than any that is used.
    case overlong(Overlong)
  }

  /// What has begun.
  enum Wait: Hashable {
    /// `ESC`, or Alt with a key.
    case escape
    /// `ESC [` and `ESC O`, which are also Alt with these characters.
    case introducer
    /// A sequence or a character.
    case sequence
  }

  enum Overlong: Hashable {
    case control
    case text
  }

  var encoding = InputEncoding.utf8
  var extras = ExtraSequences()
  /// Whether the terminal was asked for the position of the cursor, whose answer F3 with Shift has, too.
  var expectsPosition = false

  /// The longest control sequence, and the longest text of another one, that are kept.
  static let controlLimit = 1_024
  static let textLimit = 4_096

  private static let escape: UInt8 = 0x1B
  private static let bell: UInt8 = 0x07

  /// Looks at the first bytes of `bytes`, which are not empty.
  func scan(_ bytes: ArraySlice<UInt8>) -> Result {
    switch extras.match(bytes) {
    case .key(let key, let length)?: return .event(.key(key), length: length)
    case .beginning?:
      return .unfinished(
        bytes.count == 1 || bytes.first != Self.escape
          ? .escape
          : bytes.count == 2 ? .introducer : .sequence
      )
    case nil: return scanKnown(bytes)
    }
  }

  private func scanKnown(_ bytes: ArraySlice<UInt8>) -> Result {
    guard let first = bytes.first else { return .event(nil, length: 0) }
    switch first {
    case Self.escape: return scanEscape(bytes)
    case 0..<0x20, 0x7F: return .event(.key(KeyStroke(control: first)), length: 1)
    case 0x20..<0x7F:
      return .event(.key(KeyStroke(.character(Unicode.Scalar(first)))), length: 1)
    default: return scanCharacter(bytes)
    }
  }

  private func scanCharacter(_ bytes: ArraySlice<UInt8>) -> Result {
    switch encoding.scalar(in: bytes) {
    case .unfinished: .unfinished(.sequence)
    case .scalar(let scalar, let length):
      .event(scalar.map { .key(KeyStroke(.character($0))) }, length: length)
    }
  }

  /// What the beginning of something was, when nothing more has come.
  func giveUp(_ bytes: ArraySlice<UInt8>) -> (event: InputEvent?, length: Int) {
    if case .event(let event, let length) = scanKnown(bytes) { return (event, length) }
    guard bytes.first == Self.escape else { return (nil, bytes.count) }
    guard let second = bytes.dropFirst().first, second != Self.escape else {
      return (.key(KeyStroke(.escape)), 1)
    }
    if bytes.count == 2 { return (Self.alt(second), 2) }
    // A torn sequence is not a key, but an Esc at its end is one.
    return (nil, bytes.last == Self.escape ? bytes.count - 1 : bytes.count)
  }

  private static func alt(_ byte: UInt8) -> InputEvent? {
    (0x20..<0x7F).contains(byte)
      ? .key(KeyStroke(.character(Unicode.Scalar(byte)), .alt)) : nil
  }

  // MARK: - Sequences

  private func scanEscape(_ bytes: ArraySlice<UInt8>) -> Result {
    guard let second = bytes.dropFirst().first else { return .unfinished(.escape) }
    switch second {
    case UInt8(ascii: "["): return scanControl(bytes)
    case UInt8(ascii: "O"): return scanSS3(bytes)
    case Self.escape: return scanAltSequence(bytes)
    // The way out is never Alt with something.
    case 0x03: return .event(.key(KeyStroke(.escape)), length: 1)
    case 0..<0x20, 0x7F:
      return .event(.key(KeyStroke(control: second).with(.alt)), length: 2)
    default:
      if let kind = TextSequence.Kind(rawValue: second) { return scanText(bytes, kind) }
      switch scanKnown(bytes.dropFirst()) {
      case .event(.key(let key)?, let length):
        return .event(.key(key.with(.alt)), length: 1 + length)
      case .event(_, let length): return .event(nil, length: 1 + length)
      case let other: return other
      }
    }
  }

  /// `ESC` before the sequence of a key is Alt with it (rxvt, PuTTY); before anything else it is a key.
  private func scanAltSequence(_ bytes: ArraySlice<UInt8>) -> Result {
    let rest = bytes.dropFirst()
    guard let third = rest.dropFirst().first else { return .unfinished(.escape) }
    guard third == UInt8(ascii: "[") || third == UInt8(ascii: "O") else {
      return .event(.key(KeyStroke(.escape)), length: 1)
    }
    switch scan(rest) {
    case .event(.key(let key)?, let length):
      return .event(.key(key.with(.alt)), length: 1 + length)
    case .unfinished(let wait): return .unfinished(wait)
    case .event, .pasteStart, .overlong: return .event(.key(KeyStroke(.escape)), length: 1)
    }
  }

  private func scanControl(_ bytes: ArraySlice<UInt8>) -> Result {
    let rest = bytes.dropFirst(2)
    guard let first = rest.first else { return .unfinished(.introducer) }
    if first == UInt8(ascii: "M") { return scanPointer(bytes) }
    if first == UInt8(ascii: "[") { return scanConsole(bytes) }
    let parameters = rest.prefix { (0x30...0x3F).contains($0) }
    let tail = rest.dropFirst(parameters.count)
    let intermediates = tail.prefix { (0x20...0x2F).contains($0) }
    let length = 2 + parameters.count + intermediates.count
    if intermediates.first == UInt8(ascii: "$"), KeySequences.isRxvtShift(parameters) {
      return whole(parameters, [], UInt8(ascii: "$"), length: 3 + parameters.count)
    }
    guard length <= Self.controlLimit else { return .overlong(.control) }
    guard let final = tail.dropFirst(intermediates.count).first else {
      return .unfinished(.sequence)
    }
    if (0x30...0x3F).contains(final) { return malformed(bytes) }
    guard (0x40...0x7E).contains(final) else { return .event(nil, length: length) }
    return whole(parameters, intermediates, final, length: length + 1)
  }

  /// A control sequence with a parameter behind an intermediate byte, as of the place −1 of a pointer, means nothing up
  /// to its final byte (the state “CSI ignore” of DEC's terminals, vt100.net/emu/dec_ansi_parser).
  private func malformed(_ bytes: ArraySlice<UInt8>) -> Result {
    let body = bytes.dropFirst(2).prefix { (0x20...0x3F).contains($0) }
    let length = 2 + body.count
    guard length <= Self.controlLimit else { return .overlong(.control) }
    guard length < bytes.count else { return .unfinished(.sequence) }
    let final = bytes[bytes.startIndex + length]
    return .event(nil, length: (0x40...0x7E).contains(final) ? length + 1 : length)
  }

  private func whole(
    _ parameters: ArraySlice<UInt8>,
    _ intermediates: ArraySlice<UInt8>,
    _ final: UInt8,
    length: Int
  ) -> Result {
    if final == UInt8(ascii: "~") {
      if parameters.elementsEqual("200".utf8) { return .pasteStart(length: length) }
      // The end of a paste that was taken to be over.
      if parameters.elementsEqual("201".utf8) { return .event(nil, length: length) }
    }
    let sequence = ControlSequence(
      parameters: parameters,
      intermediates: intermediates,
      final: final
    )
    return .event(
      KeySequences.event(of: sequence, expectsPosition: expectsPosition),
      length: length
    )
  }

  /// `ESC [ M` and three bytes: the mouse in its oldest format.
  private func scanPointer(_ bytes: ArraySlice<UInt8>) -> Result {
    let values = bytes.dropFirst(3).prefix(3)
    if let place = values.firstIndex(where: { (1..<0x20).contains($0) }) {
      return .event(nil, length: place - bytes.startIndex)
    }
    guard values.count == 3 else { return .unfinished(.sequence) }
    return .event(.pointer(KeySequences.pointer(values)), length: 6)
  }

  /// `ESC [ [ A` to `E`: F1 to F5 of the console of Linux.
  private func scanConsole(_ bytes: ArraySlice<UInt8>) -> Result {
    guard let letter = bytes.dropFirst(3).first else { return .unfinished(.sequence) }
    guard (0x41...0x45).contains(letter) else { return .event(nil, length: 3) }
    return .event(.key(KeyStroke(.function(Int(letter) - 0x40))), length: 4)
  }

  private func scanSS3(_ bytes: ArraySlice<UInt8>) -> Result {
    let rest = bytes.dropFirst(2)
    guard !rest.isEmpty else { return .unfinished(.introducer) }
    let parameters = rest.prefix { (0x30...0x3B).contains($0) }
    let length = 2 + parameters.count
    guard parameters.count < 16 else { return .event(nil, length: length) }
    guard let final = rest.dropFirst(parameters.count).first else { return .unfinished(.sequence) }
    guard final == 0x20 || (0x40...0x7E).contains(final) else {
      return .event(parameters.isEmpty ? Self.alt(UInt8(ascii: "O")) : nil, length: length)
    }
    return .event(
      KeySequences.event(ofSS3: final, parameters: parameters),
      length: length + 1
    )
  }

  private func scanText(_ bytes: ArraySlice<UInt8>, _ kind: TextSequence.Kind) -> Result {
    let rest = bytes.dropFirst(2)
    guard let first = rest.first else { return .unfinished(.escape) }
    guard kind.canBegin(with: first) else { return .event(Self.alt(kind.rawValue), length: 2) }
    guard let end = rest.firstIndex(where: { $0 < 0x20 }) else {
      return rest.count > Self.textLimit ? .overlong(.text) : .unfinished(.sequence)
    }
    let length = end - bytes.startIndex
    guard length - 2 <= Self.textLimit else { return .overlong(.text) }
    let text = TextSequence(kind: kind, bytes: Array(rest[..<end]))
    switch rest[end] {
    case Self.bell: return .event(.answer(.text(text)), length: length + 1)
    case Self.escape:
      guard end + 1 < rest.endIndex else { return .unfinished(.sequence) }
      return rest[end + 1] == UInt8(ascii: "\\")
        ? .event(.answer(.text(text)), length: length + 2) : .event(nil, length: length)
    // Another control character is a key; what was before it is torn.
    default: return .event(nil, length: length)
    }
  }
}
