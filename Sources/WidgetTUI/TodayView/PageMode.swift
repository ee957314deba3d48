import WidgetCards
import WidgetKitCore

extension TodayModel {
  /// What keys are for, and what is drawn over the page.
  enum Mode: Sendable {
    /// The cards.
    case page
    /// The list of keys.
    case help
    /// The state, runs and log of a card.
    case inspector(Inspector)
    /// Typing what the cards are found by.
    case filter(LineEditor)
    /// Commands and themes by name.
    case palette(Palette)
    /// Letters on everything that can be pressed.
    case letters(PressLetters)
    /// The settings of a widget in a form.
    case settings(SettingsForm)
    /// Which cards are on the page is changed.
    case edit(PageEditing)
    /// The user is asked whether a widget may open a URL.
    case question(QuestionBox)
    /// Something of the page is shared, and what is asked about that stands at its row.
    case pane(PlacedPane)
    /// Nothing of the page is shown.
    case cover

    /// Whether keys are for the same as in another mode.
    func isLike(_ other: Mode) -> Bool {
      switch (self, other) {
      case (.page, .page), (.help, .help), (.inspector, .inspector), (.filter, .filter),
        (.palette, .palette), (.letters, .letters), (.settings, .settings), (.edit, .edit),
        (.question, .question), (.pane, .pane), (.cover, .cover):
        true
      case (.page, _), (.help, _), (.inspector, _), (.filter, _), (.palette, _), (.letters, _),
        (.settings, _), (.edit, _), (.question, _), (.pane, _), (.cover, _):
        false
      }
    }
  }
}
