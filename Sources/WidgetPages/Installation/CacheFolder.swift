import FoundationEssentials
import Glibc
import WidgetKitCore
public import WidgetPlatform

/// The cache of one widget, instance or app on the disk.
public nonisolated struct CacheFolder: Sendable {
  /// The name of the folder, which is the identity as text: `ID` or `ID:NAME`.
  public let name: String
  private let folders: StateFolders

  /// The folder.
  public var path: String { "\(folders.cacheContainers)/\(name)" }

  /// The most files that are counted.
  private static let entryLimit = 10_000_000

  /// All caches that there are, sorted by their names.
  public static func all(_ folders: StateFolders) -> [CacheFolder] {
    guard let folder = try? OwnFolder.open(folders.cacheContainers) else { return [] }
    let names = folder.names().filter { name in
      folder.status(name).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
    }
    return names.sorted().map { CacheFolder(name: $0, folders: folders) }
  }

  /// Whether it belongs to an extension, or to one of its instances.
  public func belongs(to id: ExtensionIdentity) -> Bool {
    name == OwnPath.split(folders.containers(of: id).cache).name || id.owns(fileName: name)
  }

  /// Removes everything in the folder, which stays, because a sandbox may show it.
  ///
  /// - Returns: The bytes of the disk that this has freed.
  /// - Throws: ``HostError`` if the folder cannot be used, or if something is left.
  public func purge() throws(HostError) -> Int {
    do throws(FileFault) {
      let folder = try OwnFolder.open(folders.cacheContainers).anyFolder(name)
      let before = Self.bytes(folder)
      for name in folder.names() { folder.removeTree(name) }
      let after = Self.bytes(folder)
      guard folder.names(limit: 1).isEmpty else {
        throw .refused("some of its files cannot be removed")
      }
      return before > after ? Int(clamping: before - after) : 0
    } catch {
      throw .file("empty", path, error)
    }
  }

  private static func bytes(_ folder: borrowing OwnFolder) -> UInt64 {
    var extent = FolderExtent(entryLimit: entryLimit)
    extent.add(folder)
    return extent.bytes
  }

  // MARK: - Use

  /// The caches of all widgets and apps that run, by their paths: in every dashboard, also suspended ones.
  public static func pathsInUse() -> Set<String> {
    let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc")
    return (names ?? []).reduce(into: []) { paths, name in
      guard Int32(name) != nil, let text = ProcFile.text("/proc/\(name)/environ") else { return }
      for entry in text.split(separator: "\0") where entry.hasPrefix(variable) {
        paths.insert(String(entry.dropFirst(variable.count)))
      }
    }
  }

  private static let variable = "TODAY_CACHE="
}
