import FoundationEssentials
import WidgetCards
import WidgetKitCore
import WidgetPlatform
import WidgetSessions

/// A card as everybody may see it: nothing private, no words of errors, nothing to press but links.
nonisolated struct WebCard {
  /// What a view looks like at a width.
  struct Picture {
    var columns: Int
    var view: LaidOutView
  }

  /// What can be seen of a card, besides its dates.
  struct Face: Hashable {
    var id: CardID
    var name: SafeText
    var trouble: SafeText?
    var runs: [[CellRun]]
    var links: [String?]
    var spoken: [String]
  }

  /// Its identity, by which its part of the page is found.
  var id: CardID
  /// The name in the heading.
  var name: SafeText
  /// The sign before the name, and its colour.
  var mark = CardMark()
  /// What is wrong with its content, in general words; nil if nothing is.
  var trouble: SafeText?
  /// When its content was last known to be correct; nil without content.
  var date: Date?
  /// When its content will be older than it should be; nil if it has no interval.
  var end: Date?
  /// The seconds after which something new of it is expected.
  var seconds = 60.0
  /// Its view, the narrowest picture first; none without content.
  var pictures: [Picture] = []
  /// What a screen reader says in place of its charts and symbols, line by line.
  var spoken: [String] = []

  /// The view that it is made from; nil if a part of it is private, or a file.
  var view: ViewNode?

  /// A card of a page, without what is for its user alone.
  init(_ card: Card) {
    (id, name, mark) = (card.id, card.name.onOneLine, card.mark)
    date = card.ageDate
    trouble = Self.trouble(card)
  }

  /// Words that tell nothing of paths, addresses and answers of servers, as messages of widgets do.
  private static func trouble(_ card: Card) -> SafeText? {
    switch card.state {
    case .failed, .stopped: return card.view == nil ? "No content" : "Update failed"
    case .live, .snapshot, .starting, .hidden: break
    }
    if card.view == nil { return "No content yet" }
    if card.hasFailedUpdate || card.message != nil { return "Update failed" }
    return card.isStale ? "Out of date" : nil
  }

  /// What can be seen of it, besides its dates.
  var face: Face {
    Face(
      id: id,
      name: name,
      trouble: trouble,
      runs: pictures.map(\.view.runs),
      links: pictures.flatMap { $0.view.targets.map(\.link) },
      spoken: spoken
    )
  }

  /// The rows of its content as text, without the dates around it.
  var rows: [String] {
    pictures.first.map { TextWriter.lines(Self.canvas($0.view)) } ?? []
  }

  /// Those of the lines of text whose letters and numbers `rows` do not have, which may break lines in other places and
  /// have charts between words.
  static func unwritten(_ lines: [String], in rows: [String]) -> [String] {
    let written = words(rows.joined())
    return lines.filter { line in
      let words = words(line)
      return !words.isEmpty && !written.contains(words)
    }
  }

  private static func words(_ text: String) -> String {
    text.filter { $0.isLetter || $0.isNumber }
  }

  /// The cells of a view.
  static func canvas(_ view: LaidOutView) -> Canvas {
    var canvas = Canvas(size: view.size)
    for run in view.runs { canvas.put(run, in: canvas.bounds) }
    return canvas
  }

  /// A view without the rows at its end that show nothing, such as those of buttons that readers do not have.
  static func withoutBlankEnd(_ view: LaidOutView) -> LaidOutView {
    let canvas = canvas(view)
    let last = (0..<canvas.size.rows).last { !canvas.styledText(inRow: $0).isEmpty }
    var view = view
    view.size.rows = last.map { $0 + 1 } ?? min(1, view.size.rows)
    return view
  }

  // MARK: - Markup

  /// The part of a page, in which `images` are drawn; `now` is the moment of the page.
  func markup(_ styles: inout WebStyles, images: DrawnImages, now: Date) -> String {
    let kind = pictures.count > 1 ? " class=\"wide\"" : ""
    var body = "<article id=\"\(MarkupText.escaped(id.description))\"\(kind)>"
    body += "<header><h2>\(sign(&styles))\(MarkupText.escaped(name.string))</h2>"
    if let date { body += "<p>\(Self.time(date, now: now))\(until(now))</p>" }
    body += "</header>\n"
    if let trouble { body += "<p class=\"warn\">\(MarkupText.escaped(trouble.string))</p>\n" }
    if !spoken.isEmpty {
      let lines = spoken.map(MarkupText.escaped).joined(separator: "<br>")
      body += "<p class=\"spoken\">\(lines)</p>\n"
    }
    for (index, picture) in pictures.enumerated() {
      let kind = pictures.count == 1 ? "" : index == 0 ? " class=\"slim\"" : " class=\"broad\""
      let links = picture.view.targets.compactMap { target in
        // What is private has no label.
        target.label.isEmpty
          ? nil
          : target.link.map { WebCells.Link(area: target.frame, url: $0, label: target.label) }
      }
      let cells = WebCells(Self.canvas(picture.view), links: links)
      let rows = cells.pictureRows
      let height = rows > 0 ? ";min-height:calc(\(rows)*var(--row))" : ""
      // Of the text that follows, the first line break would count for nothing.
      body += "<pre\(kind) style=\"--n:\(picture.columns)\(height)\">\n"
      body += cells.markup(&styles, images) + "</pre>\n"
    }
    return body + "</article>\n"
  }

  private func sign(_ styles: inout WebStyles) -> String {
    guard let glyph = mark.glyph else { return "" }
    let style = CellStyle(foreground: mark.tint ?? .secondary)
    let name = styles.name(of: style, isShape: true) ?? ""
    let sign = MarkupText.escaped(glyph.string)
    return "<span class=\"sign \(name)\" aria-hidden=\"true\">\(sign)</span>"
  }

  private func until(_ now: Date) -> String {
    end.map { " <span>until \(Self.time($0, now: now))</span>" } ?? ""
  }

  /// A moment as people and programs read it: the time, with the day if that is another one.
  static func time(_ date: Date, now: Date) -> String {
    "<time datetime=\"\(ISOTime.text(date))\">\(AgeWording.moment(date, now: now))</time>"
  }
}
