package import WidgetKitCore
public import WidgetPlatform

/// A page that config.json declares; the program shows it and never changes it.
public nonisolated struct DeclaredPage: Hashable, Sendable {
  /// Its name.
  public var name: PageName
  /// Its cards in order.
  package var cards: [Card]
  /// Where the file has it: `/home/a/.config/today/config.json:4:12`.
  public var place = ""

  /// A card of the page.
  package struct Card: Hashable, Sendable {
    package var id: ExtensionIdentity
    /// The number of columns; nil leaves it to the manifest.
    package var span: Int?
    /// The settings of the widget on this card, an object; nil if it has none of its own.
    package var settings: JSONTree?
    /// Where the file has it.
    package var place = ""

    package init(_ id: ExtensionIdentity, span: Int? = nil, settings: JSONTree? = nil) {
      self.id = id
      self.span = span
      self.settings = settings
    }

    /// The card as it is written in config.json.
    package var text: String {
      guard span != nil || settings != nil else { return JSON5Text.string(id.description) }
      var members = ["widget: \(JSON5Text.string(id.bundleIdentifier))"]
      if let instance = id.instance {
        members.append("instance: \(JSON5Text.string(instance.rawValue))")
      }
      if let span { members.append("span: \(span)") }
      if let settings { members.append("settings: \(JSON5Text.text(settings))") }
      return "{ " + members.joined(separator: ", ") + " }"
    }
  }

  package init(name: PageName, cards: [Card]) {
    self.name = name
    self.cards = cards
  }

  /// The page as it is written in config.json, a line for each card.
  public var text: String {
    guard !cards.isEmpty else { return "{ name: \(JSON5Text.string(name.rawValue)), cards: [] }" }
    let lines = cards.map { "    \($0.text)," }
    return
      (["{", "  name: \(JSON5Text.string(name.rawValue)),", "  cards: ["] + lines + ["  ],", "}"])
      .joined(separator: "\n")
  }

  /// The page after changes that the user has to make in the file.
  func applying(_ changes: [PageChange]) -> DeclaredPage {
    var page = self
    for change in changes { page.apply(change) }
    return page
  }

  private mutating func apply(_ change: PageChange) {
    let index = cards.firstIndex { $0.id == change.card }
    switch change {
    case .add(let id, page: _):
      if index == nil { cards.append(Card(id)) }
    case .remove: if let index { cards.remove(at: index) }
    case .move(let id, page: let target, let position):
      let card = index.map { cards.remove(at: $0) } ?? Card(id)
      guard target.map({ $0.isSame(as: name) }) ?? true else { return }
      let end = cards.count
      cards.insert(card, at: position.map { min(max(0, $0 - 1), end) } ?? end)
    case .span(_, let span): if let index { cards[index].span = span }
    // This is a setting of the widget.
    case .host: break
    }
  }
}

/// Values as JSON5, for text that the user pastes into config.json.
nonisolated enum JSON5Text {
  /// A text in quotes.
  package static func string(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case _
      where scalar.properties.generalCategory == .control || scalar.value == 0x2028
        || scalar.value == 0x2029:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// A value on one line, the members of objects in the order of their names.
  package static func text(_ value: JSONTree) -> String {
    switch value {
    case .string(let text): return string(text)
    case .boolean(let truth): return "\(truth)"
    case .number(let number):
      return Int(exactly: number).map { "\($0)" } ?? "\(number)"
    case .array(let values): return "[" + values.map(text).joined(separator: ", ") + "]"
    case .null, .wholeNumber: return "null"
    case .object(let members):
      let words = members.byName.map { "\(name($0.name)): \(text($0.value))" }
      return words.isEmpty ? "{}" : "{ " + words.joined(separator: ", ") + " }"
    }
  }

  /// A name of a member, in quotes where it is not a plain word.
  private static func name(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy { FileNameCoding.isPlain($0) && $0 != 0x2D && $0 != 0x2E }
    let begins = name.unicodeScalars.first.map { !("0"..."9").contains($0) } ?? false
    return isPlain && begins ? name : string(name)
  }
}
