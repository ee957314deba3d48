import FoundationEssentials
import WidgetCards
import WidgetKitCore
import WidgetPlatform
import WidgetSessions

/// Writes the page as the object of `--format json`.
nonisolated struct JSONWriter: Sendable {
  var width: Int
  var date: Date
  /// Whether views with private content are omitted; `rows` has them covered.
  var redactsPrivate = false

  private struct Page: Encodable {
    var width: Int
    var date: Date
    var cards: [PageCard]
  }

  private struct PageCard: Encodable {
    var bundleIdentifier: String
    var instance: String?
    var name: SafeText
    var state: CardStatus
    var message: SafeText?
    var date: Date?
    var age: Double?
    var stale: Bool
    var displayMode: DisplayMode
    var size: Size
    var rows: [String]
    var view: ViewNode?
  }

  /// The object, indented, with a line feed; an empty object if it cannot be encoded.
  func text(_ cards: [Card], bodies: [CardID: CardBody]) -> String {
    let page = Page(width: width, date: date, cards: cards.map { pageCard($0, bodies[$0.id]) })
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf",
      negativeInfinity: "-inf",
      nan: "nan"
    )
    guard let data = try? encoder.encode(page) else { return "{}\n" }
    return HarmlessJSON.text(String(decoding: data, as: UTF8.self)) + "\n"
  }

  private func pageCard(_ card: Card, _ body: CardBody?) -> PageCard {
    var canvas = Canvas(size: body?.size ?? .zero)
    if let body {
      for run in MotionFrame.runs(of: body) { canvas.put(run, in: canvas.bounds) }
    }
    return PageCard(
      bundleIdentifier: card.id.bundleIdentifier,
      instance: card.id.instance?.rawValue,
      name: card.name,
      state: card.state,
      message: card.message,
      date: card.contentDate,
      age: card.ageDate.map { max(0, (date.timeIntervalSince($0) * 1000).rounded() / 1000) },
      stale: card.isStale,
      displayMode: card.displayMode,
      size: canvas.size,
      rows: TextWriter.lines(canvas),
      view: redactsPrivate && card.view?.hasPrivateContent == true ? nil : card.view
    )
  }
}
