import WidgetExtensions
import WidgetKitCore

extension Card {
  /// Takes over the name, and what the bundle says of the heading.
  mutating func setHeading(_ name: SafeText, _ bundle: WidgetBundle) {
    self.name = name
    mark = bundle.infoPlist.widgetExtension?.mark ?? CardMark()
    hasSettings = !bundle.settings.isEmpty
    appName = bundle.openableAppName
  }

  /// Copies what is drawn from the parts of the card, at the end of an event.
  mutating func show(_ display: CardDisplay, _ freshness: Freshness, _ widget: CardWidget) {
    let size = display.size
    (state, message) = (display.health.state, display.health.message)
    (contentDate, asksForPermission) = (display.content.date, display.content.isAsking)
    past = display.content.shownPast.map { CardPast($0) }
    (bodySize, hiddenRows, marginInsets) = (size.body, size.hiddenRows, size.room.margins)
    (displayMode, chosenMode) = (size.form.shownMode, size.form.chosenMode)
    expandedRows = size.form.offersExpanded ? size.form.expanded.rows : nil
    offersExpanded = size.form.offersExpanded
    (pressCue, pressed) = (display.presses.cue, display.presses.pressed)
    pending = display.presses.pending
    (isUpdating, isStale) = (freshness.isUpdating, freshness.isStale)
    isWithinInterval = freshness.isWithinInterval
    (hasMissedUpdate, hasFailedUpdate) = (freshness.hasMissedUpdate, freshness.hasFailedUpdate)
    hasNoGoodUpdate = freshness.hasNoGoodUpdate
    // What the user can do with rows depends on what the process implements.
    allowsEditing = widget.session.canBeEdited
    removesRows = widget.implemented.contains(ListDidRemoveRowRequest.method)
    movesRows = widget.implemented.contains(ListDidMoveRowRequest.method)
    addsRows = widget.implemented.contains(WidgetListPerformAddActionRequest.method)
  }
}
