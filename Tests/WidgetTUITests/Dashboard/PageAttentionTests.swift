import Testing

@testable import WidgetTUI

@Suite struct PageAttentionTests {
  /// Whether the user came back from an app, for each report of the focus.
  private func returns(_ reports: [Bool], _ attention: PageAttention) -> [Bool] {
    var attention = attention
    return reports.map { attention.setFocus($0) }
  }

  @Test func `the focus that returns from an app is reported once`() {
    var attention = PageAttention()
    attention.appWasOpened()
    #expect(returns([false, true, false, true], attention) == [false, true, false, false])
  }

  @Test func `an app from which the user has returned before is forgotten`() {
    var attention = PageAttention()
    attention.appWasOpened()
    attention.keysWereTyped()
    #expect(returns([false, true], attention) == [false, false])
  }
}
