import PageRecords
import WidgetKitCore
import WidgetPlatform

/// The kind of `pages`.
nonisolated extension SettingKind<[DeclaredPage]> {
  /// A list of pages, each an object with a name and a list of cards.
  ///
  /// - Parameters:
  ///   - span: The kind of a card's number of columns.
  ///   - isCard: Whether a text names a card: an identifier, or `ID:NAME`.
  /// - Returns: The kind of the whole list.
  static func pages(
    span: SettingKind<Int>,
    where isCard: @escaping @Sendable (String) -> Bool
  ) -> SettingKind {
    SettingKind(
      expectation: "a list of pages",
      range: "a list of objects",
      text: { "[" + $0.map(\.text).joined(separator: ", ") + "]" },
      value: { value, path throws(SettingFault) in
        try PageListReading(span: span, isCard: isCard).read(value, at: path)
      }
    )
  }
}

/// Reads the pages of config.json.
private nonisolated struct PageListReading {
  let span: SettingKind<Int>
  let isCard: @Sendable (String) -> Bool

  /// The most pages, and the most cards of one.
  private static let pageLimit = 100
  private static let cardLimit = 1_000
  private static let pageMembers = ["name", "cards"]
  private static let cardMembers = ["widget", "instance", "span", "settings"]

  func read(
    _ value: JSONTree,
    at path: MemberPath
  ) throws(SettingFault) -> [DeclaredPage] {
    guard case .array(let values) = value, values.count <= Self.pageLimit else {
      throw SettingFault(path: path, expectation: "a list of at most \(Self.pageLimit) pages")
    }
    var pages: [DeclaredPage] = []
    var placed: Set<ExtensionIdentity> = []
    for (index, value) in values.enumerated() {
      let path = path.element(index)
      let page = try page(value, at: path)
      guard !pages.contains(where: { $0.name.isSame(as: page.name) }) else {
        throw SettingFault(path: path.member("name"), expectation: "a name that no other page has")
      }
      for (index, card) in page.cards.enumerated() where !placed.insert(card.id).inserted {
        throw SettingFault(
          path: path.member("cards").element(index),
          expectation: "a card that is not on a page yet; another one of a widget has a name: "
            + "{ widget: \"ID\", instance: \"NAME\" }"
        )
      }
      pages.append(page)
    }
    return pages
  }

  private func page(
    _ value: JSONTree,
    at path: MemberPath
  ) throws(SettingFault) -> DeclaredPage {
    let members = try group(value, at: path, Self.pageMembers, "{ name: \"NAME\", cards: [ … ] }")
    guard case .string(let text)? = members["name"], let name = PageName(rawValue: text) else {
      throw SettingFault(
        path: members["name"] == nil ? path : path.member("name"),
        expectation: "a name of \(PageName.rule)"
      )
    }
    let path = path.member("cards")
    guard case .array(let values) = members["cards"] ?? .array([]), values.count <= Self.cardLimit
    else {
      throw SettingFault(path: path, expectation: "a list of at most \(Self.cardLimit) cards")
    }
    var cards: [DeclaredPage.Card] = []
    for (index, value) in values.enumerated() {
      cards.append(try card(value, at: path.element(index)))
    }
    return DeclaredPage(name: name, cards: cards)
  }

  private func card(
    _ value: JSONTree,
    at path: MemberPath
  ) throws(SettingFault) -> DeclaredPage.Card {
    if case .string(let text) = value { return DeclaredPage.Card(try identity(text, at: path)) }
    let members = try group(
      value,
      at: path,
      Self.cardMembers,
      "the identifier of a widget, or { widget: \"ID\", instance: \"NAME\", span: 2, settings: { … } }"
    )
    guard case .string(let text)? = members["widget"] else {
      throw SettingFault(
        path: members["widget"] == nil ? path : path.member("widget"),
        expectation: "the identifier of a widget as the member “widget”"
      )
    }
    var card = DeclaredPage.Card(try identity(text, at: path.member("widget")))
    if let value = members["instance"] {
      guard case .string(let text) = value, let name = InstanceName(rawValue: text),
        card.id.instance == nil
      else {
        throw SettingFault(
          path: path.member("instance"),
          expectation: "one name of an instance, \(InstanceName.rule)"
        )
      }
      card.id.instance = name
    }
    if let value = members["span"] { card.span = try span.value(value, path.member("span")) }
    if let value = members["settings"] {
      guard case .object = value else {
        throw SettingFault(path: path.member("settings"), expectation: "an object")
      }
      card.settings = value
    }
    return card
  }

  private func identity(
    _ text: String,
    at path: MemberPath
  ) throws(SettingFault) -> ExtensionIdentity {
    guard isCard(text), let id = try? ExtensionIdentity(parsing: text) else {
      throw SettingFault(
        path: path,
        expectation: "the identifier of a widget, or ID:NAME for one of its instances"
      )
    }
    return id
  }

  /// The members of an object, all of which must be known.
  private func group(
    _ value: JSONTree,
    at path: MemberPath,
    _ known: [String],
    _ expectation: String
  ) throws(SettingFault) -> [JSONTree.Member] {
    guard case .object(let members) = value else {
      throw SettingFault(path: path, expectation: expectation)
    }
    for name in members.map(\.name).sorted() where !known.contains(name) {
      throw SettingFault(
        path: path.member(name),
        expectation: "one of " + known.joined(separator: ", "),
        isOfName: true
      )
    }
    return members
  }
}

nonisolated extension [DeclaredPage] {
  /// The cards that have settings of their own, with the paths of these in the file.
  var cardsWithSettings: [(id: ExtensionIdentity, path: MemberPath)] {
    enumerated().flatMap { index, page in
      page.cards.enumerated().filter { $1.settings != nil }.map { place, card in
        let path = MemberPath("pages").element(index).member("cards").element(place)
        return (card.id, path.member("settings"))
      }
    }
  }

  /// Notes where the file has the pages and cards that were just read.
  ///
  /// - Parameter place: The place of a value.
  mutating func notePlaces(_ place: (MemberPath) -> String?) {
    for page in indices where self[page].place.isEmpty {
      let path = MemberPath("pages").element(page)
      self[page].place = place(path) ?? ""
      for card in self[page].cards.indices {
        self[page].cards[card].place =
          place(path.member("cards").element(card)) ?? self[page].place
      }
    }
  }
}
