/// The histories and locks of a user's widgets, which all hosts share.
struct SharedHistories {
  let histories: RefreshHistories
  /// The folder of the locks.
  let lockFolder: String
  /// Does something when the snapshots that are still to be written are on the disk.
  let afterWriting: (@escaping @Sendable () -> Void) -> Void

  /// What came of a widget's updates, in any host.
  func history(of id: CardID) -> RefreshHistory { histories.read(id) }

  /// Keeps a history behind the snapshots that go with it, and lets go of the lock then: others may
  /// have it only when what they take over is on the disk.
  func keep(_ history: RefreshHistory, of id: CardID, releasing lock: RefreshLock?) {
    let histories = histories
    afterWriting {
      withExtendedLifetime(lock) { histories.write(history, of: id) }
    }
  }

  /// Tells other hosts, behind the snapshots that are still to be written, that there is a new one.
  func announce(_ picture: RefreshHistory.Picture, of id: CardID) {
    let histories = histories
    afterWriting { histories.announce(picture, of: id) }
  }

  /// Tries for the right to a widget's scheduled update.
  func lock(of id: CardID) -> RefreshLock.Attempt {
    RefreshLock.attempt("\(lockFolder)/\(StateFolders.fileName(id)).lock")
  }
}
