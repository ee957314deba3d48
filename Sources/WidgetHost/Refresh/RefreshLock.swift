import Glibc

/// The right to make a widget's scheduled update: of many hosts one has it at a time.
///
/// A class because it owns a descriptor; the kernel takes the lock back when the host ends in any
/// way, so that a crash never keeps a widget from being updated.
nonisolated final class RefreshLock: Sendable {
  private let descriptor: Descriptor

  /// What trying for a lock came to.
  enum Attempt {
    /// It is this host's until it is let go of.
    case held(RefreshLock)
    /// Another host makes the update; `isKnown` where it can be seen and runs.
    case busy(isKnown: Bool)
    /// Something that is no host holds the lock, in words: nobody makes the update.
    case foreign(String)
    /// There can be no lock here, as on a disk that is read-only: each host goes by itself.
    case unavailable
  }

  private init(_ descriptor: consuming Descriptor) {
    self.descriptor = descriptor
  }

  /// Tries for the lock at `path`, a file that is made where it is missing and stays.
  static func attempt(_ path: String) -> Attempt {
    let place = OwnPath.split(path)
    do throws(FileFault) {
      let folder = try OwnFolder.open(place.folder, makes: true)
      let file = try folder.file(place.name, O_RDWR | O_CREAT)
      if flock(file.number, LOCK_EX | LOCK_NB) == 0 { return .held(RefreshLock(file)) }
      guard errno == EWOULDBLOCK else { return .unavailable }
      return switch LockHolder.of(file.number) {
      case .host: .busy(isKnown: true)
      case .foreign(let words): .foreign(words)
      case .unknown: .busy(isKnown: false)
      }
    } catch {
      return .unavailable
    }
  }
}
