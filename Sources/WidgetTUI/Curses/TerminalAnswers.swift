/// Whether answers of the terminal are on their way, which nobody else may read.
///
/// Every group of questions ends with the one that all terminals answer (DA1), and terminals answer in order.
nonisolated struct TerminalAnswers {
  private var outstanding = 0
  private var asked: ContinuousClock.Instant?

  /// The question that every terminal answers.
  static let lastQuestion = "\u{1B}[c"

  /// How long the way out of the program waits for them: a slow network's time for one way and back.
  static let farewellPatience: Duration = .milliseconds(400)
  /// When no answer is expected any more, as the terminal gives none.
  private static let patience: Duration = .seconds(10)

  /// Questions were sent, the last one of which is ``lastQuestion``.
  mutating func wereAsked(at now: ContinuousClock.Instant) {
    outstanding += 1
    asked = now
  }

  /// Takes note of an answer.
  mutating func take(_ report: TerminalReport) {
    if case .attributes = report { outstanding = max(0, outstanding - 1) }
  }

  /// Nothing is expected any more.
  mutating func forget() {
    (outstanding, asked) = (0, nil)
  }

  /// Whether an answer is on its way.
  func areExpected(at now: ContinuousClock.Instant) -> Bool {
    guard outstanding > 0, let asked else { return false }
    return asked.duration(to: now) < Self.patience
  }
}
