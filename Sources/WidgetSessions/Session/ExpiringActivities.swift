import WidgetExtensions
import WidgetKitCore

/// The expiring activities of one process: work that it asked not to be suspended in.
struct ExpiringActivities {
  /// An activity that was granted and has not ended.
  private struct Activity {
    /// The developer's word for it.
    var reason: String
    /// Whether the widget was told that its time has run out.
    var isExpired = false
  }

  /// The number of the latest activity, granted or not; numbers are unique over all processes.
  private(set) var lastNumber: Int
  private var open: [Int: Activity] = [:]

  /// No activities; the first one gets the number after `lastNumber`.
  init(after lastNumber: Int = 0) {
    self.lastNumber = lastNumber
  }

  /// How many are open.
  var count: Int { open.count }

  /// The open activities whose time has not run out.
  var granted: [Int] { open.filter { !$0.value.isExpired }.keys.sorted() }

  /// Whether none is open.
  var isEmpty: Bool { open.isEmpty }

  /// The open activities, in a few words for the log.
  var words: String {
    let reasons = open.sorted { $0.key < $1.key }.map { "“\($0.value.reason)”" }
    return "expiring activity " + reasons.joined(separator: ", ")
  }

  /// Grants an activity; returns the answer to the widget.
  mutating func begin(_ reason: String) -> BeginExpiringActivityRequest.Reply {
    lastNumber += 1
    open[lastNumber] = Activity(reason: reason)
    return .init(activity: lastNumber, expired: false)
  }

  /// Refuses an activity; returns the answer to the widget.
  mutating func refuse() -> BeginExpiringActivityRequest.Reply {
    lastNumber += 1
    return .init(activity: lastNumber, expired: true)
  }

  /// Ends an activity; false if it is not open.
  mutating func end(_ number: Int) -> Bool { open.removeValue(forKey: number) != nil }

  /// The time of each open activity has run out: returns what the widget is told, of each activity once.
  mutating func expire() -> [HostMessage] {
    let granted = granted
    for number in granted { open[number]?.isExpired = true }
    return granted.map { .expiringActivity(.init(activity: $0, expired: true)) }
  }
}
