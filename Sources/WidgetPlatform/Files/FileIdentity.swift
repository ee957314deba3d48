package import Glibc

/// Distinguishes the states of a file without reading it.
package struct FileIdentity: Hashable, Sendable {
  private var device: UInt
  private var inode: UInt
  private var size: Int
  private var seconds: Int
  private var nanoseconds: Int

  /// Reads the status of the file at `path` with links resolved; nil if there is none.
  package init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Uses a status that is already known.
  package init(_ status: stat) {
    device = UInt(status.st_dev)
    inode = UInt(status.st_ino)
    size = status.st_size
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }

  /// Whether it is the same file or folder, whatever has changed in it.
  package func isSameFile(as other: FileIdentity) -> Bool {
    (device, inode) == (other.device, other.inode)
  }
}
