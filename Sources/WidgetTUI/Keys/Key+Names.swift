import WidgetKitCore

nonisolated extension Key {
  private static let named: [(name: String, shown: SafeText, key: Key)] = [
    ("up", "Up", .up), ("down", "Down", .down), ("left", "Left", .left), ("right", "Right", .right),
    ("tab", "Tab", .tab), ("shift-tab", "Shift-Tab", .backTab), ("enter", "Enter", .enter),
    ("space", "Space", .character(" ")), ("pageup", "PgUp", .pageUp),
    ("pagedown", "PgDn", .pageDown), ("home", "Home", .home), ("end", "End", .end),
    ("backspace", "Backspace", .backspace), ("insert", "Insert", .insert),
    ("delete", "Delete", .delete), ("", "Esc", .escape),
    ("", "Shift-Up", .shiftUp), ("", "Shift-Down", .shiftDown),
  ]

  /// The key of a name that `KeyName` allows.
  init?(name: String) {
    if let named = Self.named.first(where: { $0.name == name && !name.isEmpty }) {
      self = named.key
    } else if name.hasPrefix("ctrl-"), let letter = name.last, name.utf8.count == 6 {
      self = .control(letter)
    } else if name.hasPrefix("alt-"), let scalar = name.unicodeScalars.last {
      self = .alt(scalar)
    } else if name.hasPrefix("f"), let number = Int(name.dropFirst()) {
      self = .function(number)
    } else if let scalar = name.unicodeScalars.first, name.unicodeScalars.count == 1 {
      self = .character(scalar)
    } else {
      return nil
    }
  }

  /// The name in the list of keys and in the footer: `Ctrl-R`, `PgUp`, `r`.
  var name: SafeText {
    if let named = Self.named.first(where: { $0.key == self }) { return named.shown }
    switch self {
    case .character(let scalar): return SafeText(String(Character(scalar)))
    case .control(let letter): return SafeText("Ctrl-\(letter.uppercased())")
    case .alt(let scalar): return SafeText("Alt-\(Character(scalar))")
    case .function(let number): return SafeText("F\(number)")
    case .up, .down, .shiftUp, .shiftDown, .left, .right, .wordLeft, .wordRight, .tab, .backTab,
      .enter, .escape,
      .backspace, .insert, .delete, .pageUp, .pageDown, .home, .end, .mouse, .paste:
      return ""
    }
  }
}
