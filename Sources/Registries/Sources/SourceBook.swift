import FoundationEssentials
import WidgetKitCore
package import WidgetPlatform

/// The registries of a user, on disk: `$XDG_DATA_HOME/today/gallery/sources.json`.
package nonisolated struct SourceBook: Sendable {
  private let folder: String
  private static let name = "sources.json"
  private static let byteLimit = 1 << 20
  private static let countLimit = 50

  package init(_ folders: StateFolders) { folder = "\(folders.data)/gallery" }

  private struct Stored: Codable {
    var address: String
    var key: SignatureKey?
    var serial: Int?
  }

  /// The registries, in the order in which they were added.
  ///
  /// - Throws: ``HostError`` if the file cannot be read: without it, no key is known any more.
  package func sources() throws(HostError) -> [RegistrySource] {
    let bytes: [UInt8]
    switch DurableFile.contents("\(folder)/\(Self.name)", byteLimit: Self.byteLimit) {
    case .absent: return []
    case .odd(let words):
      throw HostError(code: .file, description: "\(folder)/\(Self.name): \(words)")
    case .whole(let whole): bytes = whole
    }
    guard let stored = try? JSONDecoder().decode([Stored].self, from: Data(bytes)) else {
      throw HostError(
        code: .file,
        description: "\(folder)/\(Self.name) is damaged; remove it, and add the registries again"
      )
    }
    return stored.prefix(Self.countLimit).compactMap { stored in
      RegistrySource.Place(stored.address).map { place in
        var source = RegistrySource(place: place, key: stored.key)
        source.serial = max(0, stored.serial ?? 0)
        return source
      }
    }
  }

  /// Adds a registry, or replaces the one at its address, of which the serial stays.
  package func add(_ source: RegistrySource) throws(HostError) {
    try change { sources throws(HostError) in
      if let index = sources.firstIndex(where: { $0.place == source.place }) {
        let serial = max(source.serial, sources[index].serial)
        sources[index] = source
        sources[index].serial = serial
        return
      }
      guard sources.count < Self.countLimit else {
        throw HostError(
          code: .tooLarge,
          description: "there are \(Self.countLimit) registries already"
        )
      }
      sources.append(source)
    }
  }

  /// Removes a registry; returns whether there was one.
  package func remove(_ place: RegistrySource.Place) throws(HostError) -> Bool {
    var isThere = false
    try change { sources throws(HostError) in
      isThere = sources.contains { $0.place == place }
      sources.removeAll { $0.place == place }
    }
    return isThere
  }

  /// Notes the serial of a list, unless a higher one is known.
  package func note(_ serial: Int, of place: RegistrySource.Place) throws(HostError) {
    guard try sources().contains(where: { $0.place == place && $0.serial < serial }) else { return }
    try change { sources throws(HostError) in
      for index in sources.indices where sources[index].place == place {
        sources[index].serial = max(sources[index].serial, serial)
      }
    }
  }

  private func change(
    _ change: (inout [RegistrySource]) throws(HostError) -> Void
  ) throws(HostError) {
    try OwnFolder.whileLocked(folder, of: "registries") { open throws(HostError) in
      var sources = try sources()
      try change(&sources)
      let stored = sources.map {
        Stored(address: $0.place.description, key: $0.key, serial: $0.serial)
      }
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      guard let data = try? encoder.encode(stored) else { return }
      do throws(FileFault) {
        try open.replace(Self.name, with: Array(data), waitsForDisk: true)
      } catch {
        throw .file("write", "\(folder)/\(Self.name)", error)
      }
    }
  }
}
