import WidgetExtensions
public import WidgetKitCore
public import WidgetPlatform

/// A command of the user on a key, as `keys` of config.json declares it.
///
/// Its words can have places for what has the focus: `{row.id}`, `{row.text}` and `{row.link}`.
public nonisolated struct OwnCommand: Hashable, Sendable {
  /// The program and its arguments.
  public var words: [String]
  /// Whether it uses the terminal.
  public var usesTerminal = false
  /// The widget or the instance (`ID:NAME`) on whose cards the key runs it; nil for all.
  public var widget: String?
  /// What it is for, in the list of keys and the palette; nil means the command itself.
  public var title: SafeText?

  /// Creates a command.
  public init(_ words: [String]) { self.words = words }

  /// By which the answers of the user about these commands are kept, and `today permissions` names them.
  public static let holder = "org.today.Keys"

  /// A place in the words, for something of what has the focus.
  enum Place: String, CaseIterable {
    /// The `id` of the row.
    case id = "{row.id}"
    /// What is drawn of it, without the blanks around it.
    case text = "{row.text}"
    /// Where its link leads.
    case link = "{row.link}"

    /// How all of them begin.
    static let beginning = "{row."
    /// All of them, as an error names them.
    static let list = "{row.id}, {row.text} or {row.link}"
  }

  /// What has the focus: a row of a list, or another element of a card.
  public struct Row: Hashable, Sendable {
    /// Its `id`; nil if it has none.
    public var id: String?
    /// What is drawn of it.
    public var text: String
    /// Where its link leads; nil if it has none.
    public var link: String?

    /// Creates a row.
    public init(id: String?, text: String, link: String?) {
      (self.id, self.text, self.link) = (id, text, link)
    }

    subscript(place: Place) -> String? {
      switch place {
      case .id: id
      case .text: text
      case .link: link
      }
    }
  }

  /// Whether it runs on a card.
  public func applies(to card: ExtensionIdentity?) -> Bool {
    guard let widget else { return true }
    return card.map { $0.bundleIdentifier == widget || $0.description == widget } ?? false
  }

  /// Whether it needs a row.
  public var needsRow: Bool { words.contains { $0.contains(Place.beginning) } }

  /// The words with the values of a row in their places.
  ///
  /// - Returns: The words; the name of the first place for which the row has nothing, if there is one.
  func filled(with row: Row?) -> Result<[String], Missing> {
    var filled: [String] = []
    for word in words {
      var (done, rest) = ("", word[...])
      while let (range, place) = Self.firstPlace(in: rest) {
        guard let value = row?[place], !value.isEmpty else {
          return .failure(Missing(place: place))
        }
        done += rest[..<range.lowerBound] + value
        rest = rest[range.upperBound...]
      }
      filled.append(done + rest)
    }
    return .success(filled)
  }

  /// Something that the words need, and the row does not have.
  struct Missing: Error {
    var place: Place
  }

  /// The words, each divided at its place; nil if one has several places, or none has one.
  func divided() -> [[String]]? {
    guard needsRow else { return nil }
    var parts: [[String]] = []
    for word in words {
      guard let (range, _) = Self.firstPlace(in: word[...]) else {
        parts.append([word])
        continue
      }
      let after = word[range.upperBound...]
      guard Self.firstPlace(in: after) == nil else { return nil }
      parts.append([String(word[..<range.lowerBound]), String(after)])
    }
    return parts
  }

  private static func firstPlace(in text: Substring) -> (Range<Substring.Index>, Place)? {
    Place.allCases.compactMap { place in text.firstRange(of: place.rawValue).map { ($0, place) } }
      .min { $0.0.lowerBound < $1.0.lowerBound }
  }

  /// The command as a shell would read it, for the list of keys.
  public var line: SafeText {
    SafeText(
      words.map { $0.contains(Place.beginning) ? $0 : ShellWord.readable($0) }.joined(
        separator: " "
      )
    )
  }

  /// The whole declaration, by which two are told apart.
  var description: String {
    "run \(words)" + (usesTerminal ? " terminal" : "") + (widget.map { " when \($0)" } ?? "")
      + (title.map { " title \($0)" } ?? "")
  }

  /// What it is called where it is listed.
  public var listedWords: SafeText { title ?? line }
}

nonisolated extension OwnCommand {
  /// What an answer for later about the command is kept for, where that is not one for the arguments alone.
  func consent(_ program: String) -> String? {
    divided().flatMap { CommandConsent.offered(program, withOpen: Array($0.dropFirst())) }
  }
}
