import Testing
import WidgetKitCore

@testable import EngineTestSupport
@testable import WidgetSessions

@Suite struct NewestViewTests {
  private let start = ContinuousClock.now

  private func view(_ text: SafeText) -> NewestView.Item { .view(.words(text)) }

  /// The view that is shown now.
  private func shown(_ item: NewestView.Item?) -> ViewNode? {
    guard case .view(let view)? = item else { return nil }
    return view
  }

  @Test func `the first view is shown at once`() {
    var views = NewestView(interval: .milliseconds(40))
    #expect(views.hold(view("a"), at: start) == .zero)
    #expect(shown(views.take(at: start)) == .words("a"))
    #expect(shown(views.take(at: start)) == nil)
  }

  @Test func `the newest of many replaces the others`() {
    var views = NewestView(interval: .milliseconds(40))
    #expect(views.hold(view("a"), at: start) == .zero)
    #expect(views.hold(view("b"), at: start) == nil)
    #expect(views.hold(view("c"), at: start) == nil)
    #expect(shown(views.take(at: start)) == .words("c"))
  }

  @Test(arguments: [(0, 40), (10, 30), (39, 1), (40, 0), (500, 0)])
  func `the next one waits for the rest of the interval`(passed: Int, rest: Int) {
    var views = NewestView(interval: .milliseconds(40))
    _ = views.hold(view("a"), at: start)
    _ = views.take(at: start)
    let delay = views.hold(view("b"), at: start + .milliseconds(passed))
    #expect(delay == .milliseconds(rest))
  }

  @Test func `a view of a process that has ended is dropped`() {
    var views = NewestView(interval: .milliseconds(40))
    _ = views.hold(view("a"), at: start)
    views.reset()
    #expect(shown(views.take(at: start)) == nil)
  }
}
