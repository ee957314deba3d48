import Glibc

/// A lock on a folder that other hosts respect (flock(2)); it is released when the value is destroyed.
package struct FolderLock: ~Copyable {
  private let descriptor: Int32

  /// Waits for the lock; returns nil if another program holds it for longer than `patience`, or if
  /// locking is not possible.
  ///
  /// The folder must stay open as long as the lock.
  package init?(_ folder: borrowing OwnFolder, patience: Duration) {
    let end = ContinuousClock.now + patience
    while flock(folder.number, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR, ContinuousClock.now < end else { return nil }
      usleep(1_000)
    }
    descriptor = folder.number
  }

  deinit {
    flock(descriptor, LOCK_UN)
  }
}
