import FoundationEssentials
import Glibc
import Notices
import WidgetKitCore
import WidgetPlatform

/// The notice of a command that is running, with the progress that it tells its terminal.
///
/// It comes after the time from which on the end of the command is told, and the notice of the end takes its place.
struct RunningCommand {
  /// What both notices have in common.
  private let draft: NoticeDraft
  private var store: NoticeStore
  private let shortest: Duration
  private var reader = ProgressReader()
  /// What was stored last, when, and with which number.
  private var last: (progress: CommandProgress, time: Duration, id: Int)?
  /// Whether a person has dismissed it, who is told of the end alone.
  private var isDismissed = false

  /// How often the notice changes at most.
  private static let shortestStep: Duration = .seconds(1)
  /// How long the notice of a command waits of which nothing is heard any more, and how often it is renewed.
  private static let life: Duration = .seconds(600)
  private static let renewal: Duration = .seconds(240)

  /// Creates it.
  ///
  /// - Parameters:
  ///   - name: The command as people read it.
  ///   - draft: The application and the tag.
  ///   - shortest: How long the command runs before there is a notice.
  ///   - store: Where it is stored.
  init(_ name: String, _ draft: NoticeDraft, after shortest: Duration, in store: NoticeStore) {
    var draft = draft
    draft.content.title = "\(name) is running"
    draft.content.urgency = .low
    draft.content.isTransient = true
    draft.content.isOngoing = true
    (self.draft, self.store, self.shortest) = (draft, store, shortest)
    // What the command writes waits meanwhile.
    self.store.patience = .milliseconds(50)
  }

  /// How long nothing is to be done, as long as nothing is written.
  func pause(after time: Duration) -> Duration {
    guard !isDismissed else { return Self.life }
    guard let last else { return shortest - time }
    return last.time + (last.progress == reader.progress ? Self.renewal : Self.shortestStep) - time
  }

  /// Reads what was written, and stores the notice when that is due.
  mutating func take(_ bytes: ArraySlice<UInt8>, after time: Duration) {
    reader.take(bytes)
    guard pause(after: time) <= .zero else { return }
    if let last, last.id > 0, time - last.time < Self.life, !waits(last.id) {
      isDismissed = true
      return
    }
    var draft = draft
    let progress = reader.progress
    draft.content.progress = progress.percent
    draft.content.body =
      switch progress.state {
      case .failing: "it reports an error"
      case .paused: "it is paused"
      case .none, .running, .indeterminate: nil
      }
    // The end is told in any case.
    let id = try? store.post(draft.stored, expiresAfter: Self.life.seconds)
    last = (progress, time, id ?? last?.id ?? 0)
  }

  private func waits(_ id: Int) -> Bool {
    guard let found = try? store.waiting(after: id - 1) else { return true }
    return found.notices.contains { $0.id == id }
  }

  /// Removes the notice of a command whose end is not told.
  func remove() {
    guard let last, last.id > 0 else { return }
    try? store.note(.dismissed, of: [last.id])
  }
}
