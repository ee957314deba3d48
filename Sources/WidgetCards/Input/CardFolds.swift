import FoundationEssentials
import WidgetKitCore
import WidgetPlatform

/// What the user has opened in the view of one card before, and what of it is to be kept for the next start.
struct CardFolds {
  /// A change of what is kept.
  typealias Change = @Sendable (inout FoldRecord) -> Void

  /// The parts that were kept and not yet seen in a view of this run.
  private var unseen: FoldRecord?

  /// Takes over what was kept; returns how it is shown.
  mutating func take(_ record: FoldRecord) -> ViewState {
    if record != FoldRecord() { unseen = record }
    var state = ViewState.first
    state.folds = record.folds.mapValues(\.isOpen)
    for (key, part) in record.lists where part.isOpen {
      state.lists[key, default: .init()].isExpanded = true
    }
    return state
  }

  /// The user has opened or closed a fold.
  static func note(fold key: String, isOpen: Bool, on day: Int) -> Change {
    { $0.folds[key] = FoldRecord.Part(isOpen: isOpen, day: day) }
  }

  /// The user has shown all rows of a list, or fewer again.
  static func note(list key: String, isOpen: Bool, on day: Int) -> Change {
    { $0.lists[key] = isOpen ? FoldRecord.Part(isOpen: true, day: day) : nil }
  }

  /// Notes that what was kept is still in the view, once a day.
  mutating func viewDidCome(_ view: ViewNode, on day: Int) -> Change? {
    guard let record = unseen else { return nil }
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
    guard !folds.isEmpty || !lists.isEmpty else { return nil }
    for key in folds { unseen?.folds[key]?.day = day }
    for key in lists { unseen?.lists[key]?.day = day }
    return { [folds, lists] in
      for key in folds { $0.folds[key]?.day = day }
      for key in lists { $0.lists[key]?.day = day }
    }
  }
}

extension Moment {
  /// The days since 1970.
  nonisolated var day: Int { Int((date.timeIntervalSince1970 / 86_400).rounded(.down)) }
}
