import Testing
import WidgetKitCore

@testable import WidgetHost

@Suite struct NewestViewTests {
  private let start = ContinuousClock.now

  private func line(_ text: String) throws -> IncomingLine {
    try IncomingLine(
      Array(#"{"jsonrpc":"2.0","method":"setView","params":{"view":"\#(text)"}}"#.utf8)[...]
    )
  }

  @Test func `the first view is shown at once`() throws {
    var views = NewestView(interval: .milliseconds(40))
    #expect(views.hold(try line("a"), at: start) == .zero)
    #expect(views.take(at: start)?.bytes == (try line("a").bytes))
    #expect(views.take(at: start) == nil)
  }

  @Test func `the newest of many replaces the others`() throws {
    var views = NewestView(interval: .milliseconds(40))
    #expect(views.hold(try line("a"), at: start) == .zero)
    #expect(views.hold(try line("b"), at: start) == nil)
    #expect(views.hold(try line("c"), at: start) == nil)
    #expect(views.take(at: start)?.bytes == (try line("c").bytes))
  }

  @Test(arguments: [(0, 40), (10, 30), (39, 1), (40, 0), (500, 0)])
  func `the next one waits for the rest of the interval`(passed: Int, rest: Int) throws {
    var views = NewestView(interval: .milliseconds(40))
    _ = views.hold(try line("a"), at: start)
    _ = views.take(at: start)
    let delay = views.hold(try line("b"), at: start + .milliseconds(passed))
    #expect(delay == .milliseconds(rest))
  }

  @Test func `a view of a process that has ended is dropped`() throws {
    var views = NewestView(interval: .milliseconds(40))
    _ = views.hold(try line("a"), at: start)
    views.reset()
    #expect(views.take(at: start) == nil)
  }
}
