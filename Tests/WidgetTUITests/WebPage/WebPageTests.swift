import FoundationEssentials
import Testing
import WidgetCards
import WidgetKitCore
import WidgetSessions

@testable import WidgetTUI

/// Pages as HTML.
@Suite struct WebPageTests {
  private let now = SamplePage.now

  private func card(
    _ name: SafeText,
    _ lines: [SafeText],
    links: [(String, SafeText)] = [],
    style: CellStyle = .plain
  ) -> WebCard {
    var card = WebCard(SamplePage.card(name, .live, age: 0))
    var view = LaidOutView(size: Size(columns: 44, rows: lines.count))
    view.runs = lines.enumerated().map { SamplePage.run($1, row: $0, style: style) }
    view.targets = links.enumerated().map { row, link in
      PressTarget(
        frame: Rect(column: 0, row: row, columns: 4, rows: 1),
        elementID: nil,
        action: nil,
        link: link.0,
        newValue: nil,
        label: link.1
      )
    }
    card.pictures = [WebCard.Picture(columns: 44, view: view)]
    return card
  }

  private func page(
    _ cards: [WebCard],
    title: SafeText = "Home",
    images: DrawnImages = [:]
  ) -> String {
    WebPage(
      title: title,
      date: now,
      reload: 60,
      cards: cards,
      images: images,
      light: Theme(depth: .full, isDark: false),
      dark: Theme(depth: .full, isDark: true)
    ).text
  }

  @Test func `no text of a widget breaks out of the page`() {
    let hostile: SafeText = #"</pre></title><script>alert("&'x")</script><img src=x onerror=y>-->"#
    var card = card(hostile, [hostile])
    card.spoken = [hostile.string]
    let text = page([card], title: hostile)
    #expect(!text.contains("<script") && !text.contains("<img"))
    #expect(text.split(separator: "</pre>").count == 2)
    #expect(text.split(separator: "</title>").count == 2)
    #expect(text.contains("&lt;script&gt;alert(&quot;&amp;&#39;x&quot;)"))
    #expect(text.contains("Content-Security-Policy\" content=\"default-src 'none';"))
    #expect(!text.contains("<link") && !text.contains("src=\"http"))
  }

  @Test func `links lead to the web alone, and to nothing without a name`() {
    let text = page([
      card(
        "Links",
        ["good", "evil", "file", "none"],
        links: [
          ("https://example.com/?a=1&b=\"2\"", "good"), ("javascript:alert(1)", "evil"),
          ("file:///etc/passwd", "file"), ("https://example.com/private", ""),
        ]
      )
    ])
    let link = "<a href=\"https://example.com/?a=1&amp;b=&quot;2&quot;\" rel=\"noopener"
    #expect(text.contains(link))
    #expect(text.components(separatedBy: "<a ").count == 2)
    #expect(!text.contains("javascript") && !text.contains("passwd") && !text.contains("private"))
  }

  @Test func `a card says when its content was correct, and until when that is good`() {
    var card = card("Disks", ["27 %"])
    card.date = now.addingTimeInterval(-3600)
    card.end = now.addingTimeInterval(-3000)
    var old = self.card("Old", ["x"])
    old.date = now.addingTimeInterval(-86_400)
    old.trouble = "Out of date"
    let text = page([card, old])
    #expect(text.contains("<time datetime=\"2026-11-20T11:00:00Z\">"))
    #expect(text.contains("<span>until <time datetime=\"2026-11-20T11:10:00Z\">"))
    #expect(text.contains("<time datetime=\"2026-11-19T12:00:00Z\">"))
    #expect(text.contains("<p class=\"warn\">Out of date</p>"))
    #expect(text.contains("<meta http-equiv=\"refresh\" content=\"60\">"))
  }

  @Test func `what a widget says about its errors is not published`() {
    var card = SamplePage.card("Mail", .failed, age: 60)
    card.message = "login of me@example.com with password hunter2 failed"
    let text = page([WebCard(card)])
    #expect(text.contains("Update failed") && !text.contains("hunter2"))
    var broken = SamplePage.card("Feeds", .stopped)
    broken.message = "token=abc"
    #expect(!page([WebCard(broken)]).contains("abc"))
  }

  @Test func `bars are drawings, and what stands in their place is said`() {
    var card = card("CPU", ["███░░ 60 %"], style: CellStyle(foreground: .green))
    card.spoken = ["CPU at 60 percent"]
    let text = page([card])
    #expect(text.contains("<svg viewBox=") && text.contains("aria-hidden=\"true\""))
    #expect(!text.contains("█"))
    #expect(text.contains("<p class=\"spoken\">CPU at 60 percent</p>"))
    #expect(text.contains("<h2>CPU</h2>") && text.contains("<h1>Home</h1>"))
  }

  private static let drawing = ImageDrawing(number: 1, size: Size(columns: 4, rows: 3))

  /// A card with a picture of three rows, and a line of text after a blank one.
  private func pictureCard(_ link: String? = nil, text: SafeText? = nil) -> WebCard {
    var card = card("Photo", Array(repeating: "", count: 5))
    card.pictures[0].view.runs = (0..<3).map { row in
      let cells = (0..<4).map { column in
        let place = Position(column: column, row: row)
        return Cell(glyph: Glyph(image: ImageCell(Self.drawing, at: place)), style: .plain)
      }
      return CellRun(position: Position(column: 0, row: row), cells: cells, element: nil)
    }
    if let text { card.pictures[0].view.runs.append(SamplePage.run(text, row: 4)) }
    card.pictures[0].view.targets = [link].compactMap(\.self).map { url in
      PressTarget(
        frame: Rect(column: 0, row: 0, columns: 4, rows: text == nil ? 3 : 5),
        elementID: nil,
        action: nil,
        link: url,
        newValue: nil,
        label: "A lake"
      )
    }
    return card
  }

  private static var images: DrawnImages {
    ImagePixels(width: 1, height: 1, bytes: [0, 0, 0, 255]).map { [drawing: .pixels($0)] } ?? [:]
  }

  @Test func `a card that is only a picture is as high as that`() {
    let text = page([pictureCard()], images: Self.images)
    #expect(
      text.contains("<pre style=\"--n:44;min-height:calc(3*var(--row))\">\n<i class=\"image\"")
    )
    #expect(text.contains("top:calc(0*var(--row));width:4ch;height:calc(3*var(--row))"))
  }

  @Test func `a first row without text keeps its place`() {
    // The first line break after the tag is not counted, and the next ones are.
    #expect(page([card("Low", ["", "text"])]).contains("--n:44\">\n\ntext</pre>"))
    #expect(page([card("High", ["text"])]).contains("--n:44\">\ntext</pre>"))
  }

  @Test func `a picture and a bar lead to where they should, with a name`() {
    let url = "https://example.com/lake"
    let alone = page([pictureCard(url)], images: Self.images)
    #expect(
      alone.contains("<a href=\"\(url)\" rel=\"noopener noreferrer nofollow\" class=\"over\"")
    )
    #expect(alone.contains("height:calc(3*var(--row))\" aria-label=\"A lake\"></a>"))
    // With text it is one stop of the Tab key.
    let both = page([pictureCard(url, text: "lake")], images: Self.images)
    #expect(both.contains("rel=\"noopener noreferrer nofollow\">lake</a>"))
    #expect(both.contains("tabindex=\"-1\" class=\"over\""))
    let bar = page([card("Load", ["████"], links: [(url, "60 percent")])])
    #expect(bar.contains("nofollow\" aria-label=\"60 percent\"><svg"))
    let word = page([card("Load", ["load"], links: [(url, "load")])])
    #expect(!word.contains("aria-label"))
  }

  @Test func `rows of buttons that nobody can press take no room at the end`() {
    let view = { (lines: [SafeText]) in
      WebCard.withoutBlankEnd(card("Card", lines).pictures[0].view).size.rows
    }
    #expect(view(["a", "", "b", "", ""]) == 3 && view(["a"]) == 1)
    #expect(view(["", ""]) == 1 && view([]) == 0)
    #expect(WebCard.withoutBlankEnd(pictureCard().pictures[0].view).size.rows == 3)
  }

  @Test func `half blocks have the colours of both halves`() {
    let style = CellStyle(foreground: .red, background: .blue)
    let other = CellStyle(foreground: .red, background: .green)
    var card = card("Art", ["▀▀", ""], style: style)
    card.pictures[0].view.runs.append(SamplePage.run("▀", column: 2, row: 0, style: other))
    card.pictures[0].view.runs.append(SamplePage.run("▀", column: 3, row: 0))
    let text = page([card])
    #expect(text.contains("<svg class=\"c0\" viewBox=\"0 0 16.86 18\""))
    #expect(text.contains("<svg class=\"c1\" viewBox=\"0 0 8.43 18\""))
    #expect(text.contains("</svg><svg viewBox=\"0 0 8.43 18\""))
    for name in ["c0", "c1"] {
      // As high as its row.
      #expect(
        text.contains("\n.\(name){display:inline-block;height:var(--row);vertical-align:top}")
      )
      let rule = text.split(separator: "\n").first { $0.hasPrefix(".\(name){color") }
      #expect(rule?.contains(";background:#") == true)
    }
  }

  @Test func `text is both underlined and struck through`() {
    let style = CellStyle(attributes: [.underline, .strikethrough])
    #expect(
      page([card("Both", ["text"], style: style)])
        .contains(".c0{text-decoration:underline line-through}")
    )
  }

  @Test(arguments: [
    (["CPU 23 %", "Memory 7 GB"], []), (["CPU 23 % of 8 cores"], ["CPU 23 % of 8 cores"]),
    (["a line that is", "─────"], []), (["23 percent"], ["23 percent"]),
    (["Load 4", "-5 h", "Load 5"], ["Load 5"]),
  ])
  func `what can be read is not said again, wherever its lines break`(
    _ lines: [String],
    _ said: [String]
  ) {
    let rows = ["CPU", "23 %   Memory 7", "GB", "a line that", "is broken", "Load ▁▂▃ 4 −5 h"]
    #expect(WebCard.unwritten(lines, in: rows) == said)
  }

  @Test func `a picture of a card in trouble offers nothing that a reader could do`() {
    for state in [CardStatus.failed, .stopped, .live] {
      var card = SamplePage.card("Mail", state, age: 2 * 86_400)
      (card.hasFailedUpdate, card.hiddenRows) = (true, 7)
      (card.offersExpanded, card.isUpdating) = (true, true)
      card.message = "no answer from imap.example.com"
      let drawn = EditionMaker.dated(card, WebCard(card), now: now)
      let view = SamplePage.list(["3 unread"], width: 56)
      let renderer = PageRenderer(width: 60, date: now, showsHeader: false)
      let lines = TextWriter.lines(renderer.canvas([drawn], bodies: [card.id: CardBody(view)]))
      let text = lines.joined(separator: "\n")
      #expect(text.contains("Update failed, Wed"), "\(text)")
      for word in ["retry", "more", "updating", "imap", "▾", "▸"] {
        #expect(!text.contains(word), "\(text)")
      }
    }
    // Without content.
    let empty = SamplePage.card("Mail", .failed)
    let drawn = EditionMaker.dated(empty, WebCard(empty), now: now)
    let renderer = PageRenderer(width: 60, date: now, showsHeader: false)
    #expect(!TextWriter.lines(renderer.canvas([drawn], bodies: [:])).joined().contains("retry"))
  }

  /// The colours of widgets, on the cards of both themes.
  @Test(arguments: [true, false])
  func `all text can be read on light and on dark cards`(isDark: Bool) {
    let ground = WebStyles.Ground(theme: Theme(depth: .full, isDark: isDark))
    var colors = SemanticColor.allCases.map { ground.theme.rgb(named: $0) }
    colors += (0...255).map { RGB(index: $0) }
    for color in colors {
      let shown = ground.text(color, on: ground.card)
      #expect(shown.contrast(with: ground.card) >= 4.5)
    }
    #expect(ground.text(ground.label, on: ground.page).contrast(with: ground.page) >= 4.5)
  }

  @Test func `a page without cards, and dates that are none, are written`() {
    #expect(page([]).contains("Nothing is published here"))
    for seconds in [Double.nan, .infinity, -1e300, 1e300] {
      #expect(ISOTime.text(Date(timeIntervalSince1970: seconds)).isEmpty)
    }
  }
}
