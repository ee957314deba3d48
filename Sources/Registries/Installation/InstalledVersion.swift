package import FoundationEssentials
import WidgetKitCore

/// A version of an entry that was installed.
package nonisolated struct InstalledVersion: Hashable, Sendable, Codable {
  /// The identifier.
  package var id: String
  /// Its kind.
  package var kind: String
  /// The identity of its registry.
  package var source: String
  /// Its version.
  package var version: String
  /// The hash of its source, as its entry has it.
  package var sha256: String
  /// The digest of what was installed.
  package var digest: String
  /// Where it was installed.
  package var path: String
  /// What it asks for, as JSON.
  package var permissions: String
  /// When it was installed.
  package var date: Date

  /// Its version as a number; the least one if it cannot be read.
  package var number: EntryVersion { EntryVersion(version) ?? .least }

  /// Its registry in words.
  package var sourceWords: String {
    source == RegistrySource.ownIdentity ? "the list of the program" : source
  }

  /// What it asks for.
  package var permissionSet: PermissionSet {
    let tree = try? JSONTree(Array(permissions.utf8))
    return tree.flatMap { try? PermissionSet($0) } ?? PermissionSet()
  }
}
