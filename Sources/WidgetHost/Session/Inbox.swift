import Dispatch
import WidgetKitCore

/// Messages of a widget that its session has not handled yet, in the order of their arrival.
///
/// Lines of more than ``longLineBytes`` are decoded off the main thread, so that one of them delays no key
/// and no other card; what comes after such a line waits here until it was handled. How much that can be
/// is bounded by the input budget.
struct Inbox {
  /// The longest line that is read where it arrives: about 1 ms of decoding.
  nonisolated static let longLineBytes = 8 * 1024

  /// The most that is taken in before keys get their turn.
  nonisolated static let turn = 256

  /// Something to take in.
  enum Item {
    /// What the process says, as it came.
    case report(WidgetReport)
    /// A line whose outside was read.
    case message(IncomingLine)
    /// The newest view, whose turn has come.
    case view
  }

  /// Whether something is being read elsewhere, so that everything else has to wait.
  private(set) var isReading = false
  /// What takes in the rest when keys had their turn.
  var nextTurn: (any HostTimer)?
  /// What waits stands behind ``first``, which moves on; nothing is moved for each one taken.
  private var items: [Item?] = []
  private var first = 0

  /// Whether nothing waits.
  var isEmpty: Bool { first == items.count }

  /// Adds what came last.
  mutating func append(_ item: Item) { items.append(item) }

  /// Puts back what has to wait for something that was said before it.
  mutating func putBack(_ item: Item) {
    guard first > 0 else {
      items.insert(item, at: 0)
      return
    }
    first -= 1
    items[first] = item
  }

  /// What is next; nil where nothing is, or nothing can be.
  mutating func next() -> Item? {
    guard !isReading, !isEmpty else { return nil }
    let item = items[first]
    items[first] = nil
    first += 1
    if isEmpty {
      items.removeAll(keepingCapacity: items.count < 1024)
      first = 0
    }
    return item
  }

  mutating func beginReading() { isReading = true }
  mutating func endReading() { isReading = false }
}

extension WidgetSession {
  /// Takes something in, now or after what is being read.
  func take(_ item: Inbox.Item) {
    guard !inbox.isReading, inbox.isEmpty else {
      inbox.append(item)
      return
    }
    takeIn(item)
    takeInRest()
  }

  private func takeInRest() {
    var count = 0
    while let item = inbox.next() {
      takeIn(item)
      count += 1
      if count == Inbox.turn, !inbox.isEmpty, !inbox.isReading {
        inbox.nextTurn = EventLoop.main.schedule(after: .zero) { [weak self] in self?.takeInRest() }
        return
      }
    }
  }

  /// Reads something of so many bytes and hands it on: at once where it is short, and off the main
  /// actor where it is long.
  func read<Value: Sendable>(
    byteCount: Int,
    _ read: @escaping @Sendable () -> Value,
    then accept: @escaping @MainActor (Value) -> Void
  ) {
    guard byteCount > Inbox.longLineBytes else {
      accept(read())
      return
    }
    inbox.beginReading()
    let done: @MainActor (Value) -> Void = { [weak self] value in
      guard let self else { return }
      inbox.endReading()
      accept(value)
      takeInRest()
    }
    Worker.decoding.async {
      let value = read()
      DispatchQueue.main.async { MainActor.assumeIsolated { done(value) } }
    }
  }
}
