import Glibc
import WidgetKitCore

/// The total size of the contents of folders.
package struct FolderExtent {
  /// Bytes as allocated on the disk; for a file with holes, only what was written.
  package private(set) var bytes: UInt64 = 0
  /// Whether a limit ended the count early.
  package private(set) var isCutOff = false
  /// The number of files, folders and links.
  private var entries = 0
  /// The number of files and folders after which counting stops.
  private let entryLimit: Int

  /// Nothing yet.
  ///
  /// - Parameter entryLimit: The number of files and folders after which counting stops.
  package init(entryLimit: Int) {
    self.entryLimit = entryLimit
  }

  /// Counts the contents of a folder and the folders below it; links count themselves, not their targets.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - depthLimit: Deeper folders are not counted, because each folder on the path is open meanwhile.
  package mutating func add(_ folder: borrowing OwnFolder, depthLimit: Int = 64) {
    add(folder.number, depthLimit)
  }

  private mutating func add(_ folder: Int32, _ depth: Int) {
    unsafe OwnFolder.forEachName(in: folder) { name, _ in
      guard entries < entryLimit else {
        isCutOff = true
        return false
      }
      entries += 1
      var status = stat()
      guard unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return true }
      let blocks = UInt64(max(0, status.st_blocks))
      bytes = bytes.addingSaturated(blocks.multipliedSaturated(by: 512))
      guard status.st_mode & S_IFMT == S_IFDIR else { return true }
      let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
      let opened = depth > 0 ? unsafe openat(folder, name, flags) : -1
      guard opened >= 0 else {
        if depth <= 0 { isCutOff = true }
        return true
      }
      let open = Descriptor(opened)
      add(open.number, depth - 1)
      return !isCutOff
    }
  }
}
