import WidgetCards
import WidgetKitCore

nonisolated extension TodayModel {
  /// What keys are for, and what is drawn over the page.
  enum Mode: Sendable {
    /// The cards.
    case page
    /// The list of the keys of a mode.
    case help(KeyList)
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

    /// Whether something over the cards has the keys that would scroll them.
    var coversCards: Bool {
      switch self {
      case .help, .inspector, .palette, .settings, .question, .cover: true
      case .edit(let editing): editing.gallery != nil
      case .page, .filter, .letters, .pane: false
      }
    }

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

  /// The mode below the list of keys or the form of settings, which is as it was when that is closed.
  enum ModeBelow: Sendable {
    case page
    case edit(PageEditing)
    case inspector(Inspector)

    fileprivate var mode: Mode {
      switch self {
      case .page: .page
      case .edit(let editing): .edit(editing)
      case .inspector(let inspector): .inspector(inspector)
      }
    }
  }

  /// The list of the keys of a mode.
  struct KeyList: Sendable {
    /// The mode.
    var below = ModeBelow.page
    /// The first line that is on the screen.
    var scroll = 0
  }

  /// Closes what is drawn over the page: the mode below it is as it was before.
  mutating func closeOverlay() {
    switch mode {
    case .help(let list): mode = list.below.mode
    case .settings(let form): mode = form.below.mode
    case .page, .filter, .letters, .edit, .inspector, .palette, .question, .pane, .cover:
      mode = .page
    }
  }

  /// Whether a key is typed into a line, for which the cards do not matter.
  func takesText(_ key: Key) -> Bool {
    switch key {
    case .character, .paste, .backspace: break
    default: return false
    }
    return switch mode {
    case .filter, .palette, .settings, .pane: true
    case .edit(let editing): editing.gallery != nil || place.focus?.isField == true
    case .page: place.focus?.isField == true
    case .help, .inspector, .letters, .question, .cover: false
    }
  }
}
