package import WidgetKitCore
import WidgetPlatform

/// A registry that the user has added, or the one of the program.
package nonisolated struct RegistrySource: Hashable, Sendable {
  /// Where a registry is.
  package enum Place: Hashable, Sendable, CustomStringConvertible {
    case repository(RepositoryAddress)
    /// An absolute path.
    case folder(String)

    /// Reads an address or an absolute path.
    package init?(_ text: String) {
      if let address = RepositoryAddress(text) {
        self = .repository(address)
      } else if text.hasPrefix("/"), text.utf8.count <= 1_024, SafeText(text).string == text {
        let parts = text.split(separator: "/").filter { $0 != "." }
        guard !parts.isEmpty, !parts.contains("..") else { return nil }
        self = .folder("/" + parts.joined(separator: "/"))
      } else {
        return nil
      }
    }

    /// The address or the path.
    package var description: String {
      switch self {
      case .repository(let address): address.description
      case .folder(let path): path
      }
    }

    /// Whether its entries may name a repository: one on this machine only if it is there, too.
    package func mayName(_ other: RepositoryAddress) -> Bool {
      guard case .repository(let address) = self, !address.isLocal else { return true }
      return !other.isLocal && (!other.isLoopback || address.isLoopback)
    }
  }

  package var place: Place
  /// The pinned key; nil for a registry without signatures.
  package var key: SignatureKey?
  /// The highest serial of its list that was seen.
  package var serial = 0
  /// Whether it comes with the program.
  package var isOwn = false

  package init(place: Place, key: SignatureKey?, isOwn: Bool = false) {
    (self.place, self.key, self.isOwn) = (place, key, isOwn)
  }

  /// What it is called in the notes of what was installed: that of the program has no address that stays.
  package var identity: String { isOwn ? Self.ownIdentity : place.description }

  /// What the one of the program is called.
  package static let ownIdentity = "today"

  /// How far its entries can be trusted, in words.
  package var trust: SafeText {
    if isOwn { return "comes with the program" }
    return key == nil ? "not signed" : "signed"
  }
}
