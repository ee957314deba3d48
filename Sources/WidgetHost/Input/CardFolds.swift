import FoundationEssentials
import WidgetKitCore

/// Keeps what the user opens in the view of one card for the next start; files are written off the main thread.
///
/// A class because it remembers what it has read.
final class CardFolds {
  private let store: StoredFolds
  private let id: CardID
  private let clock: any HostClock
  /// The parts that were kept and not yet seen in a view of this run.
  private var unseen: FoldRecord?

  init(_ folders: StateFolders, _ id: CardID, clock: any HostClock) {
    store = StoredFolds(folders)
    self.id = id
    self.clock = clock
  }

  private var today: Int { Int((clock.date.timeIntervalSince1970 / 86_400).rounded(.down)) }

  /// What the user has opened before.
  func load() -> ViewState {
    let record = store.read(id)
    if record != FoldRecord() { unseen = record }
    var state = ViewState.first
    state.folds = record.folds.mapValues(\.isOpen)
    for (key, part) in record.lists where part.isOpen {
      state.lists[key, default: .init()].isExpanded = true
    }
    return state
  }

  /// The user has opened or closed a fold.
  func note(fold key: String, isOpen: Bool) {
    let part = FoldRecord.Part(isOpen: isOpen, day: today)
    change { $0.folds[key] = part }
  }

  /// The user has shown all rows of a list, or fewer again.
  func note(list key: String, isOpen: Bool) {
    let part = isOpen ? FoldRecord.Part(isOpen: true, day: today) : nil
    change { $0.lists[key] = part }
  }

  /// Notes that what was kept is still in the view, once a day.
  func viewDidCome(_ view: ViewNode) {
    guard let record = unseen else { return }
    let day = today
    var folds: Set<String> = []
    var lists: Set<String> = []
    view.forEachInput { node in
      let key = node.inputKey
      switch node.content {
      case .fold: if record.folds[key].map({ $0.day < day }) == true { folds.insert(key) }
      case .list: if record.lists[key].map({ $0.day < day }) == true { lists.insert(key) }
      default: break
      }
    }
    guard !folds.isEmpty || !lists.isEmpty else { return }
    for key in folds { unseen?.folds[key]?.day = day }
    for key in lists { unseen?.lists[key]?.day = day }
    change { [folds, lists] in
      for key in folds { $0.folds[key]?.day = day }
      for key in lists { $0.lists[key]?.day = day }
    }
  }

  /// What cannot be written is kept until the program ends.
  private func change(_ change: @escaping @Sendable (inout FoldRecord) -> Void) {
    Worker.writing.async { [store, id, today] in try? store.change(id, today: today, change) }
  }
}
