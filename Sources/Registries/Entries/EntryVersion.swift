/// The version of an entry: one to four numbers with dots, such as 1.4.2; a number that is missing is 0.
package nonisolated struct EntryVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  private let numbers: [Int]
  /// As it is written.
  package let description: String

  /// A version that is not above any other one.
  package static let least = EntryVersion(numbers: [0, 0, 0, 0], description: "0")

  private init(numbers: [Int], description: String) {
    (self.numbers, self.description) = (numbers, description)
  }

  /// Reads a version; nil if a text is none.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      part.utf8.count <= 9 && part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
    }
    guard (1...4).contains(parts.count), numbers.count == parts.count else { return nil }
    self.numbers = numbers + Array(repeating: 0, count: 4 - numbers.count)
    description = text
  }

  /// Whether two are the same, also if one has a zero more.
  package static func == (left: EntryVersion, right: EntryVersion) -> Bool {
    left.numbers == right.numbers
  }

  /// Equal versions have equal hashes.
  package func hash(into hasher: inout Hasher) { hasher.combine(numbers) }

  /// Orders versions by their numbers.
  package static func < (left: EntryVersion, right: EntryVersion) -> Bool {
    left.numbers.lexicographicallyPrecedes(right.numbers)
  }
}
