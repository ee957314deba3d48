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
}
