import FoundationEssentials
package import WidgetKitCore
import WidgetPlatform

/// A public key with which the list of a registry is signed.
package nonisolated struct SignatureKey: Hashable, Sendable, Codable {
  /// The program that checks its signatures.
  package enum Kind: String, Sendable, Codable {
    case minisign
    case gpg
  }

  package let kind: Kind
  /// The key of minisign as it is written, or the keys of gpg in Base64.
  package let text: String

  private static let byteLimit = 256 << 10

  /// Reads a key: the 56 characters of one of minisign, the file in which it is, or one of `gpg --export`.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.byteLimit else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    if let line = lines.map(String.init).last(where: Self.isMinisign) {
      (kind, text) = (.minisign, line)
      return
    }
    // The tag of a public key packet, in the old or the new form (RFC 4880, section 4.2).
    guard let first = bytes.first, first & 0xFC == 0x98 || first == 0xC6 else { return nil }
    (kind, text) = (.gpg, Data(bytes).base64EncodedString())
  }

  /// Reads what follows `--key`: a key, or the path of a file.
  package init?(argument: String) {
    if let key = Self(Array(argument.utf8)) {
      self = key
    } else if let bytes = UserFile.bytes(argument, byteLimit: Self.byteLimit), let key = Self(bytes)
    {
      self = key
    } else {
      return nil
    }
  }

  private static func isMinisign(_ line: String) -> Bool {
    guard line.utf8.count == 56, let bytes = Data(base64Encoded: line) else { return false }
    return bytes.count == 42 && bytes.starts(with: "Ed".utf8)
  }

  /// The key in words: that of minisign, or the hash of those of gpg.
  package var words: SafeText {
    switch kind {
    case .minisign: SafeText("minisign \(text)")
    case .gpg: SafeText("gpg, SHA-256 of the keys \(SHA256Digest.hex(of: bytes))")
    }
  }

  /// The keys of gpg.
  var bytes: [UInt8] { Data(base64Encoded: text).map { Array($0) } ?? [] }
}
