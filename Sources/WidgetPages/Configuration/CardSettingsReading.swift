import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// The kind of `widgets`.
nonisolated extension SettingKind<[String: CardSettings]> {
  /// An object of objects, one for each card.
  ///
  /// - Parameters:
  ///   - span: The kind of a card's number of columns.
  ///   - isCard: Whether a text names a card: an identifier, or `ID:NAME`.
  /// - Returns: The kind of the whole object.
  static func sections(
    span: SettingKind<Int>,
    where isCard: @escaping @Sendable (String) -> Bool
  ) -> SettingKind {
    let reading = CardSettingsReading(span: span, isCard: isCard)
    return SettingKind(
      expectation: reading.expectation,
      range: "an object for each widget or instance",
      text: { cards in
        let members = cards.sorted { $0.key < $1.key }
        return "{" + members.map { "\($0.key): \($0.value.text)" }.joined(separator: ", ") + "}"
      },
      value: { value, path throws(SettingFault) in try reading.read(value, at: path) }
    )
  }
}

/// Reads what config.json says about cards: `span` is a number, `allowWhenLocked` a truth, `host` a machine, and the names
/// of ``ScriptOptions`` what they are for a script; all other members are settings of the widget, which
/// ``FileSettings`` reads.
private nonisolated struct CardSettingsReading {
  let span: SettingKind<Int>
  let isCard: @Sendable (String) -> Bool

  private static let limit = 10_000
  /// Another machine, as ssh has it.
  private static let machine = SettingKind<RemoteDestination>(
    "a machine such as \"server\" or \"user@server\"",
    range: "a machine",
    text: { "\"\($0)\"" },
    convert: { if case .string(let text) = $0 { RemoteDestination(text) } else { nil } }
  )

  var expectation: String { "an object of at most \(Self.limit) members" }

  func read(
    _ value: JSONTree,
    at path: MemberPath
  ) throws(SettingFault) -> [String: CardSettings] {
    guard case .object(let sections) = value, sections.count <= Self.limit else {
      throw SettingFault(path: path, expectation: expectation)
    }
    var cards: [String: CardSettings] = [:]
    for section in sections.byName {
      let path = path.member(section.name)
      guard isCard(section.name) else {
        let words = "the identifier of a widget, or ID:NAME for one of its instances"
        throw SettingFault(path: path, expectation: words, isOfName: true)
      }
      guard case .object(let members) = section.value else {
        throw SettingFault(path: path, expectation: "an object")
      }
      let card = try card(section.name, members, at: path)
      if card != CardSettings() { cards[section.name] = card }
    }
    return cards
  }

  private func card(
    _ name: String,
    _ members: [JSONTree.Member],
    at path: MemberPath
  ) throws(SettingFault) -> CardSettings {
    var card = CardSettings()
    if let own = members["span"] { card.span = try span.value(own, path.member("span")) }
    if let own = members["allowWhenLocked"] {
      card.allowWhenLocked = try SettingKind<Bool>.truth.value(own, path.member("allowWhenLocked"))
    }
    if ScriptName.isIdentifier(name) {
      card.script = try ScriptOptions.reading(members, at: path)
      // Which settings it has of its own is not known here.
      let names = members.map(\.name).filter { !ScriptOptions.isName($0) }
      if names.contains(where: { ScriptOptions.nameThatConfines($0) == "sandbox" }) {
        card.script = card.script ?? ScriptOptions()
        card.script?.confine("sandbox")
      }
    } else if let own = members["host"] {
      card.host = try Self.machine.value(own, path.member("host"))
    }
    return card
  }
}
