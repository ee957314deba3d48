import Glibc

/// The right to make a widget's scheduled update: of many hosts one has it at a time.
///
/// A class because it owns a descriptor; the kernel takes the lock back when the host ends in any
/// way, so that a crash never keeps a widget from being updated.
nonisolated final class RefreshLock: Sendable {
  private let descriptor: Int32

  /// What trying for a lock came to.
  enum Attempt {
    /// It is this host's until it is let go of.
    case held(RefreshLock)
    /// Another host makes the update.
    case busy
    /// There can be no lock here, as on a disk that is read-only: each host goes by itself.
    case unavailable
  }

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Tries for the lock at `path`, a file that is made where it is missing and stays.
  static func attempt(_ path: String) -> Attempt {
    let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    StateFolders.make(folder)
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let descriptor = unsafe open(path, flags, 0o600)
    guard descriptor >= 0 else { return .unavailable }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return .held(RefreshLock(descriptor)) }
    let isBusy = errno == EWOULDBLOCK
    close(descriptor)
    return isBusy ? .busy : .unavailable
  }

  deinit {
    close(descriptor)
  }
}
