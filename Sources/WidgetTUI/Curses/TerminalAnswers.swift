/// Whether answers of the terminal are on their way, which nobody else may read.
///
/// Terminals answer in order, so that a group of questions has been answered with its last one.
nonisolated struct TerminalAnswers {
  /// What answers the last question of each group.
  enum Last {
    /// The question that every terminal answers (DA1).
    case attributes
    /// The place of the cursor.
    case position
  }

  private let last: Last
  private var outstanding = 0
  private var asked: ContinuousClock.Instant?

  /// The question that every terminal answers.
  static let lastQuestion = "\u{1B}[c"

  /// How long the way out of the program waits for them: a slow network's time for one way and back.
  static let farewellPatience: Duration = .milliseconds(400)
  /// When no answer is expected any more, as the terminal gives none.
  private static let patience: Duration = .seconds(10)

  init(_ last: Last = .attributes) { self.last = last }

  /// Questions were sent.
  mutating func wereAsked(at now: ContinuousClock.Instant) {
    outstanding += 1
    asked = now
  }

  /// Takes note of an answer.
  mutating func take(_ report: TerminalReport) {
    switch (report, last) {
    case (.attributes, .attributes), (.position, .position): outstanding = max(0, outstanding - 1)
    default: break
    }
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
