/// The keys that the terminal's own description has (terminfo), beside those that are known everywhere.
package struct ExtraSequences: Sendable {
  private var keys: [[UInt8]: KeyStroke] = [:]
  /// The beginnings of the sequences, without the whole ones.
  private var beginnings: Set<[UInt8]> = []
  private var longest = 0

  /// Longer than the sequence of any key.
  private static let lengthLimit = 32

  /// Adds the sequences of keys, of two bytes and more that begin with a control character.
  ///
  /// A single character is the key that it is everywhere.
  package init(_ sequences: [(bytes: [UInt8], key: KeyStroke)] = []) {
    for (bytes, key) in sequences
    where (2...Self.lengthLimit).contains(bytes.count) && bytes[0] < 0x20 && keys[bytes] == nil {
      keys[bytes] = key
      longest = max(longest, bytes.count)
      for length in 1..<bytes.count { beginnings.insert(Array(bytes.prefix(length))) }
    }
  }

  enum Match {
    case key(KeyStroke, length: Int)
    /// All bytes are the beginning of a sequence.
    case beginning
  }

  /// The longest sequence that bytes begin with; nil for none.
  func match(_ bytes: ArraySlice<UInt8>) -> Match? {
    guard !keys.isEmpty, let first = bytes.first, first < 0x20 else { return nil }
    if bytes.count < longest, beginnings.contains(Array(bytes)) { return .beginning }
    for length in (1...min(longest, bytes.count)).reversed() {
      if let key = keys[Array(bytes.prefix(length))] { return .key(key, length: length) }
    }
    return nil
  }
}
