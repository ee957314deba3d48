import FoundationEssentials
import WidgetCards
import WidgetKitCore
import WidgetPlatform

/// A page of cards as one HTML file, for telephones and large screens, light and dark, without scripts.
nonisolated struct WebPage {
  /// The name of the page.
  var title: SafeText
  /// The machine that publishes it; nil for none.
  var publisher: SafeText?
  /// When it was last known to be correct.
  var date: Date
  /// Seconds after which a browser loads it again.
  var reload: Int
  var cards: [WebCard]
  /// The pictures that are drawn.
  var images: DrawnImages = [:]
  /// The theme for light backgrounds.
  var light: Theme
  /// The theme for dark backgrounds.
  var dark: Theme

  /// Nothing is loaded, run or sent, whatever a card contains.
  private static let policy =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

  /// The whole file.
  var text: String {
    var styles = WebStyles(light: light, dark: dark)
    let articles = cards.map { $0.markup(&styles, images: images, now: date) }.joined()
    let name = MarkupText.escaped(title.onOneLine.string)
    let place = publisher.map { " · " + MarkupText.escaped($0.onOneLine.string) } ?? ""
    let none = "<p class=\"empty\">Nothing is published here at present.</p>\n"
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
      <meta http-equiv="refresh" content="\(reload)">
      <meta name="viewport" content="width=device-width,initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="referrer" content="no-referrer">
      <meta name="robots" content="noindex">
      <meta name="generator" content="today">
      <title>\(name)\(place)</title>
      <style>
      \(WebSheet.text)
      \(styles.rules)
      </style>
      </head>
      <body>
      <header><h1>\(name)</h1><p>\(Self.day(date))\(place)</p></header>
      <main>
      \(cards.isEmpty ? none : articles)</main>
      <footer><p>Each card shows when its content was last correct and when the next update is due. \
      A due time in the past means the card is out of date.</p></footer>
      </body>
      </html>

      """
  }

  /// The day and the time of the page.
  private static func day(_ date: Date) -> String {
    guard let time = LocalTime(date) else { return "" }
    let words = MarkupText.escaped("\(DayWording.words(for: date)) \(time.year), \(time.clock)")
    return "<time datetime=\"\(ISOTime.text(date))\">\(words)</time>"
  }
}
