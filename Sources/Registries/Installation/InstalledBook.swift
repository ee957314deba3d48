import FoundationEssentials
import Glibc
import WidgetKitCore
package import WidgetPlatform

/// What was installed from registries: `$XDG_STATE_HOME/today/gallery`, a file for each identifier.
///
/// A file names the version that is there, and while another one is installed that one too. Which of them is in its
/// place is read from the place itself, so that the program may be killed between any two steps.
package nonisolated struct InstalledBook: Sendable {
  private let folder: String
  private static let byteLimit = 256 << 10
  private static let ending = ".json"

  package init(_ folders: StateFolders) { folder = "\(folders.state)/gallery" }

  /// What is installed of an entry.
  package struct State: Hashable, Sendable {
    /// The version that is in its place; the newest that was written down if it was changed since.
    package var version: InstalledVersion
    /// Whether what is there is what was installed.
    package var isUnchanged: Bool
  }

  /// What is installed with an identifier; nil if it was not installed from a registry, or is gone.
  package func state(of id: String) -> State? {
    let versions = versions(of: id)
    guard let newest = versions.max(by: { $0.number < $1.number }),
      versions.contains(where: { Self.exists($0.path) })
    else { return nil }
    // A script whose name has changed may be there twice; the newer one was written last.
    let there = versions.last { TreeDigest.hex(of: $0.path) == $0.digest }
    return State(version: there ?? newest, isUnchanged: there != nil)
  }

  /// All that is installed, in the order of the identifiers.
  package func states() -> [State] {
    guard let open = try? OwnFolder.open(folder) else { return [] }
    return open.names().filter { $0.hasSuffix(Self.ending) }
      .map { String($0.dropLast(Self.ending.count)) }
      .filter(RegistryEntry.isIdentifier).sorted().compactMap(state)
  }

  /// Notes which versions may be in the place of an identifier.
  package func write(_ versions: [InstalledVersion], of id: String) throws(HostError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    guard RegistryEntry.isIdentifier(id), let data = try? encoder.encode(versions) else { return }
    try DurableFile.write(data, to: "\(folder)/\(id)\(Self.ending)")
  }

  /// Removes what a program that was killed has left of older versions: a script has another name when its interval
  /// changes.
  package func settle(_ id: String) {
    try? whileLocked { settleWhileLocked(id) }
  }

  /// The same where the lock is held already.
  func settleWhileLocked(_ id: String) {
    let versions = versions(of: id)
    guard versions.count > 1, let state = state(of: id), state.isUnchanged else { return }
    for version in versions where version.path != state.version.path {
      // Only what was installed, and is still that.
      if version.kind == RegistryEntry.Kind.script.rawValue,
        TreeDigest.hex(of: version.path) == version.digest
      {
        DurableFile.remove(version.path)
      }
    }
    try? write([state.version], of: id)
  }

  /// Forgets an identifier.
  package func forget(_ id: String) {
    guard RegistryEntry.isIdentifier(id) else { return }
    DurableFile.remove("\(folder)/\(id)\(Self.ending)")
  }

  /// What is noted of an identifier, whether it is there or not, the newest last.
  package func versions(of id: String) -> [InstalledVersion] {
    guard RegistryEntry.isIdentifier(id),
      let bytes = DurableFile.read("\(folder)/\(id)\(Self.ending)", byteLimit: Self.byteLimit)
    else { return [] }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let versions = try? decoder.decode([InstalledVersion].self, from: Data(bytes))
    return (versions ?? []).filter { $0.id == id }
  }

  private static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  /// Does something while no other program installs.
  package func whileLocked<Result>(
    _ work: () throws(HostError) -> Result
  ) throws(HostError) -> Result {
    try OwnFolder.whileLocked(folder, of: "installed entries", patience: .seconds(5)) {
      _ throws(HostError) in try work()
    }
  }
}
