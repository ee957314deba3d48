import WidgetKitCore
import WidgetPages

/// What a key does only while the page, or a widget on it, is edited.
nonisolated enum EditCommand: CaseIterable, Sendable {
  case moveOn, moveBack
  case narrower, wider
  case remove
  case add
  case undo, redo
  case nextPage, previousPage
  case copy

  /// The keys, the usual one first.
  private var keys: [Key] {
    switch self {
    case .moveOn: [.character("J"), .shiftDown]
    case .moveBack: [.character("K"), .shiftUp]
    case .narrower: [.character("<"), .character("-")]
    case .wider: [.character(">"), .character("+")]
    case .remove: [.character("x"), .delete, .backspace]
    case .add: [.character("a")]
    case .undo: [.character("u")]
    case .redo: [.character("U"), .control("r")]
    case .nextPage: [.character("}")]
    case .previousPage: [.character("{")]
    case .copy: [.character("y")]
    }
  }

  /// The command of a key while the page is edited; nil for any other key.
  init?(_ key: Key) {
    guard let command = Self.allCases.first(where: { $0.keys.contains(key) }) else { return nil }
    self = command
  }

  /// The command of a key while a widget is edited; nil for any other key.
  init?(inWidget key: Key) {
    if key == .character("+") { self = .add } else { self.init(key) }
    guard [.moveOn, .moveBack, .remove, .add, .undo].contains(self) else { return nil }
  }

  /// What is said when a key does nothing.
  static func refusal(_ key: Key, map: KeyMap, inWidget isInWidget: Bool) -> SafeText? {
    map.uselessWords(key, isInWidget ? "while a widget is edited" : "in edit mode")
  }
}

/// The list of keys of edit mode.
nonisolated enum EditKeyList {
  /// Names of keys, and what they do.
  typealias Line = (names: SafeText, words: SafeText)

  private static let pageLines: [Line] = [
    ("J  K", "move the card down, up; also Shift-Down, Shift-Up"),
    ("<  >", "make it narrower, wider"),
    ("x  Delete", "remove it"), ("a", "add a widget"),
    ("u  U", "undo the last change, redo; also Ctrl-R"),
    ("{  }", "put the card on another page"), ("y", "copy the page for config.json"),
  ]

  private static let widgetLines: [Line] = [
    ("J  K", "move the row down, up; also Shift-Down, Shift-Up"), ("x  Delete", "remove the row"),
    ("a  +", "add a row"), ("u", "take back what the card offers to"),
  ]

  /// The keys while the page is edited, or a widget on it.
  ///
  /// - Parameters:
  ///   - map: The keys in force.
  ///   - isInWidget: Whether a widget is edited.
  ///   - isASCII: Whether there are no arrows.
  /// - Returns: The keys of the mode, and then those of the page that it has too.
  static func lines(_ map: KeyMap, inWidget isInWidget: Bool, isASCII: Bool) -> [Line] {
    let others = map.lines.compactMap { line -> Line? in
      guard map.holds(line.intent, in: isInWidget ? .widget : .edit),
        let names = map.names(of: line, isASCII: isASCII)
      else { return nil }
      switch line.intent {
      case .nextCard: return (names, isInWidget ? "next, previous row" : line.words)
      case .press: return (names, isInWidget ? line.words : "edit the contents of the widget")
      case .edit: return ("\(names)  Esc", isInWidget ? "end edit mode; Esc the widget" : "done")
      case .help: return (map.name(of: .help) ?? names, "these keys")
      default: return (names, line.words)
      }
    }
    return (isInWidget ? widgetLines : pageLines) + others
  }
}
