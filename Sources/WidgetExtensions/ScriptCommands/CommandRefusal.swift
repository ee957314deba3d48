package import WidgetKitCore
package import WidgetPlatform

/// Why a command of a script was not run, or what became of it.
package enum CommandRefusal: Error, Hashable, Sendable {
  case nobodyPressed
  case locked
  case notPermitted
  /// The user does not run it now; nothing is said, as the user knows.
  case notNow
  case busy
  case missing(program: String)
  /// The sandbox of the script, in which it would run, does not start for this reason.
  case noSandbox(String)
  case noScreen
  case didNotStart(String)
  case tooSlow(Duration)
  case failed(TerminationStatus, lastLine: SafeText?)

  /// What happened, to follow the name of the card.
  package var words: SafeText {
    switch self {
    case .nobodyPressed: "a command is run only after a press on the card"
    case .locked: "the page is locked"
    case .notPermitted:
      "you do not permit this command; “today permissions” says how to change that"
    case .notNow: "you chose not to run this command now"
    case .busy: "another question is open"
    case .missing(let program): SafeText("\(program) is not installed, or cannot be run")
    case .noSandbox(let reason): SafeText(reason)
    case .noScreen: "there is no terminal for it"
    case .didNotStart(let reason): SafeText(reason)
    case .tooSlow(let limit): SafeText("ended, as it took more than \(limit.components.seconds) s")
    case .failed(let status, let line):
      SafeText("\(status)" + (line.map { ": \($0.string)" } ?? ""))
    }
  }

  /// The same as the answer to a request.
  package var wireError: WireError {
    switch self {
    case .notNow: WireError(code: .declined, message: words.string)
    case .nobodyPressed, .locked, .notPermitted, .busy, .noSandbox:
      WireError(code: .notPermitted, message: words.string)
    default: WireError(code: .internalError, message: words.string)
    }
  }
}
