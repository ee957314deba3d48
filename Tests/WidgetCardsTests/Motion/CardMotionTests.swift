import Testing
import WidgetKitCore

@testable import WidgetCards

/// The changes of height of a card as a value: causes and times in, heights and messages out.
@Suite struct CardMotionTests {
  private var motion = CardMotion(pause: .seconds(1))
  private var rest = LaidOutView(size: Size(columns: 20, rows: 4))
  private var now = ContinuousClock.Instant.now
  private var isHeard = false
  private var begun: [ViewWillTransitionToSizeRequest] = []
  private var ended: [String] = []
  private var askedAgain = 0

  /// The rows that are shown now.
  private var rows: Int { motion.body(rest, at: now).size.rows }

  private mutating func perform(_ effects: [CardMotion.Effect]) {
    for effect in effects {
      switch effect {
      case .resize(let rows): rest.size.rows = rows
      case .willBegin(let request): begun.append(request)
      case .didEnd(let id, let finished):
        ended.append("\(id) \(finished ? "finished" : "replaced")")
      case .animate, .draw: break
      case .askAgain: askedAgain += 1
      }
    }
  }

  private mutating func go(to rows: Int, because cause: CardMotion.Cause, animated: Bool) {
    let size = Size(columns: 20, rows: rows)
    perform(
      motion.go(to: size, because: cause, animated: animated, from: rest, isHeard: isHeard, at: now)
    )
  }

  private mutating func pass(_ duration: Duration) {
    let end = now + duration
    while let due = motion.due, due <= end {
      now = max(now, due)
      perform(motion.wake(at: now))
    }
    now = end
  }

  @Test mutating func `an animated change passes through the heights between, and ends once`() {
    go(to: 12, because: .content, animated: true)
    var heights: [Int] = []
    for _ in 0..<30 {
      heights.append(rows)
      pass(.milliseconds(10))
    }
    #expect(heights.first == 4)
    #expect(heights.last == 12)
    #expect(heights == heights.sorted())
    #expect(Set(heights).count > 4)
    #expect(ended == ["1 finished"])
    #expect(motion.isSettled)
  }

  @Test mutating func `a change in the middle of another starts from the height that is shown`() {
    go(to: 12, because: .press, animated: true)
    pass(.milliseconds(125))
    let shown = rows
    #expect(shown > 4 && shown < 12)
    go(to: 2, because: .press, animated: true)
    #expect(rows == shown)
    #expect(ended == ["1 replaced"])
    pass(.milliseconds(250))
    #expect(rows == 2)
    #expect(ended == ["1 replaced", "2 finished"])
  }

  @Test mutating func `the animation waits a tenth of a second for the view of the widget`() {
    isHeard = true
    go(to: 12, because: .content, animated: true)
    pass(.milliseconds(99))
    #expect(!motion.isMoving)
    #expect(rows == 4)
    pass(.milliseconds(1))
    #expect(motion.isMoving)
  }

  @Test mutating func `a change without an animation has its end state at once, and ends too`() {
    go(to: 9, because: .content, animated: false)
    #expect(rows == 9)
    #expect(begun.map(\.animated) == [false])
    #expect(begun.map(\.duration) == [0])
    #expect(ended == ["1 finished"])
  }

  @Test(arguments: [CardMotion.Cause.width, .placing, .press])
  mutating func `only changes that content asks for are held back`(_ cause: CardMotion.Cause) {
    go(to: 9, because: .content, animated: false)
    go(to: 8, because: .content, animated: false)
    #expect(rest.size.rows == 9)
    go(to: 7, because: cause, animated: false)
    #expect(rest.size.rows == 7)
    pass(.seconds(1))
    #expect(askedAgain == 1)
  }

  /// What can happen while a change waits for the widget, and how it ends then.
  private enum Interruption: String, CaseIterable {
    case answer, patience, otherFrame, end, nextChange

    var ends: [String] {
      switch self {
      case .answer, .patience, .end: ["1 finished"]
      case .otherFrame: ["1 replaced"]
      case .nextChange: ["1 replaced", "2 finished"]
      }
    }
  }

  @Test(arguments: Interruption.allCases, [true, false])
  private mutating func `a change that the widget is told of ends once, whatever comes first`(
    _ interruption: Interruption,
    animated: Bool
  ) {
    isHeard = true
    go(to: 9, because: .content, animated: animated)
    #expect(ended == [])
    switch interruption {
    case .answer: perform(motion.alongside(1, at: now))
    case .patience: break
    case .otherFrame: perform(motion.interrupt())
    case .end: perform(motion.finish())
    case .nextChange: go(to: 5, because: .press, animated: animated)
    }
    pass(.seconds(5))
    // An answer that comes too late changes nothing.
    perform(motion.alongside(1, at: now))
    #expect(ended == interruption.ends)
    #expect(motion.due == nil)
    #expect(rows == (interruption == .nextChange ? 5 : 9))
  }
}
