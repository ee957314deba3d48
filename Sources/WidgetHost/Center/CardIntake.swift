import WidgetKitCore

/// The card that owns a ``CardIntake``.
protocol CardIntakeOwner: AnyObject {
  /// Whether the widget has nothing to show, so that no snapshot is loaded.
  var isHidden: Bool { get }
  /// Copies the content to what is drawn; returns whether files of pictures in it are others than
  /// before.
  @discardableResult
  func noteContent() -> Bool
  /// Called when the saved snapshot is shown.
  func snapshotDidShow()
  /// Called when the content must be drawn.
  ///
  /// - Parameter resizes: Whether the height of the content may have changed.
  func contentDidChange(resizes: Bool)
}

/// Takes content in, from the widget or from a snapshot, and tells the other parts of the card.
struct CardIntake {
  private unowned let owner: any CardIntakeOwner
  private unowned let page: any CardPage
  private let content: CardContent
  private let widget: CardWidget
  private let size: CardSize
  private let updates: CardUpdates
  private let presses: CardPresses
  private let input: CardInput

  init(
    owner: any CardIntakeOwner,
    page: any CardPage,
    content: CardContent,
    widget: CardWidget,
    size: CardSize,
    updates: CardUpdates,
    presses: CardPresses,
    input: CardInput
  ) {
    self.owner = owner
    self.page = page
    self.content = content
    self.widget = widget
    self.size = size
    self.updates = updates
    self.presses = presses
    self.input = input
  }

  // MARK: - From the widget

  /// Applies new content from the widget.
  func apply(_ update: ContentUpdate, _ source: ContentSource) {
    var update = update
    // What was found for an older text than the newest is not shown.
    if let view = update.view, input.isStale(view, source) { update.view = nil }
    presses.clearCue()
    size.contentDidCome()
    changingContent { takeIn(update, source) }
    presses.deliverWaiting()
  }

  /// Makes a change of what is drawn; a change of height that follows starts from what is on the screen
  /// now.
  func changingContent(_ work: () -> Void) {
    if widget.hasAppeared, content.view != nil {
      size.takingIn(work)
    } else {
      work()
    }
  }

  private func takeIn(_ update: ContentUpdate, _ source: ContentSource) {
    let inputBefore = input.state
    if let view = update.view {
      input.viewDidCome(view, source)
      presses.viewDidCome()
      content.setSwitched(presses.switched)
      widget.ownViewDidCome()
    }
    let hasOtherInput = input.state != inputBefore
    if hasOtherInput { content.relayOut() }
    let isOther = content.apply(update, source)
    // A widget may write another file at the same path.
    let hasOtherImages = owner.noteContent()
    let changed = isOther || hasOtherInput || hasOtherImages
    updates.checkAge()
    size.contentDidShow(
      isOther: changed && update.view != nil,
      isStated: changed && update.view == nil && source == .push,
      lastPress: presses.last
    )
    if changed {
      owner.contentDidChange(resizes: true)
    } else if source == .update {
      page.cardDidChange()
    }
  }

  // MARK: - From a snapshot

  /// Shows the saved snapshot if there is no live view.
  func showSnapshot() {
    guard !owner.isHidden else { return }
    if content.showSnapshot() {
      noteSnapshot()
      updates.checkAge()
    }
    updates.settleHistory()
  }

  /// Shows the snapshot if loading it was deferred and no content has come since.
  func showOwedSnapshot() {
    guard content.owesSnapshot else { return }
    content.setOwed(false)
    guard !widget.hasAppeared else { return }
    showSnapshot()
    size.resize(animated: false)
  }

  /// Shows the snapshot that another host saved if it is newer than the shown content.
  func takeOverSnapshot() {
    guard let changed = content.showNewerSnapshot() else { return }
    noteSnapshot()
    owner.contentDidChange(resizes: changed)
  }

  private func noteSnapshot() {
    owner.noteContent()
    owner.snapshotDidShow()
  }
}
