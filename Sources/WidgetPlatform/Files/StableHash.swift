/// A hash of a text that is the same in every run and on every machine, unlike Swift's own.
package enum StableHash {
  /// Returns FNV-1a in 64 bits of the text's UTF-8 (Fowler, Noll, Vo; draft-eastlake-fnv).
  package static func value(of text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }

  /// Returns the same hash of a text followed by bytes.
  package static func value(of text: String, followedBy bytes: ArraySlice<UInt8>) -> UInt64 {
    value(value(of: text), followedBy: bytes)
  }

  /// Returns the same hash of what has a hash already, followed by bytes.
  package static func value(_ hash: UInt64, followedBy bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(hash) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }
}
