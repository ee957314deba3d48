import Foundation
import Testing

@testable import Registries

/// The examples of FIPS 180-4 and NIST's vectors, and pieces of every size.
@Suite struct SHA256DigestTests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `the examples of the standard have their digests`(text: String, digest: String) {
    #expect(SHA256Digest.hex(of: Array(text.utf8)) == digest)
  }

  @Test func `pieces of every size have the digest of the whole`() {
    let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let whole = SHA256Digest.hex(of: bytes)
    for size in 1...130 {
      var digest = SHA256Digest()
      for start in stride(from: 0, to: bytes.count, by: size) {
        digest.update(Array(bytes[start..<min(start + size, bytes.count)]))
      }
      #expect(digest.hex() == whole, "\(size)")
    }
  }
}
