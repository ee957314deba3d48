import FoundationEssentials
import WidgetExtensions
package import WidgetKitCore
package import WidgetPlatform

/// Makes the list of a registry: it checks each entry with its source, and writes what follows from that.
package final class RegistryMaker {
  /// What was made.
  package struct Outcome {
    /// The entries in the list.
    package var count = 0
    /// The files that were written, or would be.
    package var changed: [String] = []
    /// What is wrong, each with the name of the file.
    package var problems: [SafeText] = []
  }

  private let folder: String
  private let environment: [String: String]
  private let scratch: String
  private let cache: RegistryCache

  /// Prepares a registry.
  ///
  /// - Parameters:
  ///   - folder: Its path.
  ///   - environment: The user's environment.
  package init(folder: String, environment: [String: String]) {
    (self.folder, self.environment) = (folder, environment)
    let folders = StateFolders(environment: environment)
    scratch = "\(folders.cache)/gallery/\(ScratchFolder.name("making-"))"
    let limits = TreeLimits()
    cache = RegistryCache(
      folders,
      git: GitCommand(environment: environment, limits: limits),
      limits: limits
    )
  }

  /// Makes the list.
  ///
  /// - Parameter writes: Whether files are written; if not, ``Outcome/changed`` says which would be.
  /// - Returns: What was written, and what is wrong.
  /// - Throws: ``HostError`` if the folder is none, or cannot be written.
  package func make(writes: Bool) async throws(HostError) -> Outcome {
    defer { UserFile.removeTree(scratch) }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/entries")
    else {
      throw HostError(code: .missing, description: "\(folder) has no folder “entries”")
    }
    var result = Outcome()
    var lines: [RegistryIndex.Line] = []
    for name in names.sorted() where name.hasSuffix(".json") {
      let file = "entries/\(name)"
      do {
        let (old, new, id) = try await entry(file)
        guard "\(id).json" == name else {
          throw EntryFault("its identifier is \(id), for which its name must be \(id).json")
        }
        lines.append(RegistryIndex.Line(id: id, sha256: SHA256Digest.hex(of: new)))
        if old != new {
          result.changed.append(file)
          if writes { try write(new, file) }
        }
      } catch {
        result.problems.append(SafeText("\(file): \(error)").onOneLine)
      }
    }
    result.count = lines.count
    if lines.count > RegistryIndex.countLimit {
      result.problems.append(SafeText("a list has at most \(RegistryIndex.countLimit) entries"))
    }
    // An incomplete list would remove entries that users have installed.
    guard result.problems.isEmpty else { return result }
    try makeIndex(lines, writes: writes, &result)
    return result
  }

  private func makeIndex(
    _ lines: [RegistryIndex.Line],
    writes: Bool,
    _ result: inout Outcome
  ) throws(HostError) {
    let path = "\(folder)/index.json"
    let old = UserFile.bytes(path, byteLimit: RegistryIndex.byteLimit)
      .flatMap { try? JSONTree($0) }.flatMap { try? RegistryIndex($0) }
    guard old?.lines != lines else { return }
    let name =
      old?.name ?? SafeText(folder.split(separator: "/").last.map(String.init) ?? "Registry")
    let index = RegistryIndex(serial: (old?.serial ?? 0) + 1, name: name, lines: lines)
    result.changed.append("index.json")
    if writes { try write(PrettyJSON.bytes(of: index.json), "index.json") }
  }

  private func write(_ bytes: [UInt8], _ name: String) throws(HostError) {
    try UserFile.write(String(decoding: bytes, as: UTF8.self), to: "\(folder)/\(name)")
  }

  /// The bytes of an entry as they are and as they are to be, and its identifier.
  private func entry(_ file: String) async throws -> (old: [UInt8], new: [UInt8], id: String) {
    guard let old = UserFile.bytes("\(folder)/\(file)", byteLimit: RegistryEntry.byteLimit) else {
      throw EntryFault("it cannot be read, or has more than \(RegistryEntry.byteLimit >> 10) KiB")
    }
    let tree = try JSONTree(old)
    let entry = try RegistryEntry(tree)
    guard var members = tree.members else { throw EntryFault("expected an object") }
    let files = try await cache.obtain(entry.source, sha256: nil, from: RegistryFolder(folder))
    defer { cache.discard(files) }
    // In folders of its own, so that nothing that is installed here matters.
    let content = try await StagedContent(
      files.path,
      environment: environment.merging(["XDG_DATA_HOME": scratch]) { $1 },
      catalog: BundleCatalog()
    )
    defer { content.discard() }
    guard content.identifier == entry.id else {
      throw EntryFault("id: its files have the identifier \(content.identifier)")
    }
    let isSame =
      members["sha256"]?.string == files.sha256 && members["kind"]?.string == content.kind.rawValue
      && entry.permissions == content.permissions
    if isSame { return (old, old, entry.id) }
    members["kind"] = .string(content.kind.rawValue)
    members["permissions"] = content.permissions.json
    members["sha256"] = .string(files.sha256)
    return (old, PrettyJSON.bytes(of: .object(members)), entry.id)
  }
}
