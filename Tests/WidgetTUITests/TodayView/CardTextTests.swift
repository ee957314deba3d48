import FoundationEssentials
import Testing
import WidgetCards
import WidgetKitCore
import WidgetSessions

@testable import WidgetTUI

@Suite struct CardTextTests {
  /// A card of a list of texts, and what it is in a number of columns.
  private func card(_ texts: [String], columns: Int, glyphs: GlyphSet) -> (Card, CardBody) {
    var card = SamplePage.card("A", .live, age: 0)
    let view = VStack { for text in texts { Text(text).lineLimit(1) } }.node
    card.view = view
    let environment = LayoutEnvironment(now: SamplePage.now, glyphs: glyphs)
    return (card, CardBody(ViewLayout.layOut(view, width: columns, in: environment)))
  }

  @Test(arguments: [GlyphSet.unicode, .ascii], [6, 20, 80])
  func `a text that the card cuts is whole`(glyphs: GlyphSet, columns: Int) {
    let long = String(repeating: "words ", count: 40) + "end"
    let (card, body) = card(["a", long], columns: columns, glyphs: glyphs)
    #expect(card.isCut(body.drawnText))
    #expect(card.wholeText(of: body) == "a\n\(long)")
  }

  @Test func `a text that has the mark itself is as it is drawn`() {
    let (card, body) = card(["… running", "in ~/todo.txt"], columns: 40, glyphs: .unicode)
    #expect(!card.isCut(body.drawnText))
    #expect(card.wholeText(of: body) == "… running\nin ~/todo.txt")
  }

  @Test func `a text that has no room on the widest page is as it is drawn`() {
    let (card, body) = card([String(repeating: "x", count: 2_000)], columns: 20, glyphs: .unicode)
    #expect(card.wholeText(of: body) == body.drawnText)
  }

  @Test func `buttons and fields are none of the text`() throws {
    var card = SamplePage.card("A", .live, age: 0)
    let view = VStack {
      Text("First post")
      HStack(spacing: 1) {
        Text("2 unread")
        Button("All read", action: "read")
      }
      Toggle("Unread only", isOn: false, action: "unread")
      Text("[4 of 5]").action("page")
      Field("feed", placeholder: "Add a feed", action: "add")
    }.node
    card.view = view
    let body = CardBody(
      ViewLayout.layOut(view, width: 40, in: LayoutEnvironment(now: SamplePage.now))
    )
    #expect(card.wholeText(of: body) == "First post\n2 unread\n☐ Unread only\n[4 of 5]")
  }

  @Test func `what is covered stays so`() {
    let (card, body) = card([String(repeating: "x", count: 40)], columns: 20, glyphs: .unicode)
    #expect(card.concealed.wholeText(of: body) == body.drawnText)
  }
}
