import TerminalInput

nonisolated extension Key {
  /// The key that a terminal has told of; nil for one that is not used.
  init?(_ stroke: KeyStroke) {
    let modifiers = stroke.modifiers
    guard modifiers.isDisjoint(with: .others) else { return nil }
    let isPlain = modifiers.isSubset(of: .shift)
    switch stroke.code {
    case .character(let scalar): self.init(scalar, modifiers)
    case .up where isPlain: self = modifiers.isEmpty ? .up : .shiftUp
    case .down where isPlain: self = modifiers.isEmpty ? .down : .shiftDown
    case .left: self = isPlain ? .left : .wordLeft
    case .right: self = isPlain ? .right : .wordRight
    case .home: self = .home
    case .end: self = .end
    case .pageUp: self = .pageUp
    case .pageDown: self = .pageDown
    case .insert where isPlain: self = .insert
    // With Ctrl or Alt, they delete words.
    case .delete: self = isPlain ? .delete : .alt("d")
    case .tab where isPlain: self = modifiers.isEmpty ? .tab : .backTab
    case .enter where isPlain: self = .enter
    case .escape where isPlain: self = .escape
    case .backspace: self = isPlain ? .backspace : .control("w")
    case .function(let number) where modifiers.isEmpty: self = .function(number)
    case .up, .down, .insert, .tab, .enter, .escape, .function: return nil
    }
  }

  private init?(_ scalar: Unicode.Scalar, _ modifiers: KeyStroke.Modifiers) {
    switch (modifiers.contains(.control), modifiers.contains(.alt)) {
    case (false, false): self = .character(scalar)
    case (false, true): self = .alt(scalar)
    case (true, true): return nil
    case (true, false):
      // With Ctrl, a key is what it is on every terminal: Ctrl-M is Enter.
      let letter = scalar.properties.lowercaseMapping
      guard let byte = letter.utf8.first, letter.utf8.count == 1,
        (0x61...0x7A).contains(byte) || byte == 0x5B
      else { return nil }
      self.init(typed: UInt32(byte & 0x1F))
    }
  }
}

nonisolated extension MouseEvent {
  /// What the terminal says of the mouse; nil for a button that is not used.
  init?(_ report: PointerReport) {
    let action: Action
    switch report.action {
    case .press: action = .press
    case .release: action = .release
    case .drag: action = .drag
    case .wheelUp: action = .wheelUp
    case .wheelDown: action = .wheelDown
    case .other: return nil
    }
    self.init(action: action, column: report.column, row: report.row)
  }
}
