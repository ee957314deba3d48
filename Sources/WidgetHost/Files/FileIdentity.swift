import Glibc

/// What tells one state of a file from another without reading it.
nonisolated struct FileIdentity: Hashable, Sendable {
  private var device: UInt
  private var inode: UInt
  private var size: Int
  private var seconds: Int
  private var nanoseconds: Int

  /// Looks at the file at `path`, links followed; nil where there is none.
  init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Takes what is known of a file already.
  init(_ status: stat) {
    device = UInt(status.st_dev)
    inode = UInt(status.st_ino)
    size = status.st_size
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }
}
