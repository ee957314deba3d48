import FoundationEssentials
import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// Gives what has the focus to a share extension or an action, in a pane at its row.
final class ContentKeys {
  private unowned let owner: any DashboardKeysOwner
  private let copy: (String) -> Void
  private let replay: (Key) -> Void
  /// The pane that is open; nil if none is.
  private var pane: PagePane?
  /// The card that was pinned, which gets the focus as soon as it is on the page.
  private var pinned: ExtensionIdentity?
  /// Called when nothing is on its way to an extension any more, as the page ends.
  private var completion: (() -> Void)?
  private var patience: (any HostTimer)?

  /// The longest time that an extension may take to end with the page.
  private static let patienceTime = Duration.milliseconds(2_500)

  /// - Parameters:
  ///   - owner: The dashboard.
  ///   - copy: Copies a text, and says so.
  ///   - replay: Handles a key of the page that was typed before the pane had gone.
  init(
    owner: any DashboardKeysOwner,
    copy: @escaping (String) -> Void,
    replay: @escaping (Key) -> Void
  ) {
    (self.owner, self.copy, self.replay) = (owner, copy, replay)
  }

  /// What the element or the card with the focus is as content; nil if it has none yet.
  private var content: PageShareContent.Origin? {
    if let file { return .file(file) }
    if let link = owner.model.focusedTarget?.link { return .text(link) }
    guard let text = CopiedText(model: owner.model).focusedContent, !text.isEmpty else {
      return nil
    }
    return .text("\(text)\n")
  }

  /// The file that the element with the focus leads to; nil if it leads to none.
  private var file: String? {
    guard let link = owner.model.focusedTarget?.link, link.hasPrefix("file://") else { return nil }
    let path = URL(string: link)?.path(percentEncoded: false) ?? ""
    return path.hasPrefix("/") ? path : nil
  }

  /// Opens the pane.
  func begin(_ verb: PageShareVerb) {
    guard pane == nil else { return }
    guard !owner.model.content.isLocked else {
      return owner.center.notices.say(owner.center.lock.words)
    }
    guard let sharing = owner.sharing else {
      return owner.center.notices.say("Nothing can be shared from this page.")
    }
    guard let content, let focus = owner.model.place.focus else {
      return owner.center.notices.say("There is nothing to share yet.")
    }
    let name = owner.model.card(focus.card)?.name ?? ""
    let pane = PagePane(owner: owner)
    (self.pane, pinned) = (pane, nil)
    let shared = PageShareContent(origin: content, cardName: name)
    sharing.begin(shared, verb, on: pane) { [weak self] outcome, keys in
      self?.end(outcome, keys)
    }
  }

  /// Takes a key while the pane is open.
  func take(_ key: Key) { pane?.take(key) }

  /// The screen has another size.
  func sizeDidChange() { pane?.draw() }

  private func end(_ outcome: PageShareOutcome, _ keys: [Key]) {
    pane?.end()
    pane = nil
    if let completion {
      patience?.cancel()
      self.completion = nil
      return completion()
    }
    switch outcome {
    case .over: break
    case .says(let words): owner.center.notices.say(words.onOneLine)
    case .copies(let text): copy(text)
    case .pinned(let card):
      pinned = card
      owner.center.notices.say("The result is a card now; e edits the page.")
    case .runs(let launch): run(launch)
    }
    for key in keys { replay(key) }
    owner.showModel()
  }

  /// Gives the terminal to a program.
  private func run(_ launch: LaunchDescription) {
    let program = TerminalProgram(
      launch,
      didStart: { [weak owner] hasStarted in
        if !hasStarted { owner?.center.notices.say("It could not be started.") }
      },
      didEnd: { [weak owner] status in
        guard status != .exited(0) else { return }
        owner?.center.notices.say(SafeText("\(launch.program): \(status)"))
      }
    )
    guard let handover = owner.center.urls.terminalHandover else { return program.refuse() }
    handover(program)
  }

  /// The page has other contents: a card that was pinned is seen at once.
  func contentDidChange() {
    guard let pinned, owner.model.card(pinned) != nil else { return }
    self.pinned = nil
    owner.model.place.focus = PageFocus(card: pinned)
    owner.cardsDidMove()
    owner.showModel()
  }

  // MARK: - The end of the page

  /// Ends what is on its way; `completion` is called when that has ended, or after a short time.
  func end(on clock: any HostClock, completion: @escaping () -> Void) {
    guard let pane else { return completion() }
    self.completion = completion
    patience = clock.schedule(after: Self.patienceTime) { [weak self] in
      self?.end(.over, [])
    }
    pane.onInterruption()
    owner.sharing?.cancel()
  }
}
