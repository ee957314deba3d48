import Glibc

/// The header of one file in an archive of tar: 512 bytes in the form of POSIX.1-2001 (ustar and pax), as `git
/// archive` writes it.
nonisolated struct TarHeader {
  /// The bytes of a header, to which contents are filled up too.
  static let size = 512

  /// What a header is for.
  enum Kind: Equatable {
    case file
    case folder
    /// Values for the next file, of which the path is used.
    case extended
    /// Values for all files, such as a comment, which are skipped.
    case global
    /// Something that is never unpacked, in words.
    case other(String)
  }

  let path: [UInt8]
  let mode: UInt32
  let byteCount: UInt64
  let kind: Kind

  /// Reads a header; nil if it is none: its checksum is wrong, or a number in it is.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.size,
      let checksum = Self.number(bytes[148..<156]),
      let mode = Self.number(bytes[100..<108]),
      let count = Self.number(bytes[124..<136])
    else { return nil }
    let sum = bytes.enumerated().reduce(UInt64(0)) { sum, byte in
      sum + UInt64((148..<156).contains(byte.offset) ? 0x20 : byte.element)
    }
    guard sum == checksum, bytes[257..<262].elementsEqual("ustar".utf8) else { return nil }
    let name = Self.text(bytes[0..<100])
    let prefix = Self.text(bytes[345..<500])
    path = prefix.isEmpty ? name : prefix + [UInt8(ascii: "/")] + name
    self.mode = UInt32(truncatingIfNeeded: mode)
    byteCount = count
    kind = Self.kind(bytes[156])
  }

  /// Whether a block ends the archive.
  static func isEnd(_ bytes: [UInt8]) -> Bool { bytes.allSatisfy { $0 == 0 } }

  private static func kind(_ flag: UInt8) -> Kind {
    switch flag {
    case 0, UInt8(ascii: "0"), UInt8(ascii: "7"): .file
    case UInt8(ascii: "5"): .folder
    case UInt8(ascii: "x"): .extended
    case UInt8(ascii: "g"): .global
    case UInt8(ascii: "1"): .other("it has a hard link")
    case UInt8(ascii: "2"): .other("it is a link")
    case UInt8(ascii: "3"), UInt8(ascii: "4"): .other("it is a device")
    case UInt8(ascii: "6"): .other("it is a pipe")
    default: .other("it is neither a file nor a folder")
    }
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    Array(bytes.prefix { $0 != 0 })
  }

  /// An octal number, which ends with a space or NUL; nil for anything else, as the binary form of GNU is for sizes
  /// that are beyond the limits anyway.
  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64? {
    let digits = bytes.drop { $0 == 0x20 }.prefix { $0 != 0x20 && $0 != 0 }
    guard digits.count <= 20, digits.allSatisfy({ (0x30...0x37).contains($0) }) else { return nil }
    return digits.isEmpty ? 0 : UInt64(String(decoding: digits, as: UTF8.self), radix: 8)
  }

  /// The path in the records of an extended header, each `LENGTH NAME=VALUE` and a line feed; nil if there is none.
  ///
  /// - Throws: ``Malformed`` if the records are not well formed.
  static func path(inRecords bytes: [UInt8]) throws(Malformed) -> [UInt8]? {
    var rest = bytes[...]
    var path: [UInt8]?
    while !rest.isEmpty {
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      guard let length = Int(String(decoding: digits.prefix(9), as: UTF8.self)),
        length > digits.count + 2, length <= rest.count
      else { throw Malformed() }
      let record = rest.prefix(length).dropFirst(digits.count + 1).dropLast()
      if record.starts(with: "path=".utf8) { path = Array(record.dropFirst(5)) }
      rest = rest.dropFirst(length)
    }
    return path
  }

  /// An archive that no tar has written.
  struct Malformed: Error {}
}
