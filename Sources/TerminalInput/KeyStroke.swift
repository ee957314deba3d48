/// A key with its modifiers, as a terminal tells of it.
package struct KeyStroke: Hashable, Sendable {
  package enum Code: Hashable, Sendable {
    /// A character; with Shift, the one that is typed with it.
    case character(Unicode.Scalar)
    case up
    case down
    case left
    case right
    case home
    case end
    case pageUp
    case pageDown
    case insert
    case delete
    case tab
    case enter
    case escape
    case backspace
    /// F1 is 1.
    case function(Int)
  }

  /// The keys that are held down, with the bits of xterm (Ctlseqs, PC-Style Function Keys) and of the keyboard
  /// protocol of kitty.
  package struct Modifiers: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    package static let shift = Self(rawValue: 1)
    package static let alt = Self(rawValue: 2)
    package static let control = Self(rawValue: 4)
    /// Super, Hyper and Meta, which no key of the program has.
    package static let others = Self(rawValue: 8 | 16 | 32)
    package static let capsLock = Self(rawValue: 64)
    /// Caps Lock and Num Lock, which change only what is typed.
    static let locks = Self(rawValue: 64 | 128)
  }

  package var code: Code
  package var modifiers: Modifiers

  package init(_ code: Code, _ modifiers: Modifiers = []) {
    (self.code, self.modifiers) = (code, modifiers)
  }

  /// The key of a control character (C0, or DEL).
  init(control byte: UInt8) {
    switch byte {
    case 0x09: self.init(.tab)
    case 0x0A, 0x0D: self.init(.enter)
    case 0x1B: self.init(.escape)
    case 0x08, 0x7F: self.init(.backspace)
    // Ctrl-Space and Ctrl-@.
    case 0: self.init(.character(" "), .control)
    case 1...26: self.init(.character(Unicode.Scalar(byte + 0x60)), .control)
    default: self.init(.character(Unicode.Scalar(byte + 0x40)), .control)
    }
  }

  /// The same key with more modifiers.
  func with(_ more: Modifiers) -> KeyStroke {
    KeyStroke(code, modifiers.union(more))
  }
}
