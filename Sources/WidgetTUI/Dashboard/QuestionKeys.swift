import WidgetHost
import WidgetKitCore

/// Asks the questions of a page, and takes the answers.
final class QuestionKeys {
  private unowned let owner: any DashboardKeysOwner
  private let perform: (Intent) -> Void
  /// When the present question came on the screen.
  private var start = ContinuousClock.now

  /// How long Enter may still be meant for what was there before: it is what presses a row.
  private static let patience = Duration.milliseconds(300)

  init(owner: any DashboardKeysOwner, perform: @escaping (Intent) -> Void) {
    self.owner = owner
    self.perform = perform
  }

  /// Shows a question, or closes it; one that comes while something else is over the page is not asked.
  func ask(_ question: PageQuestion?) {
    switch (owner.model.mode, question) {
    case (.page, let question?):
      owner.model.mode = .question(QuestionBox(question))
      start = .now
    case (.question, nil): owner.model.mode = .page
    case (_, nil): break
    case (_, let question?): answer(question, .notNow)
    }
  }

  /// Handles a key while a question is shown.
  func handle(_ key: Key, _ intent: Intent?, in box: QuestionBox) {
    if let answer = box.answer(key, on: owner.model.size) {
      guard key != .enter || start.duration(to: .now) >= Self.patience else { return }
      self.answer(box.question, answer)
    } else if case .control = key, let intent, intent.appliesEverywhere {
      perform(intent)
    } else if let rows = rows(key, intent, in: box) {
      var box = box
      box.scroll(by: rows, on: owner.model.size)
      owner.model.mode = .question(box)
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
    if let trouble { center.say(SafeText("\(trouble)")) }
  }
}
