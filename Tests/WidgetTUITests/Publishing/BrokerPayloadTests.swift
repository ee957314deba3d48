import Foundation
import Testing
import WidgetCards
import WidgetKitCore
import WidgetPlatform
import WidgetSessions

@testable import WidgetTUI

/// Cards as messages of a broker.
@Suite struct BrokerPayloadTests {
  private func card(_ lines: [String], view: ViewNode? = nil) -> WebCard {
    var card = WebCard(SamplePage.card("Disks", .live, age: 0))
    var laidOut = LaidOutView(size: Size(columns: 80, rows: lines.count))
    laidOut.runs = lines.enumerated().map { SamplePage.run(SafeText($1), row: $0) }
    card.pictures = [WebCard.Picture(columns: 80, view: laidOut)]
    card.view = view
    return card
  }

  private func content(_ card: WebCard) throws -> [String: Any] {
    let bytes = CardPayload.bytes(of: card)
    #expect(bytes.count <= 65_536)
    return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
  }

  @Test func `a card is its name, its view and its rows, with its date`() throws {
    let view = ViewNode(.text(TextContent(spans: [TextSpan("27 %")])))
    let found = try content(card(["27 %"], view: view))
    #expect(found["name"] as? String == "Disks" && found["rows"] as? [String] == ["27 %"])
    #expect(found["date"] as? String == "2026-11-20T12:00:00Z" && found["view"] != nil)
    #expect(found["bundleIdentifier"] as? String == "com.example.Disks")
  }

  @Test func `over 64 KiB the rows alone are sent, then as many as there is room for`() throws {
    let long = String(repeating: "x", count: 70_000)
    let view = ViewNode(.text(TextContent(spans: [TextSpan(SafeText(long))])))
    let text = try content(card(["short"], view: view))
    #expect(text["view"] == nil && text["text"] as? String == "short")
    let lines = (0..<2_000).map { "\($0) " + String(repeating: "é\"", count: 35) }
    let cut = try #require(try content(card(lines, view: view))["text"] as? String)
    let count = cut.split(separator: "\n").count
    #expect(count > 200 && count < 2_000 && cut.hasPrefix("0 é"))
  }

  @Test func `names of topics have no wildcards and no levels of their own`() throws {
    let topics = try #require(BrokerTopics(host: "nas"))
    let ids = try [
      "org.today.System", "org.today.Clock:Tokyo", "com.other.System", "com.example.$a+b#c",
    ].map { text throws(HostError) in try ExtensionIdentity(parsing: text) }
    let found = topics.topics(of: ids)
    #expect(
      ids.map { found[$0] } == [
        "today/nas/org.today.System", "today/nas/Clock-Tokyo", "today/nas/com.other.System",
        "today/nas/-a-b-c",
      ]
    )
    #expect(topics.state == "today/nas/$state")
    // Whatever of them is shown, each keeps its topic.
    #expect(topics.topics(of: ids.reversed()) == found)
    for name in ["", "a/b", "+", "#", "$x", "a b", "a\nb"] {
      #expect(BrokerTopics(host: name) == nil)
    }
    #expect(BrokerTopics(host: BrokerTopics.hostName) != nil)
  }
}
