import Testing
import WidgetKitCore
import WidgetTesting

@testable import WidgetHost

/// The changes of height of a card without a card: causes in, heights and messages out.
@Suite struct CardMotionTests {
  private final class Owner: CardMotionOwner {
    var bodyAtRest = LaidOutView(size: Size(columns: 20, rows: 4))
    var hearsTransitions = false
    private(set) var begun: [ViewWillTransitionToSizeRequest] = []
    private(set) var ended: [String] = []
    private(set) var dueCount = 0

    func grant(rows: Int) -> Size {
      bodyAtRest.size.rows = rows
      return bodyAtRest.size
    }
    func transitionWillBegin(_ request: ViewWillTransitionToSizeRequest) { begun.append(request) }
    func transitionDidEnd(_ id: Int, finished: Bool) {
      ended.append("\(id) \(finished ? "finished" : "replaced")")
    }
    func motionDidBegin() {}
    func motionDidChange() {}
    func heldResizeIsDue() { dueCount += 1 }
    func motionMayHaveSettled() {}
  }

  private let clock = VirtualClock()
  private let owner = Owner()

  private func motion() -> CardMotion {
    CardMotion(owner: owner, clock: clock, pause: .seconds(1))
  }

  @Test func `an animated change passes through the heights between, and ends once`() {
    let motion = motion()
    motion.go(to: 12, because: .content, animated: true)
    var heights: [Int] = []
    for _ in 0..<30 {
      heights.append(motion.body(at: clock.now).size.rows)
      clock.advance(by: .milliseconds(10))
    }
    #expect(heights.first == 4)
    #expect(heights.last == 12)
    #expect(heights == heights.sorted())
    #expect(Set(heights).count > 4)
    #expect(owner.ended == ["1 finished"])
    #expect(motion.isSettled)
  }

  @Test func `a change in the middle of another starts from the height that is shown`() {
    let motion = motion()
    motion.go(to: 12, because: .press, animated: true)
    clock.advance(by: .milliseconds(125))
    let shown = motion.body(at: clock.now).size.rows
    #expect(shown > 4 && shown < 12)
    motion.go(to: 2, because: .press, animated: true)
    #expect(motion.body(at: clock.now).size.rows == shown)
    #expect(owner.ended == ["1 replaced"])
    clock.advance(by: .milliseconds(250))
    #expect(motion.body(at: clock.now).size.rows == 2)
    #expect(owner.ended == ["1 replaced", "2 finished"])
  }

  @Test func `the animation waits a tenth of a second for the view of the widget`() {
    owner.hearsTransitions = true
    let motion = motion()
    motion.go(to: 12, because: .content, animated: true)
    clock.advance(by: .milliseconds(99))
    #expect(!motion.isMoving)
    #expect(motion.body(at: clock.now).size.rows == 4)
    clock.advance(by: .milliseconds(1))
    #expect(motion.isMoving)
  }

  @Test func `a change without an animation has its end state at once, and ends too`() {
    let motion = motion()
    motion.go(to: 9, because: .content, animated: false)
    #expect(motion.body(at: clock.now).size.rows == 9)
    #expect(owner.begun.map(\.animated) == [false])
    #expect(owner.begun.map(\.duration) == [0])
    #expect(owner.ended == ["1 finished"])
  }

  @Test(arguments: [CardMotion.Cause.width, .placing, .press])
  func `only changes that content asks for are held back`(_ cause: CardMotion.Cause) {
    let motion = motion()
    motion.go(to: 9, because: .content, animated: false)
    motion.go(to: 8, because: .content, animated: false)
    #expect(owner.bodyAtRest.size.rows == 9)
    motion.go(to: 7, because: cause, animated: false)
    #expect(owner.bodyAtRest.size.rows == 7)
    clock.advance(by: .seconds(1))
    #expect(owner.dueCount == 1)
  }
}
