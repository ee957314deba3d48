import Glibc
import WidgetKitCore

/// Operations on folders with all their contents, such as those that widgets write to.
extension OwnFolder {
  /// Removes the file or folder of this name, a folder with all its contents; links are removed, never
  /// followed.
  ///
  /// A tree of any depth is removed with three open folders: each folder inside a folder of the tree is
  /// moved to the top of the tree, so that the tree becomes flat.
  package func removeTree(_ name: String) {
    guard OwnPath.isPlain(name), unsafe unlinkat(number, name, 0) != 0 else { return }
    if let top = unsafe Self.writableFolder(number, name) {
      // Each folder of the tree needs at most one round; folders created meanwhile must not make the
      // loop endless.
      for _ in 0..<1_000_000 where !Self.flatten(top.number) { break }
    }
    removeFolder(name)
  }

  /// Removes files, and moves nested folders to the top; returns false if nothing is left or nothing
  /// can be done.
  private static func flatten(_ top: Int32) -> Bool {
    var didChange = false
    var folders: [[CChar]] = []
    unsafe forEachName(in: top) { name, _ in
      if unsafe removed(top, name) {
        didChange = true
      } else {
        folders.append(unsafe Array(UnsafeBufferPointer(start: name, count: strlen(name) + 1)))
      }
      return true
    }
    for folder in folders {
      guard let open = unsafe writableFolder(top, folder) else { continue }
      unsafe forEachName(in: open.number) { name, _ in
        if unsafe removed(open.number, name) || movedUp(open.number, name, top) {
          didChange = true
        }
        return true
      }
      if unsafe unlinkat(top, folder, AT_REMOVEDIR) == 0 { didChange = true }
    }
    return didChange && !folders.isEmpty
  }

  private static func removed(_ folder: Int32, _ name: UnsafePointer<CChar>) -> Bool {
    unsafe unlinkat(folder, name, 0) == 0 || unlinkat(folder, name, AT_REMOVEDIR) == 0
  }

  private static func movedUp(
    _ folder: Int32,
    _ name: UnsafePointer<CChar>,
    _ top: Int32
  ) -> Bool {
    // Moving a folder requires write permission for it.
    _ = unsafe writableFolder(folder, name)
    return unsafe renameat(folder, name, top, temporaryName()) == 0
  }

  /// `O_PATH` of fcntl.h, which the module Glibc does not export.
  private static let openPath: Int32 = 0o10000000

  /// Opens a folder that is to be emptied, and adds the permission to do so if it is missing.
  private static func writableFolder(
    _ folder: Int32,
    _ name: UnsafePointer<CChar>
  ) -> Descriptor? {
    let flags = O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    // A folder without any permission cannot be opened, but a descriptor can refer to it.
    let found = unsafe openat(folder, name, openPath | flags)
    guard found >= 0 else { return nil }
    let place = Descriptor(found)
    if let status = place.status(), status.st_mode & 0o700 != 0o700, status.st_uid == geteuid() {
      unsafe chmod("/proc/self/fd/\(found)", 0o700)
    }
    let opened = unsafe openat(found, ".", O_RDONLY | flags)
    return opened >= 0 ? Descriptor(opened) : nil
  }

  /// The total size of the contents of a folder.
  package struct Extent {
    /// Bytes as allocated on the disk; for a file with holes, only what was written.
    package var bytes: UInt64 = 0
    /// The number of files, folders and links.
    var entries = 0
    /// Whether a limit ended the count early.
    package var isCutOff = false

    /// Creates it with its values.
    package init(bytes: UInt64 = 0, entries: Int = 0, isCutOff: Bool = false) {
      self.bytes = bytes
      self.entries = entries
      self.isCutOff = isCutOff
    }
  }

  /// Counts the contents of this folder and the folders below it; links count themselves, not their
  /// targets.
  ///
  /// - Parameters:
  ///   - extent: The previous count, which is increased.
  ///   - entryLimit: The number of files and folders after which counting stops.
  ///   - depthLimit: Deeper folders are not counted, because each folder on the path is open meanwhile.
  package func measure(into extent: inout Extent, entryLimit: Int, depthLimit: Int = 64) {
    Self.measure(number, into: &extent, entryLimit, depthLimit)
  }

  private static func measure(
    _ folder: Int32,
    into extent: inout Extent,
    _ entryLimit: Int,
    _ depth: Int
  ) {
    unsafe forEachName(in: folder) { name, _ in
      guard extent.entries < entryLimit else {
        extent.isCutOff = true
        return false
      }
      extent.entries += 1
      var status = stat()
      guard unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return true }
      let blocks = UInt64(max(0, status.st_blocks))
      extent.bytes = extent.bytes.addingSaturated(blocks.multipliedSaturated(by: 512))
      guard status.st_mode & S_IFMT == S_IFDIR else { return true }
      let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
      let opened = depth > 0 ? unsafe openat(folder, name, flags) : -1
      guard opened >= 0 else {
        if depth <= 0 { extent.isCutOff = true }
        return true
      }
      let open = Descriptor(opened)
      measure(open.number, into: &extent, entryLimit, depth - 1)
      return !extent.isCutOff
    }
  }
}
