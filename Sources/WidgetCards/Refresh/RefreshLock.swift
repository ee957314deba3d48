import Glibc
import WidgetPlatform

/// The lock for a widget's scheduled update; only one host has it at a time.
///
/// This is a class because it owns a file descriptor. The kernel releases the lock when the host ends
/// in any way, so that a crash never prevents updates of a widget.
package nonisolated final class RefreshLock: Sendable {
  private let descriptor: Descriptor

  /// The result of an attempt to take a lock.
  package enum Attempt {
    /// This host holds the lock until it is released.
    case held(RefreshLock)
    /// Another host makes the update; `isKnown` if it can be identified and runs.
    case busy(isKnown: Bool)
    /// A program that is not a host holds the lock; the text describes it.
    ///
    /// No host makes the update.
    case foreign(String)
    /// No lock is possible here, as on a read-only disk; each host uses its own schedule.
    case unavailable
  }

  private init(_ descriptor: consuming Descriptor) {
    self.descriptor = descriptor
  }

  /// Tries to take the lock at `path`, a file that is created if it is missing and is never removed.
  package static func attempt(_ path: String) -> Attempt {
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
