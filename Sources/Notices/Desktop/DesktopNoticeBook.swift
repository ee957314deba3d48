import FoundationEssentials
import Synchronization
import WidgetPlatform

/// Keeps the notices of the desktop: stores what was reported, and finds what became of them here.
///
/// A class because threads share it. Every function may wait for the disk.
final class DesktopNoticeBook: Sendable {
  /// What the applications are to be told.
  enum Answer: Hashable {
    case closed(id: UInt32, DesktopReport.CloseReason)
    case acted(id: UInt32, key: String)
  }

  private let store: NoticeStore
  private let state = Mutex(State())

  fileprivate struct State {
    /// The notices that wait, by the numbers of the desktop.
    var notices: [DesktopNumber: Int] = [:]
    /// The numbers in the order in which they came.
    var order: [DesktopNumber] = []
    /// What the keys of actions that are not in the store are called.
    var labels: [DesktopNumber: [String: String]] = [:]
    var applications = NoticeAllowance(.application)
    var desktop = NoticeAllowance(.desktop)
    /// The last content of notifications that change too often, until it is stored.
    var held: [DesktopNumber: DesktopNotification] = [:]
    var omitted = OmittedNotices()
  }

  /// How many notices are followed.
  fileprivate static let limit = 1000
  /// How many contents are held back.
  fileprivate static let heldLimit = 100

  init(_ store: NoticeStore) {
    self.store = store
  }

  /// Follows those that wait since before.
  func begin() throws(HostError) {
    var list = try store.read()
    list.keep(waiting: true)
    for entry in list.entries.suffix(Self.limit) {
      guard let content = list.notice(entry)?.content, content.source == .desktop,
        content.host == nil, let number = content.tag.flatMap(DesktopNumber.init)
      else { continue }
      state.withLock { if $0.notices[number] == nil { $0.follow(number, entry.id, labels: [:]) } }
    }
  }

  /// Stores what was reported.
  ///
  /// - Returns: What the application is told at once: that a notice of which there are too many is closed.
  @discardableResult
  func take(
    _ report: DesktopReport,
    at now: ContinuousClock.Instant = .now
  ) throws(HostError) -> Answer? {
    switch report {
    case .state: break
    case .omitted(let count): state.withLock { $0.omitted.add(count, of: "not read in time") }
    case .posted(let notification):
      switch state.withLock({ $0.admit(notification, at: now) }) {
      case .stored: try post(notification)
      case .held: break
      case .omitted:
        let number = notification.number
        return number.isOwn ? .closed(id: number.id, .undefined) : nil
      }
    case .closed(let number, let reason):
      // One that has left the screen was perhaps not seen.
      guard reason != .expired else { return nil }
      try note(.dismissed, of: number)
    case .acted(let number, let key):
      let label = state.withLock { $0.labels[number]?[key] } ?? ""
      let name = label.isEmpty ? key == "default" ? "Open" : key : label
      try note(.acted(action: name), of: number)
    }
    return nil
  }

  private func post(_ notification: DesktopNotification) throws(HostError) {
    let id = try store.post(notification.content, expiresAfter: notification.seconds)
    guard notification.number.id != 0 else { return }
    let labels = notification.actions.map { ($0.key, $0.label) }
    state.withLock {
      $0.follow(notification.number, id, labels: Dictionary(labels) { first, _ in first })
    }
  }

  /// Whether ``settle()`` has something to do.
  var isUnsettled: Bool { state.withLock { !$0.held.isEmpty || $0.omitted.isUntold } }

  /// Stores what was held back, and a notice that says how many were left out.
  func settle() throws(HostError) {
    let (held, notice) = state.withLock { state in
      let held = state.held.sorted { $0.key.id < $1.key.id }
      state.held = [:]
      let reason = "An application may send \(NoticeAllowance.Rate.application.words)."
      return (held, state.omitted.notice(reason, tag: "omitted desktop"))
    }
    for (number, notification) in held where state.withLock({ $0.notices[number] != nil }) {
      try post(notification)
    }
    if let notice { try store.post(notice) }
  }

  private func note(_ change: NoticeChange, of number: DesktopNumber) throws(HostError) {
    guard let id = state.withLock({ $0.forget(number) }) else { return }
    guard try store.read()[id]?.state == .waiting else { return }
    try store.note(change, of: [id])
  }

  /// What became here of notices that applications have sent to the agent itself, since the last call.
  ///
  /// - Returns: What they are told, and when the next of their notices expires.
  func answers(now: Date = Date()) throws(HostError) -> (answers: [Answer], next: Date?) {
    let own = state.withLock { state in state.notices.filter { $0.key.isOwn } }
    guard !own.isEmpty else { return ([], nil) }
    let list = try store.read(now: now)
    let entries = Dictionary(list.entries.map { ($0.id, $0) }) { first, _ in first }
    var answers: [Answer] = []
    var next: Date?
    for (number, id) in own.sorted(by: { $0.value < $1.value }) {
      guard let entry = entries[id] else {
        _ = state.withLock { $0.forget(number, ifStill: id) }
        continue
      }
      guard entry.state == .earlier else {
        if let expiry = entry.expiry { next = min(next ?? expiry, expiry) }
        continue
      }
      guard state.withLock({ $0.forget(number, ifStill: id) }) != nil else { continue }
      let change = list.change(of: entry)
      if case .acted(let name) = change,
        let action = list.notice(entry)?.content.actions?.first(where: { $0.name == name }),
        let key = action.key
      {
        answers.append(.acted(id: number.id, key: key))
      }
      answers.append(.closed(id: number.id, change == nil ? .expired : .dismissed))
    }
    return (answers, next)
  }
}

extension DesktopNoticeBook.State {
  fileprivate enum Admission {
    case stored
    case held
    case omitted
  }

  /// Whether a notification is within what its application may send.
  ///
  /// Of one that changes too often, such as a progress, the last content is stored a little later.
  fileprivate mutating func admit(
    _ notification: DesktopNotification,
    at now: ContinuousClock.Instant
  ) -> Admission {
    let name = notification.content.application
    if applications.take(name, at: now), desktop.take("", at: now) {
      held[notification.number] = nil
      return .stored
    }
    if notices[notification.number] != nil,
      held[notification.number] != nil || held.count < DesktopNoticeBook.heldLimit
    {
      held[notification.number] = notification
      return .held
    }
    omitted.add(of: name)
    return .omitted
  }

  fileprivate mutating func follow(_ number: DesktopNumber, _ id: Int, labels: [String: String]) {
    if notices.updateValue(id, forKey: number) == nil { order.append(number) }
    self.labels[number] = labels.isEmpty ? nil : labels
    while order.count > DesktopNoticeBook.limit { _ = forget(order[0]) }
  }

  /// No longer follows a notification; returns the number of its notice.
  fileprivate mutating func forget(_ number: DesktopNumber, ifStill id: Int? = nil) -> Int? {
    guard id == nil || notices[number] == id else { return nil }
    order.removeAll { $0 == number }
    labels[number] = nil
    held[number] = nil
    return notices.removeValue(forKey: number)
  }
}
