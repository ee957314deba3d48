import FoundationEssentials
import WidgetCards
import WidgetKitCore
import WidgetSessions

/// Writes cards as plain lines for screen readers and scripts: no frames, no columns, ASCII for lines and
/// bars, and the accessibility label of an element in place of its picture.
nonisolated struct PlainWriter: Sendable {
  /// The columns of a line.
  var width: Int
  /// The time for ages.
  var date: Date
  /// Whether the first line is the day.
  var showsHeader = true
  /// Whether private content is covered.
  var redactsPrivate = false

  /// The cards, each with its name, its state in words, and its content.
  func text(_ cards: [Card]) -> String {
    let header = showsHeader ? [DayWording.words(for: date).string] : []
    let parts = cards.map { card in ([heading(card)] + content(card)).joined(separator: "\n") }
    return (header + parts).map { $0 + "\n" }.joined(separator: "\n")
  }

  /// The name, what is wrong, and the age of the content.
  private func heading(_ card: Card) -> String {
    var words = [card.name.onOneLine.string]
    if card.isInTrouble { words.append(Self.trouble(card)) }
    if let correct = card.ageDate, !card.isKeptCurrent {
      words.append(AgeWording.ago(date.timeIntervalSince(correct)).string)
    }
    return words.joined(separator: ", ")
  }

  private static func trouble(_ card: Card) -> String {
    if let message = card.message { return message.onOneLine.string }
    if card.state == .failed || card.state == .stopped { return card.state.rawValue }
    return card.hasFailedUpdate ? "update failed" : "out of date"
  }

  /// The rows of the content.
  func content(_ card: Card) -> [String] {
    guard !card.isConcealed else { return [] }
    guard let view = card.view else { return card.isInTrouble ? [] : ["Nothing to show yet."] }
    var environment = LayoutEnvironment(now: date, glyphs: .ascii)
    environment.showsLabels = true
    environment.redactsPrivate = redactsPrivate
    let body = ViewLayout.layOut(view, width: width, in: environment)
    var canvas = Canvas(size: body.size)
    for run in body.runs { canvas.put(run, offset: .zero, in: canvas.bounds) }
    return TextWriter.lines(canvas)
  }
}
