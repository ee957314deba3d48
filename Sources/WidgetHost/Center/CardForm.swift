import WidgetKitCore

/// The card that owns a ``CardForm``.
protocol CardFormOwner: AnyObject {
  /// Called when the offered forms have changed.
  func formDidChange(_ change: CardForm.Change)
}

/// The compact and the expanded form of a card: which one is shown, and which ones are offered.
///
/// This is a class because its timer calls it.
final class CardForm {
  /// The form that is shown.
  private(set) var displayMode = DisplayMode.compact
  /// The form that the user has chosen, which stays when the widget does not offer it any more.
  private(set) var chosenMode = DisplayMode.compact
  /// Whether the expanded form is offered.
  private(set) var offersExpanded = false
  /// The effect of a change of the offered forms.
  struct Change {
    /// Whether the host alone determined the height before the change.
    var hadFixedHeight: Bool
    /// Whether the card was expanded and is compact now.
    var isShortened: Bool
    /// Whether another form is shown.
    var changesMode: Bool
  }

  private unowned let owner: any CardFormOwner
  private let clock: any HostClock
  /// The timer that applies the form that the widget set last.
  private var timer: (any HostTimer)?
  /// Whether the host made the card compact and the widget has not sent content for that form yet.
  private var isCollapsed = false

  /// Rows of a compact card that also offers the expanded form.
  static let compactRows = 4
  /// How long changes of the offered forms are collected.
  private static let frameTime: Duration = .milliseconds(16)

  init(owner: any CardFormOwner, clock: any HostClock) {
    self.owner = owner
    self.clock = clock
  }

  /// Restores the state that the card had when the program last ran.
  func restore(_ chosenMode: DisplayMode, offersExpanded: Bool) {
    (self.chosenMode, self.offersExpanded) = (chosenMode, offersExpanded)
    displayMode = offersExpanded ? chosenMode : .compact
  }

  /// The user has chosen a form on another page; it is shown with ``toggle()``.
  func note(choice: DisplayMode) {
    chosenMode = choice
  }

  /// Whether the host alone determines the height of the card.
  var hasFixedHeight: Bool { displayMode == .compact && (offersExpanded || isCollapsed) }

  /// Whether no form that the widget set is waiting to be applied.
  var isSettled: Bool { timer == nil }

  /// Switches to the other form.
  func toggle() {
    displayMode = displayMode == .compact ? .expanded : .compact
    chosenMode = displayMode
  }

  /// Called when the widget has sent its content.
  func contentDidCome() {
    isCollapsed = false
  }

  /// Sets the largest form that the widget offers.
  ///
  /// - Parameters:
  ///   - mode: The form.
  ///   - isLive: Whether the card shows a live view. If it does, the form is applied one frame later,
  ///     so that a widget that changes it twice in a row causes no flicker.
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

  /// Gives up an expanded form that was offered when the program last ran: the content that is shown is that of
  /// a widget that does not.
  func forgetInherited() {
    guard timer == nil, offersExpanded else { return }
    take(.compact, isLive: false)
  }

  /// Starts or stops to offer the expanded form; without it, an expanded card becomes compact.
  ///
  /// A widget that offers it at its start gets what the user has chosen; later that would move the page.
  private func take(_ mode: DisplayMode, isLive: Bool) {
    let (hadFixedHeight, before) = (hasFixedHeight, displayMode)
    offersExpanded = mode == .expanded
    if offersExpanded, !isLive { displayMode = chosenMode }
    let isShortened = !offersExpanded && displayMode == .expanded
    if isShortened {
      displayMode = .compact
      isCollapsed = isLive
    }
    owner.formDidChange(
      Change(
        hadFixedHeight: hadFixedHeight,
        isShortened: isShortened,
        changesMode: displayMode != before
      )
    )
  }
}
