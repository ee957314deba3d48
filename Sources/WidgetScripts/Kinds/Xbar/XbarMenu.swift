import WidgetKitCore

/// What a plugin of xbar, SwiftBar or Argos has printed: the lines of its title, and a menu.
///
/// The grammar is that of xbar; where the hosts differ, ``XbarDialect`` says how. No line makes the others
/// useless: what cannot be read of a line is left out.
struct XbarMenu: Hashable, Sendable {
  /// A line with its parameters.
  struct Line: Hashable, Sendable {
    var text: String
    /// The parameters by their names in lower case; of one that is given twice, the last.
    var parameters: [String: String] = [:]

    /// Whether a parameter is true; nil if it is absent or no truth value.
    func isTrue(_ name: String) -> Bool? {
      switch parameters[name]?.lowercased() {
      case "true", "1", "t", "yes": true
      case "false", "0", "f", "no": false
      default: nil
      }
    }
  }

  /// An entry of the menu.
  struct Item: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
      case separator
      case line(Line)
    }

    var kind: Kind
    /// The entries of its submenu.
    var children: [Item] = []
  }

  /// The lines before the first separator.
  var titles: [Line]
  /// The menu below them.
  var items: [Item]

  /// How many lines are read, how much of each and how many bytes of its text, and how deep submenus are.
  private static let lineLimit = 2_000
  /// A line can have a picture.
  private static let lineLength = 20 * 1024
  private static let textBytes = 4_096
  private static let depthLimit = 8

  /// Reads what was printed.
  init(_ text: String, _ dialect: XbarDialect) {
    // By scalars: a return and a line feed are one character.
    var lines = text.unicodeScalars.split(
      separator: "\n",
      maxSplits: Self.lineLimit,
      omittingEmptySubsequences: false
    ).prefix(Self.lineLimit).map { line in
      let text = (line.last == "\r" ? line.dropLast() : line).prefix(Self.lineLength)
      // No message can have a NUL, also not in a link.
      let words = String(
        text.contains("\0") ? Substring.UnicodeScalarView(text.filter { $0 != "\0" }) : text
      )
      // Some shells write such sequences before every line, also before a separator.
      return ControlSequence.removed(from: words)
    }
    while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
    let first = lines.firstIndex { dialect.isFirstSeparator($0) }
    titles = lines[..<(first ?? lines.endIndex)].filter { !$0.allSatisfy(\.isWhitespace) }
      .map { Self.line($0[...], dialect) }
    var stack: [[Item]] = [[]]
    for line in first.map({ lines[($0 + 1)...] }) ?? [] {
      guard let (depth, item) = Self.item(line, dialect) else { continue }
      // An entry without one above it is at the deepest level that there is.
      let level = min(depth, stack.count - (stack.last?.isEmpty == true ? 1 : 0), Self.depthLimit)
      while stack.count > level + 1 { Self.close(&stack) }
      while stack.count < level + 1 { stack.append([]) }
      stack[stack.count - 1].append(item)
    }
    while stack.count > 1 { Self.close(&stack) }
    items = stack[0]
  }

  /// Ends the deepest submenu: its entries are those of the last entry above it.
  private static func close(_ stack: inout [[Item]]) {
    let children = stack.removeLast()
    let last = stack.count - 1
    if let entry = stack[last].lastIndex(where: { $0.kind != .separator }) {
      stack[last][entry].children += children
    } else {
      stack[last] += children
    }
  }

  /// Reads a line of the menu; nil for one that the host leaves out.
  private static func item(_ line: String, _ dialect: XbarDialect) -> (depth: Int, Item)? {
    let dashes = line.prefix { $0 == "-" }.count
    let rest = line.dropFirst(dashes)
    // Three dashes are a separator at the depth of those before them, in xbar also with parameters.
    let mayBeSeparator = dashes > 2 && dashes % 2 == 1
    let words = mayBeSeparator && dialect == .xbar ? rest.prefix { $0 != "|" } : rest
    if words.allSatisfy(\.isWhitespace) {
      if mayBeSeparator {
        return (dialect.nestsSeparators ? (dashes - 3) / 2 : 0, Item(kind: .separator))
      }
      guard dialect.keepsEmptyLines, dashes == 0 else { return nil }
    }
    let text = dashes % 2 == 0 ? rest : "-" + rest
    return (dashes / 2, Item(kind: .line(Self.line(text, dialect))))
  }

  /// Splits a line at the first `|`.
  private static func line(_ text: Substring, _ dialect: XbarDialect) -> Line {
    // By scalars: a mark behind a sign is one character with it.
    let scalars = text.unicodeScalars
    guard let bar = scalars.firstIndex(of: "|") else {
      return Line(text: ScriptWords.beginning(String(text), bytes: textBytes))
    }
    let words = String(Substring(scalars[..<bar]))
    var line = Line(text: ScriptWords.beginning(words, bytes: textBytes))
    line.parameters = XbarParameters.values(scalars[bar...].dropFirst(), dialect)
    return line
  }
}

/// Where the hosts of such plugins differ.
enum XbarDialect: String, Hashable, Sendable {
  case xbar
  case swiftbar
  case argos

  /// Whether a line is the one that ends the title.
  func isFirstSeparator(_ line: String) -> Bool {
    switch self {
    case .xbar: line.prefix { $0 != "|" }.filter { !$0.isWhitespace } == "---"
    case .swiftbar: line.hasPrefix("---")
    case .argos:
      line.contains("-") && line.allSatisfy { $0 == "-" || $0.isWhitespace }
    }
  }

  /// Whether a separator with more dashes is one of a submenu.
  var nestsSeparators: Bool { self != .argos }

  /// Whether an empty line of the menu is an empty entry.
  var keepsEmptyLines: Bool { self == .xbar }

  /// Whether colour sequences are shown in a line that does not say.
  var showsColors: Bool { self != .swiftbar }

  /// Whether a command uses the terminal in a line that does not say.
  var usesTerminal: Bool { self != .xbar }

  /// How long each line of a title is shown, in seconds.
  var titleInterval: Int { self == .argos ? 3 : 5 }

  /// Whether a title of several lines is also in the menu.
  var listsTitles: Bool { self != .xbar }
}
