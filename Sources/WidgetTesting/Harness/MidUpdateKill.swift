import WidgetKitCore
import WidgetPlatform

/// Kills a widget in the middle of an update.
///
/// That is when the widget has read the request and then written something: to a file in its folders, to standard
/// output or to standard error. One that writes nothing is killed when half of its time has passed.
final class MidUpdateKill {
  private let folders: Containers?
  private let limit: Duration
  private let isRead: () -> Bool
  private let kill: () -> Void
  /// The files before the request was sent.
  private let files: WrittenFiles?
  private var hasWritten = false
  private var isDone = false
  private var timer: (any HostTimer)?
  private var start = ContinuousClock.now

  /// How often the files are looked at.
  private static let interval: Duration = .milliseconds(1)

  /// Looks at the files as they are before the request is sent.
  ///
  /// - Parameters:
  ///   - folders: The folders that the widget may write to; nil if they are not known.
  ///   - limit: Half of the time that the widget has for the update.
  ///   - isRead: Whether the widget has read everything that it was sent.
  ///   - kill: Kills it.
  init(
    folders: Containers?,
    limit: Duration,
    isRead: @escaping () -> Bool,
    kill: @escaping () -> Void
  ) {
    (self.folders, self.limit, self.isRead, self.kill) = (folders, limit, isRead, kill)
    files = folders.map(WrittenFiles.init)
  }

  /// Begins to look, when the request was sent.
  func begin() {
    start = .now
    look()
  }

  /// Called when the widget has written to standard output or to standard error.
  func noteOutput() {
    if isRead() { hasWritten = true }
    killIfDue()
  }

  /// Called when the widget has answered, which nobody is to hear of.
  func noteAnswer() {
    finish()
  }

  private func look() {
    killIfDue()
    guard !isDone else { return }
    timer = SystemClock().schedule(after: Self.interval) { [weak self] in self?.look() }
  }

  private func killIfDue() {
    let isLate = start.duration(to: .now) >= limit
    if isLate || isRead() && (hasWritten || hasWrittenFile) { finish() }
  }

  private func finish() {
    guard !isDone else { return }
    isDone = true
    timer?.cancel()
    kill()
  }

  private var hasWrittenFile: Bool {
    guard let folders, let files else { return false }
    return !WrittenFiles(folders).changes(since: files).isEmpty
  }
}
