import WidgetKitCore

/// The card whose form a ``CardForm`` is.
protocol CardFormOwner: AnyObject {
  /// The forms that are offered have changed.
  func formDidChange(_ change: CardForm.Change)
}

/// The short and the tall form of a card: which is shown, and which are offered.
///
/// A class because its timer calls it back.
final class CardForm {
  /// The form that is shown.
  private(set) var displayMode = DisplayMode.compact
  /// Whether the tall form is offered.
  private(set) var offersExpanded = false
  /// What is different when other forms are offered.
  struct Change {
    /// Whether the host alone said before how tall the card is.
    var hadFixedHeight: Bool
    /// Whether the card was tall and is short now.
    var isShortened: Bool
  }

  private unowned let owner: any CardFormOwner
  private let clock: any HostClock
  /// What takes over the tallest form that the widget stated last.
  private var timer: (any HostTimer)?
  /// Whether the card was made short by the host, until the widget has said what it shows then.
  private var isCollapsed = false

  /// Rows of a short card that offers a tall form.
  static let compactRows = 4
  /// How long changes of what the widget offers are gathered.
  private static let frameTime: Duration = .milliseconds(16)

  init(owner: any CardFormOwner, clock: any HostClock) {
    self.owner = owner
    self.clock = clock
  }

  /// Takes over how the card was when the program last ran.
  func restore(_ displayMode: DisplayMode, offersExpanded: Bool) {
    (self.displayMode, self.offersExpanded) = (displayMode, offersExpanded)
  }

  /// Whether the host alone says how tall the card is.
  var hasFixedHeight: Bool { displayMode == .compact && (offersExpanded || isCollapsed) }

  /// Whether nothing that the widget stated waits to be taken over.
  var isSettled: Bool { timer == nil }

  /// Shows the other form.
  func toggle() {
    displayMode = displayMode == .compact ? .expanded : .compact
  }

  /// The widget has said what it shows.
  func contentDidCome() {
    isCollapsed = false
  }

  /// Takes over the tallest form that the widget offers.
  ///
  /// - Parameters:
  ///   - mode: The form.
  ///   - isLive: Whether the card shows a live view: then it is taken over a frame later, so that a
  ///     widget that changes its mind at once makes nothing flicker.
  func setLargest(_ mode: DisplayMode, isLive: Bool) {
    timer?.cancel()
    timer = nil
    guard (mode == .expanded) != offersExpanded else { return }
    guard isLive else { return take(mode, isLive: false) }
    timer = clock.schedule(after: Self.frameTime) { [weak self] in
      self?.timer = nil
      self?.take(mode, isLive: true)
    }
  }

  /// Offers the tall form or not any more; a card that is tall then becomes short.
  private func take(_ mode: DisplayMode, isLive: Bool) {
    let hadFixedHeight = hasFixedHeight
    offersExpanded = mode == .expanded
    let isShortened = !offersExpanded && displayMode == .expanded
    if isShortened {
      displayMode = .compact
      isCollapsed = isLive
    }
    owner.formDidChange(Change(hadFixedHeight: hadFixedHeight, isShortened: isShortened))
  }
}
