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

  private func page(_ cards: [WebCard], title: SafeText = "Home") -> String {
    WebPage(
      title: title,
      date: now,
      reload: 60,
      cards: cards,
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
