import Glibc
import WidgetKitCore

/// Folders with all that is in them, such as those that widgets write in.
nonisolated extension OwnFolder {
  /// Removes what has this name, a folder with all that is in it; links are removed, never followed.
  ///
  /// A tree of any depth is removed with three open folders: what is a folder in a folder of the
  /// tree is moved up to its top, so that the tree becomes flat.
  func removeTree(_ name: String) {
    guard OwnPath.isPlain(name), unsafe unlinkat(number, name, 0) != 0 else { return }
    if let top = unsafe Self.writableFolder(number, name) {
      // Each folder of the tree costs one round at most; one that is made meanwhile must not make
      // it endless.
      for _ in 0..<1_000_000 where !Self.flatten(top.number) { break }
    }
    removeFolder(name)
  }

  /// Removes files, and moves the folders of folders up; false where nothing is left, or nothing
  /// can be done about it.
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
    // A folder cannot be moved by who may not write to it.
    _ = unsafe writableFolder(folder, name)
    return unsafe renameat(folder, name, top, temporaryName()) == 0
  }

  /// `O_PATH` of fcntl.h, which the module Glibc leaves out.
  private static let openPath: Int32 = 0o10000000

  /// Opens a folder that is to be emptied, and takes the permission to do so where it is missing.
  private static func writableFolder(
    _ folder: Int32,
    _ name: UnsafePointer<CChar>
  ) -> Descriptor? {
    let flags = O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    // A folder without any permission can be named by a descriptor, not be opened.
    let found = unsafe openat(folder, name, openPath | flags)
    guard found >= 0 else { return nil }
    let place = Descriptor(found)
    if let status = place.status(), status.st_mode & 0o700 != 0o700, status.st_uid == geteuid() {
      unsafe chmod("/proc/self/fd/\(found)", 0o700)
    }
    let opened = unsafe openat(found, ".", O_RDONLY | flags)
    return opened >= 0 ? Descriptor(opened) : nil
  }

  /// What the files and folders of a folder hold.
  struct Extent {
    /// Bytes, as the disk counts them: of a file with holes what was written.
    var bytes: UInt64 = 0
    /// Files, folders and links.
    var entries = 0
    /// Whether there was more than was looked at.
    var isCutOff = false
  }

  /// Counts what is in this folder and the folders below, links themselves and not what they lead to.
  ///
  /// - Parameters:
  ///   - extent: What was counted before; it grows.
  ///   - entryLimit: Counting stops after so many files and folders.
  ///   - depthLimit: Folders deeper than this are not looked at: each of them is open meanwhile.
  func measure(into extent: inout Extent, entryLimit: Int, depthLimit: Int = 64) {
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
