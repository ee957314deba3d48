public import WidgetCards
public import WidgetExtensions
public import WidgetKitCore
public import WidgetPlatform
import WidgetSessions

/// What the widgets of a page may do: the questions in their cards, and the answers.
///
/// A class because the page and the interface share it.
public final class PagePermissions {
  /// A question that is in a card.
  private struct Open {
    var question: PermissionQuestion
    var bundle: WidgetBundle
    /// Where the card was drawn last, and since when it is there; nil while it is not on the screen.
    var place: (frame: Rect, since: ContinuousClock.Instant)?
  }

  private let page: PageCards
  private let confinement: WidgetConfinement
  private let notices: PageNotices
  private let clock: any HostClock
  private var open: [CardID: Open] = [:]
  /// What was denied because nobody could be asked, with the words about it.
  private var unasked: [CardID: SafeText] = [:]

  /// How long a question must have been at its place before a press on it counts: one that came sooner was
  /// meant for what was there before.
  static let readingTime: Duration = .milliseconds(500)

  init(
    page: PageCards,
    confinement: WidgetConfinement,
    notices: PageNotices,
    clock: any HostClock
  ) {
    self.page = page
    self.confinement = confinement
    self.notices = notices
    self.clock = clock
  }

  // MARK: - Starting

  /// Asks the user, if necessary, before a widget is started.
  ///
  /// - Returns: Why it cannot be started now; nil if it can, perhaps with less than it asks for.
  func obstacle(_ bundle: WidgetBundle, _ id: CardID) -> SafeText? {
    if let stranger = confinement.stranger(bundle) {
      close(id)
      return SafeText(stranger.description)
    }
    let requests = confinement.openRequests(of: bundle, id)
    guard !requests.isEmpty, confinement.asks else {
      close(id)
      noteUnasked(requests, bundle, id)
      return nil
    }
    noteUnasked([], bundle, id)
    let words = SafeText(HostError.unanswered(requests, bundle).description)
    // A widget that is only looked at in the gallery has no card in which it could ask.
    guard let card = page.controllers.first(where: { $0.card.id == id }) else {
      return words
    }
    let question = PermissionQuestion(
      requests,
      of: bundle,
      remarks: confinement.remarks(of: bundle, id)
    )
    if open[id]?.question.isSame(as: question) != true {
      open[id] = Open(question: question, bundle: bundle)
      card.send(.question(question))
    }
    return words
  }

  private func noteUnasked(
    _ requests: [EntitlementRequest],
    _ bundle: WidgetBundle,
    _ id: CardID
  ) {
    let words: SafeText? =
      requests.isEmpty
      ? nil
      : """
      \(bundle.displayName) may not \(SafeText(requests.map(\.words.string).joined(separator: ", "))), as nobody \
      could be asked; today permissions \(SafeText(bundle.bundleIdentifier)) --grant all permits it
      """
    guard words != unasked[id] else { return }
    if let before = unasked[id] { notices.forget(before) }
    unasked[id] = words
    if let words { notices.note(words, about: id) }
  }

  private func close(_ id: CardID) {
    guard open.removeValue(forKey: id) != nil else { return }
    page[id]?.send(.question(nil))
  }

  /// Forgets what was permitted once to the widget of a card, which gets a new session.
  func sessionDidBegin(_ id: CardID) {
    close(id)
    confinement.forgetOnce(id)
  }

  // MARK: - Answers

  /// The cards with a question.
  public var asking: [CardID] { Array(open.keys) }

  /// Records where a card with a question was drawn; nil if it is not on the screen, or something is over it.
  public func wasDrawn(_ id: CardID, at frame: Rect?) {
    guard frame != open[id]?.place?.frame else { return }
    open[id]?.place = frame.map { ($0, clock.now) }
  }

  /// Takes a press on a card with a question; false for any other card.
  ///
  /// Nothing but the buttons of the question can be pressed there, and these only when they have been at
  /// their place long enough to be read.
  func take(_ target: PressTarget, on id: CardID) -> Bool {
    guard let asked = open[id] else { return false }
    guard let answer = asked.question.answer(of: target) else { return true }
    guard let place = asked.place, place.since.duration(to: clock.now) >= Self.readingTime else {
      let name = asked.bundle.displayName
      notices.sayUnlessLocked("\(name): not answered, as the question has only just appeared here.")
      return true
    }
    do throws(HostError) {
      try confinement.answer(answer, asked.question.requests, of: asked.bundle, id)
    } catch {
      notices.sayUnlessLocked(
        "\(asked.bundle.displayName): not answered: \(SafeText(error.description))"
      )
      return true
    }
    if answer == .once {
      page[id]?.tell(.bundleChanged)
    } else {
      // An answer is for all widgets of the app.
      recordsMayHaveChanged([])
    }
    return true
  }

  /// What the widget of a card requests, and whether it is permitted now.
  public func requests(of id: CardID) -> [Permission] {
    page[id]?.session.map { confinement.permissions(of: $0.bundle, id) } ?? []
  }

  /// Permits or refuses a request of the widget of a card, for all widgets of its app; they are started again.
  ///
  /// - Returns: Why the answer could not be stored; nil if it was.
  public func set(_ isGranted: Bool, _ request: EntitlementRequest, of id: CardID) -> HostError? {
    guard let bundle = page[id]?.session?.bundle else { return nil }
    do throws(HostError) {
      try confinement.set(isGranted, request, of: bundle)
    } catch {
      return error
    }
    recordsMayHaveChanged([])
    return nil
  }

  /// Starts the widgets again that may do something else after files of permissions have changed.
  ///
  /// No names stand for all of them.
  func recordsMayHaveChanged(_ names: Set<String>) {
    // All are looked at before one is started, which takes note of what holds for its app.
    let outdated = page.controllers.compactMap(\.session).filter {
      confinement.isOutdated($0.bundle, changed: names)
    }
    for session in outdated { session.handle(.bundleChanged) }
  }

  /// Sets whether there is somebody who can be asked.
  ///
  /// A locked page denies what was not answered; when it is unlocked, the widgets concerned ask.
  func setAsking(_ asks: Bool) {
    guard asks != confinement.asks else { return }
    confinement.asks = asks
    let concerned = asks ? Array(unasked.keys) : Array(open.keys)
    for id in concerned { page[id]?.tell(.bundleChanged) }
  }
}
