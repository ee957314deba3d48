import Testing
import WidgetTesting

@testable import WidgetTUI

/// When pictures are drawn, with a virtual clock and pictures that take a time of their own to draw.
struct FramePacerTests {
  private final class Page: FramePacerOwner {
    let clock = VirtualClock()
    var isDrawing = true
    var isScreenReady = true
    var hasAnotherSize = false
    var isAnimating = false
    /// How long a picture takes to draw.
    var cost: Duration
    /// When pictures were drawn, in milliseconds from the start.
    private(set) var pictures: [Int] = []
    private(set) lazy var pacer = FramePacer(owner: self, clock: clock)
    private lazy var start = clock.now

    init(cost: Duration) {
      self.cost = cost
      _ = start
      pacer.schedule()
    }

    /// How often a picture was sent anew.
    private(set) var repaints = 0

    func forgetPicture() { repaints += 1 }

    func draw(followsSize: Bool, takesCards: Bool) -> FramePacer.Next {
      let passed = start.duration(to: clock.now).components
      pictures.append(Int(passed.seconds * 1000 + passed.attoseconds / 1_000_000_000_000_000))
      clock.advance(by: cost)
      return isAnimating ? .frame : .never
    }

    /// Lets a second pass in which something changes each five milliseconds; returns the pictures.
    @discardableResult
    func change(for milliseconds: Int = 1000) -> Int {
      let before = pictures.count
      let end = clock.now + .milliseconds(milliseconds)
      while clock.now < end {
        pacer.schedule()
        clock.advance(by: .milliseconds(5))
      }
      return pictures.count - before
    }
  }

  @Test func `a signal of the window sends the same picture anew, four times a second at most`() {
    let page = Page(cost: .microseconds(200))
    page.clock.advance(by: .seconds(1))
    let before = page.pictures.count
    page.pacer.takeWindowSignal()
    #expect(page.repaints == 1)
    #expect(page.pictures.count == before + 1)
    for _ in 0..<200 {
      page.pacer.takeWindowSignal()
      page.clock.advance(by: .milliseconds(5))
    }
    #expect((4...6).contains(page.repaints))
  }

  @Test func `a page that is drawn quickly shows each frame`() {
    let page = Page(cost: .microseconds(200))
    page.change()
    #expect((45...67).contains(page.change()))
  }

  @Test func `a page that takes long to draw shows changes five times a second`() {
    let page = Page(cost: .milliseconds(6))
    page.change()
    #expect((4...6).contains(page.change()))
    let pauses = zip(page.pictures, page.pictures.dropFirst()).map { $1 - $0 }
    #expect(pauses.allSatisfy { $0 <= 220 }, "\(pauses)")
  }

  @Test func `one change after a pause is shown at once`() {
    let page = Page(cost: .milliseconds(4))
    page.change()
    page.clock.advance(by: .seconds(1))
    let before = page.pictures.count
    page.pacer.schedule()
    #expect(page.pictures.count == before + 1)
  }

  @Test func `the effects of a key are shown without a pause`() {
    let page = Page(cost: .milliseconds(4))
    page.change()
    page.pacer.drawForInput(takesCards: true)
    #expect((35...67).contains(page.change(for: 900)))
    page.change(for: 300)
    #expect((4...7).contains(page.change()))
  }

  @Test func `a movement that begins in a pause is shown at once, and smoothly`() {
    let page = Page(cost: .milliseconds(4))
    page.change()
    page.clock.advance(by: .milliseconds(120))
    page.pacer.schedule()
    page.clock.advance(by: .milliseconds(20))
    page.pacer.schedule()
    let before = page.pictures.count
    page.isAnimating = true
    page.pacer.schedule()
    #expect(page.pictures.count == before + 1)
    for _ in 0..<60 { page.clock.advance(by: .milliseconds(5)) }
    let frames = page.pictures[before...]
    #expect(frames.count >= 15)
    #expect(zip(frames, frames.dropFirst()).allSatisfy { $1 - $0 <= 20 }, "\(frames)")
  }

  @Test func `a picture that the terminal does not take is drawn when it does`() {
    let page = Page(cost: .milliseconds(4))
    page.change()
    page.isScreenReady = false
    let before = page.pictures.count
    #expect(page.change() == 0)
    page.isScreenReady = true
    page.pacer.screenIsReady()
    #expect(page.pictures.count == before + 1)
  }
}
