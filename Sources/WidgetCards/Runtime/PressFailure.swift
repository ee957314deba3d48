import WidgetKitCore

/// Why the last press on a card has failed, which is said below the page until the user asks for something else.
struct PressFailure {
  private var said: SafeText?

  /// Says the words, or nothing, in place of what was said before.
  mutating func say(_ words: String?, _ turn: inout CardTurn) {
    end(&turn)
    said = words.map { SafeText($0) }
    if let said { turn.effects.append(.say(said)) }
  }

  /// Ends what is said.
  mutating func end(_ turn: inout CardTurn) {
    if let said { turn.effects.append(.unsay(said)) }
    said = nil
  }
}
