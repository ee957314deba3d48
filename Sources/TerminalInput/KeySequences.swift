/// The keys and the mouse in control sequences, of every terminal that is known.
///
/// Sources: xterm (Ctlseqs), the console of Linux (console_codes(4)), rxvt (rxvtRef), PuTTY and Konsole as they are,
/// the keyboard protocol of kitty, and terminfo's entries of screen, tmux, st and sun.
enum KeySequences {
  /// What a control sequence is.
  static func event(
    of sequence: ControlSequence,
    expectsPosition: Bool = false
  ) -> InputEvent? {
    let unknown = InputEvent.answer(.control(sequence))
    if sequence.marker == UInt8(ascii: "<"), let report = pointer(sequence) {
      return .pointer(report)
    }
    guard sequence.marker == nil else { return unknown }
    if let end = rxvtModifiers(sequence) {
      return tilde(sequence.number(0)).map { .key(KeyStroke($0, end)) } ?? unknown
    }
    guard sequence.intermediates.isEmpty else { return unknown }
    switch sequence.final {
    case UInt8(ascii: "~"):
      if sequence.number(0) == 27, let code = sequence.number(2) {
        return typed(code, shifted: nil, sequence)
      }
      return key(tilde(sequence.number(0)), sequence) ?? unknown
    case UInt8(ascii: "u"):
      guard let code = sequence.number(0) else { return unknown }
      let parts = sequence.parameters[0]
      return typed(code, shifted: parts.count > 1 ? parts[1] : nil, sequence)
    case UInt8(ascii: "I") where sequence.parameters.isEmpty: return .focus(true)
    case UInt8(ascii: "O") where sequence.parameters.isEmpty: return .focus(false)
    case UInt8(ascii: "M"): return pointer(sequence).map { .pointer($0) } ?? unknown
    case UInt8(ascii: "z"): return sun(sequence.number(0)).map { .key(KeyStroke($0)) } ?? unknown
    case UInt8(ascii: "h"): return sequence.numbers == [4] ? .key(KeyStroke(.insert)) : unknown
    case UInt8(ascii: "a")...UInt8(ascii: "d") where sequence.parameters.isEmpty:
      // rxvt, with Shift.
      return arrow(sequence.final - 0x20).map { .key(KeyStroke($0, .shift)) } ?? unknown
    // The position of the cursor ends so, too.
    case UInt8(ascii: "R")
    where expectsPosition || sequence.number(0) != 1 || sequence.parameters.count != 2:
      return unknown
    default: return key(letter(sequence.final), sequence) ?? unknown
    }
  }

  /// What follows `ESC O`: the parameters, which older terminals have there, and the last byte.
  static func event(ofSS3 final: UInt8, parameters: ArraySlice<UInt8>) -> InputEvent? {
    let sequence = ControlSequence(parameters: parameters, intermediates: [], final: final)
    switch final {
    case UInt8(ascii: "a")...UInt8(ascii: "d"):
      return arrow(final - 0x20).map { .key(KeyStroke($0, .control)) }
    case UInt8(ascii: "M"): return key(.enter, sequence)
    case UInt8(ascii: "I"): return key(.tab, sequence)
    case UInt8(ascii: "X"): return key(.character("="), sequence)
    case UInt8(ascii: " "): return key(.character(" "), sequence)
    // The keypad: * + , - . / and digits.
    case UInt8(ascii: "j")...UInt8(ascii: "y"):
      return key(.character(Unicode.Scalar(final - 0x40)), sequence)
    case UInt8(ascii: "P")...UInt8(ascii: "["):
      return key(.function(Int(final) - 0x4F), sequence)
    default: return key(arrow(final), sequence)
    }
  }

  // MARK: - The keys

  private static func arrow(_ letter: UInt8) -> KeyStroke.Code? {
    switch letter {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "H"): .home
    default: nil
    }
  }

  private static func letter(_ letter: UInt8) -> KeyStroke.Code? {
    switch letter {
    case UInt8(ascii: "P")...UInt8(ascii: "S"): .function(Int(letter) - 0x4F)
    case UInt8(ascii: "Z"): .tab
    // The console of SCO, and terminals of the Hurd.
    case UInt8(ascii: "G"), UInt8(ascii: "U"): .pageDown
    case UInt8(ascii: "V"): .pageUp
    case UInt8(ascii: "Y"): .end
    case UInt8(ascii: "L"): .insert
    default: arrow(letter)
    }
  }

  private static func tilde(_ number: Int?) -> KeyStroke.Code? {
    switch number {
    case 1?, 7?: .home
    case 2?: .insert
    case 3?: .delete
    case 4?, 8?: .end
    case 5?: .pageUp
    case 6?: .pageDown
    // DEC's numbers of function keys have gaps.
    case let number? where (11...15).contains(number): .function(number - 10)
    case let number? where (17...21).contains(number): .function(number - 11)
    case let number? where (23...26).contains(number): .function(number - 12)
    case let number? where (28...29).contains(number): .function(number - 13)
    case let number? where (31...34).contains(number): .function(number - 14)
    default: nil
    }
  }

  private static func sun(_ number: Int?) -> KeyStroke.Code? {
    switch number {
    case 214?: .home
    case 216?: .pageUp
    case 220?: .end
    case 222?: .pageDown
    case 247?: .insert
    case let number? where (224...233).contains(number): .function(number - 223)
    case let number? where (234...235).contains(number): .function(number - 223)
    default: nil
    }
  }

  /// The modifiers of the last byte of a key of rxvt; nil for another sequence.
  private static func rxvtModifiers(_ sequence: ControlSequence) -> KeyStroke.Modifiers? {
    guard sequence.parameters.count == 1 else { return nil }
    switch (sequence.final, sequence.intermediates) {
    case (UInt8(ascii: "$"), []): return .shift
    case (UInt8(ascii: "^"), []): return .control
    case (UInt8(ascii: "@"), []): return [.shift, .control]
    default: return nil
    }
  }

  /// Whether `$` ends a sequence with these parameters, as in rxvt; otherwise more follows.
  static func isRxvtShift(_ parameters: ArraySlice<UInt8>) -> Bool {
    parameters.count <= 2 && tilde(Int(String(decoding: parameters, as: UTF8.self))) != nil
  }

  // MARK: - Modifiers

  /// A key with the modifiers of its sequence; nil for none, and an unknown event for a key that is released.
  private static func key(_ code: KeyStroke.Code?, _ sequence: ControlSequence) -> InputEvent? {
    guard let code else { return nil }
    let (held, isRelease) = modifiers(sequence)
    guard let modifiers = held?.subtracting(.locks), !isRelease else {
      return .answer(.control(sequence))
    }
    let isBackTab = sequence.final == UInt8(ascii: "Z")
    return .key(KeyStroke(code, isBackTab ? modifiers.union(.shift) : modifiers))
  }

  /// The modifiers in the second parameter, or in the only one before a letter; nil for none that is known.
  private static func modifiers(
    _ sequence: ControlSequence
  ) -> (KeyStroke.Modifiers?, isRelease: Bool) {
    let isTilde = [UInt8(ascii: "~"), UInt8(ascii: "u")].contains(sequence.final)
    let index = sequence.parameters.count > 1 || isTilde ? 1 : 0
    guard sequence.parameters.indices.contains(index) else { return ([], false) }
    let parts = sequence.parameters[index]
    let isRelease = parts.count > 1 && parts[1] == 3
    let number = (parts.first ?? nil) ?? 1
    guard (0...256).contains(number) else { return (nil, isRelease) }
    return (KeyStroke.Modifiers(rawValue: UInt8(max(0, number - 1))), isRelease)
  }

  /// A key by its code: of `CSI code ; modifiers u`, and of `CSI 27 ; modifiers ; code ~` (modifyOtherKeys).
  private static func typed(
    _ code: Int,
    shifted: Int?,
    _ sequence: ControlSequence
  ) -> InputEvent {
    let unknown = InputEvent.answer(.control(sequence))
    let (held, isRelease) = Self.modifiers(sequence)
    guard let held, !isRelease else { return unknown }
    var modifiers = held.subtracting(.locks)
    if let function = kitty(code) { return .key(KeyStroke(function, modifiers)) }
    guard var scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init),
      !(0xE000...0xF8FF).contains(scalar.value), !(0x80...0x9F).contains(scalar.value)
    else { return unknown }
    if code < 0x20 || code == 0x7F {
      return .key(KeyStroke(control: UInt8(code)).with(modifiers))
    }
    let isPlain = modifiers.isDisjoint(with: [.control, .alt, .others])
    if isPlain, sequence.final == UInt8(ascii: "u"), let text = sequence.number(2),
      let typed = UInt32(exactly: text).flatMap(Unicode.Scalar.init), text >= 0x20,
      !(0x7F...0x9F).contains(text)
    {
      scalar = typed
    } else if modifiers.contains(.shift), let shifted = shifted.flatMap(UInt32.init(exactly:)),
      let typed = Unicode.Scalar(shifted), shifted >= 0x20, !(0x7F...0x9F).contains(shifted)
    {
      scalar = typed
    } else if modifiers.contains(.shift) != held.contains(.capsLock) {
      let upper = scalar.properties.uppercaseMapping.unicodeScalars
      if let first = upper.first, upper.count == 1 { scalar = first }
    }
    modifiers.remove(.shift)
    return .key(KeyStroke(.character(scalar), modifiers))
  }

  /// The keys that have codes of their own in the keyboard protocol of kitty.
  private static func kitty(_ code: Int) -> KeyStroke.Code? {
    switch code {
    case 57376...57398: .function(code - 57363)
    case 57399...57408: .character(Unicode.Scalar(UInt8(code - 57399 + 0x30)))
    case 57409: .character(".")
    case 57410: .character("/")
    case 57411: .character("*")
    case 57412: .character("-")
    case 57413: .character("+")
    case 57414: .enter
    case 57415: .character("=")
    case 57416: .character(",")
    case 57417: .left
    case 57418: .right
    case 57419: .up
    case 57420: .down
    case 57421: .pageUp
    case 57422: .pageDown
    case 57423: .home
    case 57424: .end
    case 57425: .insert
    case 57426: .delete
    default: nil
    }
  }

  // MARK: - The mouse

  /// `CSI < b ; x ; y M` of mode 1006, and `CSI b ; x ; y M` of mode 1015 (urxvt).
  private static func pointer(_ sequence: ControlSequence) -> PointerReport? {
    let isRelease = sequence.final == UInt8(ascii: "m")
    guard isRelease || sequence.final == UInt8(ascii: "M"), sequence.intermediates.isEmpty,
      sequence.parameters.count == 3, let button = sequence.number(0),
      let column = sequence.number(1), let row = sequence.number(2)
    else { return nil }
    let isSGR = sequence.marker != nil
    guard isSGR || !isRelease else { return nil }
    return PointerReport(
      button: isSGR ? button : button - 32,
      column: column,
      row: row,
      isRelease: isRelease,
      hasButtonOfRelease: isSGR
    )
  }

  /// The three bytes after `CSI M` (X10); 0 means a place beyond the last that can be told.
  static func pointer(_ bytes: ArraySlice<UInt8>) -> PointerReport {
    let values = bytes.map { Int($0) - 32 }
    return PointerReport(
      button: values[0],
      column: values[1],
      row: values[2],
      isRelease: false,
      hasButtonOfRelease: false
    )
  }
}
