/// Random numbers that are the same in each run with the same seed (SplitMix64 of Steele, 2014).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A whole number in a range.
  package mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &self)
  }

  /// Returns true with a probability of one in `count`.
  package mutating func once(in times: Int) -> Bool { number(1...times) == 1 }

  /// A random element; the collection must not be empty.
  package mutating func one<Element>(of choices: [Element]) -> Element {
    choices[number(0...choices.count - 1)]
  }
}
