import Testing

@testable import WidgetPlatform

@Suite struct WaitedTimeTests {
  @Test func `turns are added up, and one that comes late counts only in part`() {
    let start = ContinuousClock.now
    var waited = WaitedTime(from: start)
    #expect(waited.takeTurn(at: start + .milliseconds(2)) == .milliseconds(2))
    #expect(waited.takeTurn(at: start + .seconds(60)) == WaitedTime.longestTurn)
    #expect(waited.takeTurn(at: start + .seconds(60) + .milliseconds(5)) == .milliseconds(5))
    #expect(waited.total == .milliseconds(7) + WaitedTime.longestTurn)
  }
}
