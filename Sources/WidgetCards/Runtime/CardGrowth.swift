import WidgetKitCore

/// How a page shows a card that offers more, as long as the user has not chosen one of its forms.
public nonisolated enum CardGrowth: Hashable, Sendable {
  /// Compact.
  case none
  /// As high as a compact card, while its widget is asked for the expanded form, whose height is not known.
  case asked
  /// Expanded, because the page has room for it.
  case grown

  /// The rows of the body of a compact card that offers more.
  public static var compactRows: Int { CardForm.compactRows }
}

/// How high the expanded form of a card is, which is known when its widget has sent it.
nonisolated struct ExpandedHeight {
  /// The rows of the body; nil while they are not known.
  private(set) var rows: Int?
  /// Until when the widget's view for the expanded form is awaited; nil if it is not.
  private(set) var due: ContinuousClock.Instant?

  /// Whether the content may still be that of the compact form.
  var isAwaited: Bool { due != nil }

  /// How long a widget has for its answer; one whose view is the same in both forms sends none.
  static let patience: Duration = .milliseconds(500)

  /// The widget was told which form is shown.
  mutating func formWasTold(_ mode: DisplayMode, at now: ContinuousClock.Instant) {
    due = mode == .expanded ? now + Self.patience : nil
  }

  /// The widget has sent a view.
  mutating func viewDidCome() {
    due = nil
  }

  /// Ends the wait that is over; returns whether it was.
  mutating func wake(at now: ContinuousClock.Instant) -> Bool {
    guard let due, due <= now else { return false }
    self.due = nil
    return true
  }

  /// The expanded form has a height.
  mutating func note(_ rows: Int) {
    if !isAwaited { self.rows = rows }
  }
}
