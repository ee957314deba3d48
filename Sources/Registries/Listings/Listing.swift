package import FoundationEssentials

/// An entry with the registry in which it is.
package nonisolated struct Listing: Sendable {
  package var entry: RegistryEntry
  package var source: RegistrySource
  /// The folder of the registry, for scripts that are in it.
  package var registry: RegistryFolder
  /// When the registry was fetched; nil for a folder.
  package var date: Date?

  package init(
    entry: RegistryEntry,
    source: RegistrySource,
    registry: RegistryFolder,
    date: Date?
  ) {
    (self.entry, self.source, self.registry, self.date) = (entry, source, registry, date)
  }
}
