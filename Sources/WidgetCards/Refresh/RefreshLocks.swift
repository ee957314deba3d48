import WidgetKitCore
import WidgetPlatform

/// The locks of all widgets, and those that this host keeps from one update to the next.
///
/// Other hosts that want one of these are noticed without polling: a host that tries a lock opens and
/// closes its file, which inotify reports. This is a class because the schedules of all cards share it.
package final class RefreshLocks {
  private let folder: String
  private var watch: FolderWatch?
  /// What is called when another host wants a lock, by the name of its file.
  private var requests: [String: () -> Void] = [:]

  /// The largest number of kept locks, each of which takes up a file descriptor.
  static let limit = 256

  /// Creates the locks in a folder, which is watched while any of them is kept.
  package init(folder: String) {
    self.folder = folder
  }

  /// Tries to take the lock for a widget's scheduled update.
  func attempt(_ id: ExtensionIdentity) -> RefreshLock.Attempt {
    RefreshLock.attempt("\(folder)/\(Self.fileName(of: id))")
  }

  private static func fileName(of id: ExtensionIdentity) -> String { "\(id.fileName).lock" }

  /// Keeps a widget's lock from now on.
  ///
  /// - Parameters:
  ///   - id: The widget.
  ///   - onRequest: Called when another host wants the lock, which should soon be released then.
  /// - Returns: Whether it may be kept; false if there are too many, or if other hosts would not be
  ///   noticed.
  func keep(_ id: ExtensionIdentity, onRequest: @escaping () -> Void) -> Bool {
    let name = Self.fileName(of: id)
    guard requests[name] != nil || requests.count < Self.limit else { return false }
    watch = watch ?? (try? FolderWatch(folder) { [weak self] in self?.didClose($0) })
    guard watch != nil else { return false }
    requests[name] = onRequest
    return true
  }

  /// Does not keep a widget's lock any longer.
  func end(_ id: ExtensionIdentity) {
    requests[Self.fileName(of: id)] = nil
    if requests.isEmpty { watch = nil }
  }

  /// Handles the names of closed files; an empty set means that any lock may be wanted.
  private func didClose(_ names: Set<String>) {
    let wanted = names.isEmpty ? requests : requests.filter { names.contains($0.key) }
    for request in wanted.values { request() }
  }
}
