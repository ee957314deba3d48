/// The address of a repository of git: `https://`, `ssh://` or `file://`.
///
/// Nothing else is passed to git, which knows addresses that run programs, such as `ext::`.
package nonisolated struct RepositoryAddress: Hashable, Sendable, CustomStringConvertible {
  /// The address as it is written.
  package let description: String
  /// Whether it is on this machine.
  package let isLocal: Bool

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
      isLocal = true
    case "https":
      guard Self.isHost(rest.prefix { $0 != "/" }), rest.contains("/") else { return nil }
      isLocal = false
    case "ssh":
      let authority = rest.prefix { $0 != "/" }
      let parts = authority.split(separator: "@", omittingEmptySubsequences: false)
      guard (1...2).contains(parts.count), let host = parts.last, Self.isHost(host),
        parts.count == 1 || Self.isName(parts[0]), rest.contains("/")
      else { return nil }
      isLocal = false
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

  private static func isName(_ text: Substring) -> Bool {
    !text.isEmpty && text.first != "-"
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }
  }
}
