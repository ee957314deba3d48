import Glibc

/// Reports changes of a folder's files without polling: it uses inotify and reports on the main thread.
///
/// This is a class because it owns a descriptor and the watch on it. Only complete files are reported:
/// closed after writing, moved in, moved out, or removed; in folders of the user also those whose
/// permissions have changed.
@MainActor package final class FolderWatch {
  /// Whose folders are watched.
  package enum Kind {
    /// The program's own, which are made where they are missing.
    case own
    /// The user's, which may be links, and in which links and folders may appear, files may become
    /// executable, or the folder itself may go.
    case user

    fileprivate var events: Int32 {
      let files = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE
      return switch self {
      case .own: files
      case .user: files | IN_CREATE | IN_ATTRIB | Int32(FolderWatch.endEvents)
      }
    }
  }

  /// The folder itself has another place or none.
  nonisolated static let endEvents = UInt32(IN_MOVE_SELF | IN_DELETE_SELF)

  private let events: FolderEvents
  private let onChange: (Set<String>) -> Void

  /// Watches the folder at `path`, which is created if it is missing.
  ///
  /// - Parameters:
  ///   - path: The folder; files in folders below it are not reported.
  ///   - onChange: Called on the main thread with the names of the files that changed; an empty set
  ///     means that any file may have changed, because more happened than the kernel kept.
  /// - Throws: ``HostError`` if the folder cannot be created or watched.
  package convenience init(_ path: String, onChange: @escaping (Set<String>) -> Void)
    throws(HostError)
  {
    try self.init([path], onChange: onChange)
  }

  /// Watches several folders with one descriptor: the kernel allows a user 128 of them.
  ///
  /// All watches of the user's folders share one.
  ///
  /// - Parameters:
  ///   - paths: The folders; a reported name may be in any of them.
  ///   - kind: Whose folders they are.
  ///   - onChange: As for one folder.
  /// - Throws: ``HostError`` if one of them cannot be created or watched.
  init(
    _ paths: [String],
    of kind: Kind = .own,
    onChange: @escaping (Set<String>) -> Void
  ) throws(HostError) {
    self.onChange = onChange
    switch kind {
    case .own: events = try FolderEvents()
    case .user: events = try FolderEvents.ofUser()
    }
    let mask = UInt32(kind.events | IN_ONLYDIR)
    for path in paths {
      do throws(FileFault) {
        let folder =
          switch kind {
          case .own: try OwnFolder.open(path, makes: true)
          case .user: try OwnFolder.openThroughLinks(path, makes: false)
          }
        // This is the folder that was opened, even if another one has its name now.
        try events.add("/proc/self/fd/\(folder.number)", mask, for: self)
      } catch {
        events.remove(ObjectIdentifier(self))
        throw FolderWatchFault.error(path, error)
      }
    }
  }

  /// Ends all watches of the program, which ends soon, without waiting for the kernel when it exits.
  package static func endAll() {
    FolderEvents.endAll()
  }

  /// Reports what has changed until now, before the watch ends.
  func flush() {
    events.flush()
  }

  /// Something has changed in the folders.
  func report(_ names: Set<String>) {
    onChange(names)
  }

  isolated deinit {
    events.remove(ObjectIdentifier(self))
  }
}
