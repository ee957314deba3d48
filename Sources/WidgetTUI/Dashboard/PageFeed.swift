import FoundationEssentials
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// Takes what the engine has into the model, as rarely as possible.
struct PageFeed {
  private let center: WidgetCenter
  private let clock: any HostClock
  /// The engine's count of changes when the model was last updated; nil to update it in any case.
  private var takenChanges: Int?
  /// When the contents of the inspector were last updated.
  private var lastLook: ContinuousClock.Instant?
  /// When a text on the screen changes by itself; nil if none will.
  private var nextText: ContinuousClock.Instant?

  init(_ center: WidgetCenter, clock: any HostClock) {
    self.center = center
    self.clock = clock
  }

  /// Whether the model differs from the engine.
  func isDue(for model: TodayModel) -> Bool {
    takenChanges != center.signals.changeCount || center.drawing.isAnimating || isLookDue(model)
  }

  /// Whether nothing but what glides has changed since the last picture, so that the model is as it should be.
  func isUpToDate(_ model: TodayModel) -> Bool {
    model.glides.isGliding && !isDue(for: model) && (nextText.map { clock.now < $0 } ?? true)
  }

  /// Whether the engine has changed, or other cards are shown, since the model was last updated.
  var isBehind: Bool { takenChanges != center.signals.changeCount }

  /// The cards are taken with the next picture even if the engine is as it was.
  mutating func forget() {
    takenChanges = nil
  }

  /// Updates the model; if the width of a card changes, the engine lays it out again.
  mutating func update(_ model: inout TodayModel) {
    model.look.now = clock.date
    model.content.dayWords = DayWording.words(for: model.look.now)
    model.content.problems = center.notices.problems
    let isViewer = center.role == .viewer
    model.tabs.setNames(isViewer ? [center.screen.page] : center.page.names)
    model.show(center.screen.page)
    takeCards(&model)
    let isLaidOut = model.isLaidOut && center.screen.hasSetWidths
    if !isLaidOut, center.page.hasScanned || !model.content.cards.isEmpty { giveWidths(&model) }
    if isLookDue(model), let card = model.inspector?.card {
      let (found, now, size) = (center.inspection(of: card), model.look.now, model.size)
      model.inspector?.take(found, now: now, on: size)
      lastLook = clock.now
    }
    model.content.isLoading = !center.page.hasScanned
    model.content.newWidgets = isViewer ? [] : center.page.newWidgets
    model.content.notice = center.notices.current
    model.content.waitingNotices = isViewer ? 0 : center.noticeDesk.waitingCount
    model.content.isQuiet = !isViewer && center.noticeDesk.isQuiet
    model.content.noticeCard = center.noticeDesk.card?.id
    model.content.hiddenCount = center.page.hiddenCount
    takeGallery(&model)
    if isLaidOut { model.keepLayout() } else { model.layOut() }
    model.checkDrag()
    model.noteChangedNumbers()
    model.noteGlides(at: clock.now)
  }

  /// Plans the page, and gives each card the width that it has there.
  private mutating func giveWidths(_ model: inout TodayModel) {
    // Behind a card that is shown alone, all others stay as they are.
    model.checkZoom()
    if model.place.zoom == nil { model.arrange(at: clock.now) }
    guard setWidths(&model), model.place.zoom == nil else { return }
    // Heights are those at the new widths now, and of the contents that are shown there.
    for _ in 0..<Self.rounds {
      model.arrange(isSecond: true, at: clock.now)
      guard setWidths(&model) else { return }
    }
  }

  /// How often the widths of cards are adjusted to the heights that they have with them.
  private static let rounds = 3

  /// Updates the gallery, if it is open, and the picture of the selected widget.
  private func takeGallery(_ model: inout TodayModel) {
    guard var editing = model.editing, var gallery = editing.gallery else { return }
    gallery.take(center.edits.choices)
    let width = WidgetGallery.previewWidth(model.size)
    if !gallery.showsAvailable, let selected = gallery.selected, width > 0 {
      center.preview.show(selected.id, width: width)
      gallery.preview = center.preview.drawing(of: selected.id)
    } else {
      center.preview.end()
      gallery.preview = nil
    }
    editing.gallery = gallery
    model.mode = .edit(editing)
  }

  /// Lays out the cards whose width has changed; false if there are none.
  @discardableResult
  private mutating func setWidths(_ model: inout TodayModel) -> Bool {
    let screen = FirstScreen(columns: model.columnCount, rows: model.viewport.size.rows)
    guard center.screen.setWidths(model.widths, filling: screen) else { return false }
    takeCards(&model)
    return true
  }

  /// Whether the inspector is to be updated: at first, and then once per second, as it reads files.
  private func isLookDue(_ model: TodayModel) -> Bool {
    guard let inspector = model.inspector else { return false }
    guard !inspector.lines.isEmpty, let lastLook,
      inspector.columns == OverlayBox.columns(on: model.size)
    else { return true }
    return lastLook.duration(to: clock.now) >= .seconds(1)
  }

  private mutating func takeCards(_ model: inout TodayModel) {
    takenChanges = center.signals.changeCount
    model.take(center.drawing.cards(at: clock.now))
  }

  /// How long until a text on the screen changes, or what moves is elsewhere; nil if nothing will.
  ///
  /// `cards` is when a text on a card does.
  mutating func pause(_ model: TodayModel, cards: Date?) -> Duration? {
    let text = textPause(model, cards: cards)
    nextText = text.map { clock.now + $0 }
    return [text, model.glides.pause].compactMap(\.self).min()
  }

  private func textPause(_ model: TodayModel, cards: Date?) -> Duration? {
    let now = clock.date
    // The inspector is updated once per second.
    let inspected = model.inspector.map { _ in now.addingTimeInterval(1) }
    let dates = [
      inspected, cards, DayWording.nextChange(after: now), model.changedNumbers.nextEnd,
    ]
    guard let next = dates.compactMap(\.self).min() else { return nil }
    // Two milliseconds late, so that the date has certainly passed.
    let delay = max(0, next.timeIntervalSince(now)) + 0.002
    return .milliseconds(Int(saturated: min(delay, 86_400) * 1000))
  }
}
