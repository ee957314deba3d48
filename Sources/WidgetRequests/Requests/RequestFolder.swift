import Glibc
import WidgetKitCore
import WidgetPlatform

/// The temporary folder of an extension for one request, which goes with its process.
///
/// It is in the cache of the extension, where its sandbox lets it read and write.
nonisolated struct RequestFolder: Sendable {
  private let cache: String
  private let name: String
  private let containers: Containers

  /// The path of the folder.
  var path: String { "\(cache)/\(name)" }

  /// Makes the folder.
  ///
  /// - Throws: ``HostError`` if it cannot be made.
  init(in containers: Containers) throws(HostError) {
    (self.containers, cache) = (containers, containers.cache)
    name = Self.beginning + OwnFolder.temporaryName()
    do throws(FileFault) {
      let folder = try OwnFolder.open(cache, makes: true)
      Self.removeStrays(in: folder)
      _ = try folder.folder(name, makes: true)
    } catch {
      throw .file("make a folder in", cache, error)
    }
  }

  private static let beginning = "request-"
  /// After so many seconds no request has a folder any more whose program has ended.
  private static let strayAge = 60

  /// Removes the folders of requests whose programs were killed, or have ended before the extension.
  private static func removeStrays(in cache: borrowing OwnFolder) {
    for name in cache.names() where name.hasPrefix(beginning) {
      // The number of the program is the last part but one.
      let pid = name.split(separator: ".").dropLast().last.flatMap { Int32($0) }
      let isGone = pid.map { kill($0, 0) != 0 && errno == ESRCH } ?? true
      if isGone, cache.age(name) ?? 0 > strayAge { cache.removeTree(name) }
    }
  }

  /// Removes the folder with everything in it.
  func remove() {
    if let folder = try? OwnFolder.open(cache) { folder.removeTree(name) }
  }

  /// Makes a file in a folder of its own, so that it can have any name.
  ///
  /// - Returns: The open file, which the caller must close, and its path.
  func makeFile(_ wanted: String) throws(HostError) -> (number: Int32, path: String) {
    let place = OwnFolder.temporaryName()
    let name = OwnPath.isPlain(wanted) && wanted.utf8.count < 200 ? wanted : "content"
    do throws(FileFault) {
      let folder = try OwnFolder.open(cache).anyFolder(self.name).anyFolder(place, makes: true)
      let file = try folder.file(name, O_RDWR | O_CREAT | O_EXCL)
      return (file.take(), "\(path)/\(place)/\(name)")
    } catch {
      throw .file("make a file in", path, error)
    }
  }

  /// Opens a file that the extension returns: in this folder, or in another that it may write to.
  ///
  /// Links are not followed, so that it leads to no other file.
  ///
  /// - Throws: ``HostError`` with `refused` if the path is outside.
  func open(returned path: String) throws(HostError) -> Descriptor {
    let roots = [cache, containers.data] + containers.groups.values
    guard let root = roots.first(where: { path.hasPrefix($0 + "/") }) else {
      throw Self.outside(path)
    }
    var parts = path.dropFirst(root.count + 1).split(separator: "/").map(String.init)
    guard let name = parts.popLast(), (parts + [name]).allSatisfy({ OwnPath.isPlain($0) }) else {
      throw Self.outside(path)
    }
    do throws(FileFault) {
      var folder = try OwnFolder.open(root)
      for part in parts { folder = try folder.anyFolder(part) }
      return try folder.file(name, O_RDONLY)
    } catch {
      throw HostError(
        code: .file,
        description: "what it returned cannot be read: \(name): \(error.words)"
      )
    }
  }

  private static func outside(_ path: String) -> HostError {
    HostError(
      code: .refused,
      description:
        "it returned a path outside of its folders, “\(SafeText(path).onOneLine)”; expected one below "
        + "TMPDIR, TODAY_DATA or TODAY_CACHE"
    )
  }
}
