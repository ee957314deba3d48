import WidgetKitCore
import WidgetPlatform

/// Messages of a process that were not handled yet, in the order of their arrival.
///
/// While a long line is decoded on another thread, everything that comes after it waits here. How much
/// that can be is limited by the input budget of the process.
struct Inbox {
  /// The longest line that is decoded on the main thread, in bytes; it takes about 1 ms.
  static let longLineBytes = 8 * 1024

  /// The most messages that are handled before the event loop handles keys.
  static let turn = 256

  /// Something to handle.
  enum Item {
    /// What the process has reported, unread.
    case report(WidgetReport)
    /// A line whose kind and content were found.
    case message(IncomingLine)
    /// The newest view, which can be shown now.
    case view
  }

  /// Whether something is decoded on another thread, so that everything else has to wait.
  private(set) var isReading = false
  /// What waits begins at ``first``; what was taken is nil, so that taking moves nothing.
  private var items: [Item?] = []
  private var first = 0

  /// Whether nothing waits.
  var isEmpty: Bool { first == items.count }

  /// Adds an item at the end.
  mutating func append(_ item: Item) { items.append(item) }

  /// Returns an item to the beginning, because something that was sent before it is still being read.
  mutating func putBack(_ item: Item) {
    guard first > 0 else {
      items.insert(item, at: 0)
      return
    }
    first -= 1
    items[first] = item
  }

  /// Takes the next item; nil if there is none, or if something is being read.
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

  /// Something is read on another thread from now on.
  mutating func beginReading() { isReading = true }

  /// It was read.
  mutating func endReading() { isReading = false }
}
