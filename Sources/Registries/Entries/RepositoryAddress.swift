import Glibc

/// The address of a repository of git: `https://`, `ssh://` or `file://`.
///
/// Nothing else is passed to git, which knows addresses that run programs, such as `ext::`.
package nonisolated struct RepositoryAddress: Hashable, Sendable, CustomStringConvertible {
  /// The address as it is written.
  package let description: String
  /// Whether it is a folder of this machine.
  package let isLocal: Bool
  /// Whether it is a server of this machine.
  package let isLoopback: Bool

  /// What is expected of an address, for messages.
  package static let rule = "an address such as https://example.org/widgets.git, ssh:// or file://"

  private static let byteLimit = 1_024

  /// Reads an address; nil if it is none of these, or a part could be taken for an option.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.byteLimit,
      text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x5C && $0 != 0x22 && $0 != 0x27 }),
      let separator = text.firstRange(of: "://")
    else { return nil }
    let rest = text[separator.upperBound...]
    switch text[..<separator.lowerBound] {
    case "file":
      guard rest.hasPrefix("/"), rest.count > 1 else { return nil }
      (isLocal, isLoopback) = (true, false)
    case "https":
      let host = rest.prefix { $0 != "/" }
      guard Self.isHost(host), rest.contains("/") else { return nil }
      (isLocal, isLoopback) = (false, Self.isLoopback(host))
    case "ssh":
      let authority = rest.prefix { $0 != "/" }
      let parts = authority.split(separator: "@", omittingEmptySubsequences: false)
      guard (1...2).contains(parts.count), let host = parts.last, Self.isHost(host),
        parts.count == 1 || Self.isName(parts[0]), rest.contains("/")
      else { return nil }
      (isLocal, isLoopback) = (false, Self.isLoopback(host))
    default: return nil
    }
    description = text
  }

  /// A name or a number of a machine, with a port if there is one; a password has no place in it.
  private static func isHost(_ text: Substring) -> Bool {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), isName(parts[0]) else { return false }
    return parts.count == 1 || UInt16(parts[1]) != nil
  }

  /// Whether a machine, with its port if it has one, is this one, also in the forms of inet_aton(3): `127.1`, `0x7f000001`.
  private static func isLoopback(_ host: Substring) -> Bool {
    var name = host.prefix { $0 != ":" }.lowercased()
    if name.hasSuffix(".") { name.removeLast() }
    let last = name.split(separator: ".").last ?? ""
    var number = in_addr()
    guard unsafe inet_aton(name, &number) == 0 else {
      return [0, 127].contains(UInt32(bigEndian: number.s_addr) >> 24)
    }
    return ["localhost", "localdomain", "ip6-localhost", "ip6-loopback"].contains(last)
  }

  private static func isName(_ text: Substring) -> Bool {
    !text.isEmpty && text.first != "-"
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }
  }
}
