package import WidgetKitCore

/// The compact and the expanded form of a card: which one is shown, and which ones are offered.
package nonisolated struct CardForm {
  /// The form that is shown on the page.
  private var pageMode = DisplayMode.compact
  /// The form that is shown while the card is alone, which is not a choice; nil while it is not.
  private var aloneMode: DisplayMode?
  /// The form that the user has chosen, which stays when the widget does not offer it any more; nil for none.
  package private(set) var chosenMode: DisplayMode?
  /// What the page does with a card of which the user has chosen no form.
  package private(set) var growth = CardGrowth.none
  /// How high the expanded form is.
  var expanded = ExpandedHeight()
  /// Whether the expanded form is offered.
  private(set) var offersExpanded = false
  /// The form of which the widget is told.
  package var displayMode: DisplayMode {
    guard offersExpanded else { return pageMode }
    return aloneMode ?? (effectiveGrowth == .none ? pageMode : .expanded)
  }
  /// The form in which the card is drawn.
  var shownMode: DisplayMode { isAsked ? .compact : displayMode }
  /// Whether the card stays as low as a compact one while its widget is asked for the expanded form.
  var isAsked: Bool { offersExpanded && !isAlone && effectiveGrowth == .asked }
  /// Whether the page has expanded the card by itself.
  var isGrown: Bool { offersExpanded && !isAlone && effectiveGrowth == .grown }
  /// Whether the card stays as low as a compact one, although its widget is told that it is expanded.
  var isHeld: Bool { isAsked || isGrown && expanded.isAwaited }
  private var effectiveGrowth: CardGrowth { chosenMode == nil ? growth : .none }
  /// Whether the card is shown alone.
  var isAlone: Bool { aloneMode != nil }

  /// The effect of a change of the offered forms.
  struct Change {
    /// Whether the host alone determined the height before the change.
    var hadFixedHeight: Bool
    /// Whether the card was expanded and is compact now.
    var isShortened: Bool
    /// Whether another form is shown.
    var changesMode: Bool
  }

  /// The form that the widget set last, and when it is applied.
  private var wanted: (mode: DisplayMode, due: ContinuousClock.Instant)?
  /// Whether the host made the card compact and the widget has not sent content for that form yet.
  private var isCollapsed = false

  /// Rows of a compact card that also offers the expanded form.
  static let compactRows = 4
  /// How long changes of the offered forms are collected.
  private static let frameTime: Duration = .milliseconds(16)

  /// Restores the state that the card had when the program last ran.
  mutating func restore(_ chosenMode: DisplayMode?, offersExpanded: Bool) {
    (self.chosenMode, self.offersExpanded) = (chosenMode, offersExpanded)
    pageMode = offersExpanded ? chosenMode ?? .compact : .compact
  }

  /// Sets what the page does with the card while the user has chosen no form, which is not a choice.
  mutating func setGrowth(_ growth: CardGrowth) {
    self.growth = growth
  }

  /// Sets whether the card is shown alone, where a card that offers more is expanded.
  mutating func setAlone(_ isAlone: Bool) {
    aloneMode = isAlone ? .expanded : nil
  }

  /// The user has chosen a form on another page, or none any longer; it is shown with ``choose(_:)``, or when the card
  /// is not alone any more.
  mutating func note(choice: DisplayMode?) {
    chosenMode = choice
    if isAlone || growth != .none, offersExpanded { pageMode = choice ?? .compact }
  }

  /// Whether the host alone determines the height of the card.
  var hasFixedHeight: Bool { displayMode == .compact && (offersExpanded || isCollapsed) }

  /// Whether no form that the widget set is waiting to be applied, and no view for one is awaited.
  var isSettled: Bool { wanted == nil && !expanded.isAwaited }

  /// When ``wake(at:)`` is to be called.
  var due: ContinuousClock.Instant? { [wanted?.due, expanded.due].compactMap(\.self).min() }

  /// What the user chooses next: the form that is not shown, and after the expanded one none, so that the page
  /// decides again.
  var nextChoice: DisplayMode? {
    if chosenMode == .expanded, shownMode == .expanded { return nil }
    return shownMode == .compact ? .expanded : .compact
  }

  /// Whether a form that the user has chosen on another page, or none, is to be shown here: the card is not alone, and
  /// shows another one.
  func takes(_ mode: DisplayMode?) -> Bool {
    let isShown =
      mode == nil ? chosenMode == nil : mode == displayMode && mode == shownMode
    return !isAlone && !isShown && offersExpanded
  }

  /// The user chooses a form, or leaves that to the page.
  mutating func choose(_ mode: DisplayMode?) {
    pageMode = mode ?? .compact
    if isAlone { aloneMode = mode ?? .expanded }
    chosenMode = mode
  }

  /// Called when the widget has sent its content, perhaps with a view.
  mutating func contentDidCome(hasView: Bool) {
    isCollapsed = false
    if hasView { expanded.viewDidCome() }
  }

  /// Sets the largest form that the widget offers.
  ///
  /// - Parameters:
  ///   - mode: The form.
  ///   - isLive: Whether the card shows a live view. If it does, the form is applied one frame later,
  ///     so that a widget that changes it twice in a row causes no flicker.
  ///   - now: The present time.
  /// - Returns: What that changes at once.
  mutating func setLargest(
    _ mode: DisplayMode,
    isLive: Bool,
    at now: ContinuousClock.Instant
  ) -> Change? {
    wanted = nil
    guard (mode == .expanded) != offersExpanded else { return nil }
    guard isLive else { return take(mode, isLive: false) }
    wanted = (mode, now + Self.frameTime)
    return nil
  }

  /// Applies the form that is due.
  mutating func wake(at now: ContinuousClock.Instant) -> Change? {
    guard let (mode, due) = wanted, due <= now else { return nil }
    wanted = nil
    return take(mode, isLive: true)
  }

  /// Gives up an expanded form that was offered when the program last ran: the content that is shown is that of
  /// a widget that does not.
  mutating func forgetInherited() -> Change? {
    wanted == nil && offersExpanded ? take(.compact, isLive: false) : nil
  }

  /// Starts or stops to offer the expanded form; without it, an expanded card becomes compact.
  ///
  /// A widget that offers it at its start gets what the user has chosen; later that would move the page.
  private mutating func take(_ mode: DisplayMode, isLive: Bool) -> Change {
    let (hadFixedHeight, before) = (hasFixedHeight, displayMode)
    offersExpanded = mode == .expanded
    if offersExpanded, !isLive { pageMode = chosenMode ?? .compact }
    let isShortened = !offersExpanded && before == .expanded
    if !offersExpanded { pageMode = .compact }
    if isShortened { isCollapsed = isLive }
    return Change(
      hadFixedHeight: hadFixedHeight,
      isShortened: isShortened,
      changesMode: displayMode != before
    )
  }
}
