import Testing

@testable import WidgetCards

@Suite struct HeightStormTests {
  private let start = ContinuousClock.now

  /// Asks for another height `count` times a second, from a second on.
  private func storm(
    _ storm: inout HeightStorm,
    perSecond count: Int,
    from first: Int,
    seconds: Int
  )
    -> Bool
  {
    for wish in 0..<count * seconds {
      let time = start + .seconds(first) + .seconds(Double(wish) / Double(count))
      if storm.note(wish % 2, at: time) { return true }
    }
    return false
  }

  @Test func `more than ten requests in each of five seconds freeze the height`() {
    var many = HeightStorm()
    let froze = storm(&many, perSecond: 11, from: 0, seconds: 6)
    #expect(froze && many.isFrozen)
    many.reset()
    #expect(!many.isFrozen)
  }

  @Test func `ten requests a second, or more for four seconds, do not`() {
    var few = HeightStorm()
    let froze = storm(&few, perSecond: 10, from: 0, seconds: 60)
    #expect(!froze)
    var short = HeightStorm()
    for begin in [0, 10, 20] {
      let froze = storm(&short, perSecond: 30, from: begin, seconds: 4)
      #expect(!froze)
    }
  }

  @Test func `the same height is no wish`() {
    var same = HeightStorm()
    for count in 0..<1_000 {
      let froze = same.note(9, at: start + .milliseconds(10 * count))
      #expect(!froze)
    }
  }
}
