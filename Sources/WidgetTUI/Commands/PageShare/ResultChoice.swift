import ExtensionContent
import WidgetKitCore
import WidgetRequests

/// Lets a person choose what becomes of what an action on the page has returned.
struct ResultChoice {
  private let result: ReturnedContent
  private let pane: SharePane
  private let environment: [String: String]
  private let pin: PinnedText?

  /// - Parameters:
  ///   - result: What was returned.
  ///   - pane: Where the person is asked.
  ///   - environment: The environment of the user.
  ///   - canPin: Whether a card can be added to the page.
  init(
    _ result: ReturnedContent,
    _ pane: SharePane,
    _ environment: [String: String],
    canPin: Bool
  ) {
    (self.result, self.pane, self.environment) = (result, pane, environment)
    pin = canPin ? result.text.flatMap { PinnedText($0, title: result.title) } : nil
  }

  /// Asks until something was done with the result, or it was discarded.
  func outcome() async -> PageShareOutcome {
    var question = ResultQuestion(
      title: result.target.bundle.displayName.onOneLine,
      preview: result.preview,
      choices: ResultQuestion.Choice.allCases.filter { choice in
        switch choice {
        case .copy: result.text != nil
        case .pin: pin != nil
        case .save, .discard: true
        }
      },
      fileName: result.fileName
    )
    while true {
      let (answer, asked) = await ask(question)
      question = asked
      do throws(CommandError) {
        switch answer {
        case .discards: return .over
        case .copies:
          // As a shell takes what a command has printed.
          let text = (result.text ?? "").reversed().drop(while: \.isNewline).reversed()
          return .copies(String(text))
        case .pins:
          if let pin { return .pinned(try pin.add(environment)) }
        case .saves(let name, let replaces):
          let file = SavedFile(typed: name, environment: environment)
          if try file.write(result, replaces: replaces, environment: environment) {
            return .says(SafeText("Saved \(file.path).").onOneLine)
          }
          question.fileExists(name)
        }
      } catch {
        question.didFail(SafeText(error.description))
      }
    }
  }

  private func ask(
    _ question: ResultQuestion
  ) async -> (answer: ResultQuestion.Answer, question: ResultQuestion) {
    var question = question
    let drawing = { (look: PaneLook) in question.picture(look) }
    let answer = await pane.ask(drawing) { question.take($0, $1) }
    return (answer, question)
  }
}
