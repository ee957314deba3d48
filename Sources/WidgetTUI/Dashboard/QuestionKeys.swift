import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// Asks the questions of a page, and takes the answers.
final class QuestionKeys {
  private unowned let owner: any DashboardKeysOwner
  private let perform: (Intent) -> Void
  /// A question that comes while something is typed into a field, until that is left.
  private var waiting: PageQuestion?
  /// When the present question was on the screen first; nil before it was drawn.
  private var drawn: ContinuousClock.Instant?
  /// When a key was typed last that was not meant for the question.
  private var lastStray: ContinuousClock.Instant?

  /// How long a question is on the screen, and no key was meant for anything else, before it takes answers.
  static let settlingTime = Duration.milliseconds(500)

  init(owner: any DashboardKeysOwner, perform: @escaping (Intent) -> Void) {
    self.owner = owner
    self.perform = perform
  }

  /// Shows a question, or closes it; one that comes while something else is over the page is not asked, and one
  /// that comes while a field has the focus waits until the user leaves the field.
  func ask(_ question: PageQuestion?) {
    switch (owner.model.mode, question) {
    case (.page, let question?) where owner.model.place.focus?.isField == true:
      waiting = question
      owner.center.notices.say(Self.words(about: question))
    case (.page, let question?): show(question)
    case (.question, nil): owner.model.mode = .page
    case (_, nil):
      if let waiting { owner.center.notices.end(Self.words(about: waiting)) }
      waiting = nil
    case (_, let question?): answer(question, .notNow)
    }
  }

  private static func words(about question: PageQuestion) -> SafeText {
    "\(question.name) has a question; Esc leaves the field."
  }

  private func show(_ question: PageQuestion) {
    (waiting, drawn, lastStray) = (nil, nil, nil)
    owner.model.mode = .question(QuestionBox(question))
  }

  /// A key was handled, which may have left the field for which a question waits.
  func keyWasHandled() {
    guard let waiting, case .page = owner.model.mode, owner.model.place.focus?.isField != true
    else {
      return
    }
    show(waiting)
  }

  /// The question is on the screen.
  func wasDrawn() {
    if drawn == nil { drawn = owner.now }
  }

  /// Whether a key is an answer: it was typed after the question could be read, and not among others.
  private var isSettled: Bool {
    guard let drawn else { return false }
    let now = owner.now
    return drawn.duration(to: now) >= Self.settlingTime
      && lastStray.map { $0.duration(to: now) >= Self.settlingTime } ?? true
  }

  /// Handles a key while a question is shown.
  func handle(_ key: Key, _ intent: Intent?, in box: QuestionBox) {
    if let answer = box.answer(key, on: owner.model.size) {
      guard isSettled else {
        lastStray = owner.now
        return
      }
      self.answer(box.question, answer)
    } else if let intent = owner.keyMap.intentOverPage(of: key) {
      perform(intent)
    } else if let rows = rows(key, intent, in: box) {
      var box = box
      box.scroll(by: rows, on: owner.model.size)
      owner.model.mode = .question(box)
    } else {
      lastStray = owner.now
    }
  }

  /// How far a key scrolls what is asked about; nil if it does not.
  ///
  /// Enter does where it does not agree.
  private func rows(_ key: Key, _ intent: Intent?, in box: QuestionBox) -> Int? {
    let page = box.factRows(on: owner.model.size)
    return switch intent {
    case .nextCard: 1
    case .previousCard: -1
    case .pageDown: page
    case .pageUp: -page
    case .top: -10_000
    default: key == .enter || key == .character(" ") ? page : nil
    }
  }

  /// Gives an answer, and says why it could not be kept.
  private func answer(_ question: PageQuestion, _ answer: PageAnswer) {
    let center = owner.center
    let trouble: HostError? =
      switch (question, answer) {
      // A link has no such answers.
      case (.url, .once), (.url, .anyArguments): nil
      case (.url, .always): center.urls.answer(.always)
      case (.url, .notNow): center.urls.answer(.notNow)
      case (.url, .never): center.urls.answer(.never)
      case (.command, .always): center.commands.answer(.always)
      case (.command, .anyArguments): center.commands.answer(.anyArguments)
      case (.command, .once): center.commands.answer(.once)
      case (.command, .notNow): center.commands.answer(.notNow)
      case (.command, .never): center.commands.answer(.never)
      }
    if let trouble { center.notices.say(SafeText("\(trouble)")) }
  }
}
