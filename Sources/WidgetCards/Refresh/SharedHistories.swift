package import WidgetExtensions
import WidgetPlatform

/// The histories and locks of a user's widgets, which all hosts share.
package struct SharedHistories {
  let histories: RefreshHistories
  let locks: RefreshLocks
  /// Calls a function when the pending snapshots have been written.
  let afterWriting: (@escaping @Sendable () -> Void) -> Void

  /// Creates it with its values.
  package init(
    histories: RefreshHistories,
    locks: RefreshLocks,
    afterWriting: @escaping (@escaping @Sendable () -> Void) -> Void
  ) {
    self.histories = histories
    self.locks = locks
    self.afterWriting = afterWriting
  }

  /// Returns the results of a widget's updates in all hosts.
  func history(of id: ExtensionIdentity) -> RefreshHistory { histories.read(id) }

  /// Writes a history after the snapshots that belong to it, and then releases the lock: others may
  /// take it only when the data that they take over is on the disk.
  func keep(_ history: RefreshHistory, of id: ExtensionIdentity, releasing lock: RefreshLock?) {
    let histories = histories
    afterWriting {
      withExtendedLifetime(lock) { histories.write(history, of: id) }
    }
  }

  /// Notifies other hosts, after the pending snapshots have been written, that there is a new one.
  func announce(_ picture: RefreshHistory.Picture, of id: ExtensionIdentity) {
    let histories = histories
    afterWriting { histories.announce(picture, of: id) }
  }
}
