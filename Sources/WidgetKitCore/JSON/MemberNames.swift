/// The names of the members that a type reads, each with its place in the list.
///
/// Looking a name up takes the same time for any number of names: all members of an object are found in
/// one pass over it.
struct MemberNames: Sendable {
  /// The largest number of names.
  static let limit = 64

  /// The bytes of all names, one after another: going to a name keeps count of no reference.
  private let bytes: [UInt8]
  /// Where each name begins in `bytes`, and where the last one ends.
  private let starts: [Int]
  /// The place of the name at each hash, or ``free``.
  private let slots: [UInt8]

  private static let free = UInt8.max

  /// Creates a list of different names, at most ``limit`` of them.
  init(_ names: [String]) {
    precondition(names.count <= Self.limit, "more names than there are places")
    var (bytes, starts): ([UInt8], [Int]) = ([], [0])
    var slots = Array(repeating: Self.free, count: 256)
    for (place, name) in names.enumerated() {
      bytes += name.utf8
      starts.append(bytes.count)
      var slot = Array(name.utf8).withUnsafeBufferPointer(Self.hash)
      while slots[slot] != Self.free { slot = (slot + 1) % slots.count }
      slots[slot] = UInt8(place)
    }
    (self.bytes, self.starts, self.slots) = (bytes, starts, slots)
  }

  /// A number from 0 to 255, from the length and three characters of a name.
  private static func hash(_ name: UnsafeBufferPointer<UInt8>) -> Int {
    guard let first = name.first, let last = name.last else { return 0 }
    let middle = name[name.count / 2]
    return (name.count &* 31 &+ Int(first) &* 7 &+ Int(middle) &* 13 &+ Int(last)) & 0xFF
  }

  /// Returns the place of `name` in the list; nil if it is not in it.
  func place(of name: UnsafeBufferPointer<UInt8>) -> Int? {
    var slot = Self.hash(name)
    while slots[slot] != Self.free {
      let place = Int(slots[slot])
      if isName(place, name) { return place }
      slot = (slot + 1) % slots.count
    }
    return nil
  }

  private func isName(_ place: Int, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    let start = starts[place]
    guard starts[place + 1] - start == name.count else { return false }
    return name.indices.allSatisfy { name[$0] == bytes[start + $0] }
  }
}
