import WidgetKitCore

/// What the terminal can show pictures with, as it says when it is asked.
///
/// It is asked behind a picture of the page and answers when it likes; until then, and for some time if
/// it never does, nothing is known, and then characters are used.
struct TerminalGraphics {
  /// How pictures are shown.
  enum Method: Hashable {
    /// The graphics protocol of kitty, with characters that stand for the cells of a picture.
    case kitty
    /// Sixel graphics.
    case sixel
  }

  /// Whether the terminal understands or ignores questions.
  private let canAsk: Bool
  /// Whether it shows the characters that stand for pictures.
  private let isUTF8: Bool
  private let asksForKitty: Bool
  private var asked: ContinuousClock.Instant?
  private var hasKitty = false
  /// Whether it has said so since it was asked last.
  private var hasSaidKitty = false
  private var hasSixel = false
  /// Whether it has answered the last question.
  private var hasAnswered = false
  private var cell: CellPixels?

  /// How long it may take for the answer before characters are used.
  static let patience: Duration = .milliseconds(400)
  init(_ kind: TerminalKind, isUTF8: Bool) {
    canAsk = kind.answersQuestions
    asksForKitty = kind.ignoresApplicationCommands
    self.isUTF8 = isUTF8
  }

  /// The same terminal, of which only the size of a cell is known.
  private init(_ before: TerminalGraphics) {
    canAsk = before.canAsk
    isUTF8 = before.isUTF8
    asksForKitty = before.asksForKitty
    cell = before.cell
  }

  /// What is sent before the screen is cleared: some terminals show an application program command as
  /// text.
  ///
  /// Empty if it was sent before. A picture of one pixel, which the terminal only tries.
  var commandQuestion: [UInt8] {
    guard canAsk, isUTF8, asksForKitty, asked == nil else { return [] }
    return Array("\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\".utf8)
  }

  /// What is sent behind a picture; empty if it was sent before.
  mutating func question(at now: ContinuousClock.Instant) -> [UInt8] {
    guard canAsk, isUTF8, asked == nil else { return [] }
    asked = now
    hasSaidKitty = false
    // The size of a cell, and what every terminal answers.
    return Array(("\u{1B}[16t" + TerminalAnswers.lastQuestion).utf8)
  }

  /// The terminal is asked again with the next picture, as it may be another one.
  ///
  /// Nothing is known until then, so that no picture is sent to one that cannot show it.
  mutating func forget() {
    self = TerminalGraphics(self)
  }

  /// Takes over what the terminal said.
  mutating func take(_ report: TerminalReport) {
    switch report {
    case .graphics(let isSupported):
      hasSaidKitty = isSupported
      hasKitty = isSupported
    case .attributes(let numbers):
      // The terminal may have been asked for something else.
      guard isUTF8 else { return }
      hasKitty = hasSaidKitty
      hasSixel = numbers.contains(4)
      hasAnswered = true
    case .cellPixels(let width, let height): cell = CellPixels(told: width, height) ?? cell
    case .background, .appearance, .focus, .wholeFrames, .position, .version, .notifications: break
    }
  }

  /// Takes over the size of a cell as the system knows it.
  mutating func take(_ size: CellPixels?) {
    cell = size ?? cell
  }

  /// How pictures are shown; nil with characters.
  var method: Method? {
    if hasKitty { return .kitty }
    return hasSixel && cell != nil ? .sixel : nil
  }

  /// The pixels of a cell.
  var cellPixels: CellPixels { cell ?? .usual }

  /// Whether nothing is known yet, but will be.
  func isUndecided(at now: ContinuousClock.Instant) -> Bool {
    guard canAsk, isUTF8, !hasAnswered, method == nil else { return false }
    return asked.map { $0.duration(to: now) < Self.patience } ?? true
  }
}
