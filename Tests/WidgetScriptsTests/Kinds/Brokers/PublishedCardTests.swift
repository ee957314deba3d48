import FoundationEssentials
import Testing
import WidgetKitCore

@testable import WidgetScripts

/// What a published card says besides its view, as anybody may send it.
@Suite struct PublishedCardTests {
  private func card(_ payload: String) -> PublishedCard { PublishedCard(Array(payload.utf8)) }

  @Test(arguments: [
    #"{"date": "2026-11-20T14:32:07+01:00", "interval": 60}"#,
    #"{"cards": [{"date": "2026-11-20T13:32:07Z", "interval": 60}]}"#,
  ])
  func `a card says when it was made and how long it is new`(payload: String) {
    #expect(card(payload).date == Date(timeIntervalSince1970: 1_795_181_527))
    #expect(card(payload).interval == 60)
  }

  @Test(arguments: [
    "", "[]", "21.5", #"{"date": "yesterday", "interval": -1}"#, #"{"date": 7, "interval": "60"}"#,
    #"{"interval": 0, "message": "motion in the hall"}"#,
    #"{"view": {"type": "divider"}, "message": ""}"#, #"{"view": {}, "message": 7}"#,
  ])
  func `what is no date, no interval and no card is left out`(payload: String) {
    #expect(card(payload) == card("{}"))
  }

  @Test func `a card says what is wrong with it`() {
    let view = #""view": {"type": "text", "text": "x"}"#
    #expect(card(#"{\#(view), "message": "no disk"}"#).message == "no disk")
    #expect(card(#"{"cards": [{\#(view), "message": "no disk"}]}"#).message == "no disk")
    let rows = #"{"bundleIdentifier": "org.today.Disks", "text": "x", "message": "no disk"}"#
    #expect(card(rows).message == "no disk")
    let odd = card(#"{\#(view), "message": "a\n\u001b[31mb"}"#).message?.string ?? ""
    #expect(!odd.isEmpty && !odd.unicodeScalars.contains { $0.value < 0x20 })
  }
}
