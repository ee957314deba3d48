/// Whether the background of the terminal is dark: as the environment says, until the terminal does.
///
/// The terminal is asked together with a picture and answers when it likes, so that no picture waits
/// for it.
struct TerminalBackground {
  private(set) var isDark: Bool
  /// Whether the terminal understands or ignores questions.
  private let canAsk: Bool
  private var asked: ContinuousClock.Instant?

  init(_ kind: TerminalKind) {
    isDark = kind.isDark
    canAsk = kind.answersQuestions
  }

  /// What is sent to the terminal before the next picture; empty if it was asked before.
  mutating func question(at now: ContinuousClock.Instant) -> [UInt8] {
    guard canAsk, asked == nil else { return [] }
    asked = now
    return Array((TerminalReport.query + TerminalReport.follow).utf8)
  }

  /// What is sent when the terminal is given back.
  var farewell: [UInt8] { asked == nil ? [] : Array(TerminalReport.unfollow.utf8) }

  /// The terminal is asked again with the next picture.
  mutating func forget() {
    asked = nil
  }

  /// Takes over what the terminal said; returns whether that is something else.
  mutating func take(_ report: TerminalReport) -> Bool {
    let before = isDark
    switch report {
    case .background(let color): isDark = color.isDark
    case .appearance(let isDark): self.isDark = isDark
    case .focus, .graphics, .attributes, .wholeFrames, .cellPixels, .position, .version,
      .notifications:
      break
    }
    return isDark != before
  }
}
