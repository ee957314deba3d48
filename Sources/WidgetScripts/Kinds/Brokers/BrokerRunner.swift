import Brokers
import FoundationEssentials
import WidgetKitCore
import WidgetPlatform

/// The messages of a topic in the place of the runs of a script: each is what such a run would have printed.
///
/// Under `today/HOST/CARD` it also follows `today/HOST/$state`: while that is `offline`, the card is unreachable.
@MainActor final class BrokerRunner: ScriptRunning {
  private weak var owner: (any ScriptRunnerOwner)?
  private let broker: SharedBroker
  private let content: BrokerContent
  private let topic: String
  private let stateTopic: String?
  private let clock: any HostClock
  var traits = ScriptTraits()

  /// A message, when it has come, and the edition that it was.
  private struct Arrival {
    var message: BrokerMessage
    var date: Date
    var edition: Int
  }

  /// Counts what was heard of the topic: what becomes of an older message says nothing of the newest one.
  private var edition = 0
  /// The message that is made a picture next, and whether one is being made.
  private var next: Arrival?
  private var isWorking = false
  private var pause: (any HostTimer)?
  /// The last picture, and whether the owner does not have it yet.
  private var picture: ScriptContent?
  private var isNew = false
  /// Since when the host that publishes is offline; nil if that is not known.
  private var offline: (host: String, since: Date?)?
  /// Why there is no connection.
  private var away: (words: String, since: Date)?
  private var isConnected = false
  /// Whether the state of the host is known, so that another one is new and not what was retained.
  private var knowsState = false
  /// Why the broker does not send the messages of the topic.
  private var refusal: String?
  /// Why there is no content that could be trusted: the last message is too large, has expired, or says so itself.
  private var trouble: String?
  private var expiry: (any HostTimer)?
  private var waiting: (any HostTimer)?
  private var hasEnded = false
  /// What the owner was told last that is wrong; nil if it was told that nothing is.
  private var reported: String?
  private(set) var isSuspended = false

  /// From a message to the next picture: a broker may send many in a second.
  private static let pictureTime = Duration.milliseconds(500)
  /// How long what is retained may take after the connection was made.
  private static let patience = Duration.seconds(2)
  /// What is known as the prefix of the machines that publish their cards.
  private static let prefix: Substring = "today"

  init(
    _ script: ScriptProgram,
    _ topic: String,
    on broker: SharedBroker,
    limits: HostLimits,
    owner: any ScriptRunnerOwner,
    clock: any HostClock = SystemClock()
  ) {
    (self.topic, self.broker, self.owner, self.clock) = (topic, broker, owner, clock)
    content = BrokerContent(script, limits: limits)
    let levels = TopicRules.levels(topic)
    let isOfHost =
      levels.count == 3 && levels[0] == Self.prefix && levels[2].utf8.first != UInt8(ascii: "$")
    stateTopic = isOfHost ? "\(levels[0])/\(levels[1])/$state" : nil
    broker.join(self, topic: topic)
    if let stateTopic { broker.join(self, topic: stateTopic) }
  }

  // MARK: - From the card

  var processRun: ProcessRun? { nil }
  var cpu: Duration { .zero }
  /// Never: what the user wants then reaches ``queue(adding:isWanted:)``.
  var isRunning: Bool { false }

  /// A message commands nothing.
  func press(_ action: String) -> ScriptPress { .refresh }
  func write(_ bytes: [UInt8]) -> Bool { true }

  func queue(adding variables: [String: String], isWanted: Bool) {
    if isWanted { broker.retry() }
    show()
  }

  func show() {
    guard picture == nil, problem == nil else { return deliver(isAsked: true) }
    wait()
  }

  func suspend() {
    isSuspended = true
    broker.adjust()
  }

  func resume() {
    isSuspended = false
    broker.adjust()
    work()
    deliver()
  }

  func kill() { end() }

  func end() {
    guard !hasEnded else { return }
    hasEnded = true
    for timer in [pause, expiry, waiting] { timer?.cancel() }
    broker.leave(self)
    owner?.scriptHasEnded()
  }

  // MARK: - To the card

  /// Waits for the first message.
  private func wait() {
    guard isConnected, waiting == nil else { return }
    waiting = clock.schedule(after: Self.patience) { [weak self] in
      guard let self else { return }
      waiting = nil
      guard picture == nil, !isWorking else { return }
      picture = .picture(ScriptPicture(view: ScriptWords.stack([Self.silence])))
      isNew = true
      deliver()
    }
  }

  private static let silence = ScriptWords.text("no message yet", .secondary)

  /// What is wrong, in words; nil for nothing.
  private var problem: String? {
    if let away { return unreachable(since: away.since, away.words) }
    if let offline {
      let reason = "\(offline.host) is offline"
      return offline.since.map { unreachable(since: $0, reason) } ?? "unreachable: \(reason)"
    }
    return refusal ?? trouble
  }

  private func unreachable(since date: Date, _ reason: String) -> String {
    RemoteFailure.unreachable(since: date, reason: reason, now: clock.date).description
  }

  /// Tells the owner what is new, a picture also while something is wrong.
  private func deliver(isAsked: Bool = false) {
    guard !hasEnded, isAsked || !isSuspended else { return }
    let problem = problem
    if let picture, isNew {
      isNew = false
      owner?.scriptHas(picture, isEnd: false)
    } else if isAsked, problem == nil {
      owner?.scriptHas(.nothing, isEnd: true)
    }
    let wasWrong = reported != nil
    if let problem {
      guard isAsked || problem != reported else { return }
      reported = problem
      owner?.scriptHas(.failure(problem), isEnd: true)
    } else {
      reported = nil
      // Only the answer to an update says that all is well again.
      if wasWrong, !isAsked { owner?.scriptWants(.update) {} }
    }
  }

  private func work() {
    guard !isWorking, pause == nil, !isSuspended, let arrival = next else { return }
    (isWorking, next) = (true, nil)
    pause = clock.schedule(after: Self.pictureTime) { [weak self] in
      self?.pause = nil
      self?.work()
    }
    let content = content
    Worker.queries.async { [weak self] in
      let made = content.content(of: arrival.message.payload)
      let card = PublishedCard(arrival.message.payload)
      MainQueue.perform { self?.didMake(made, card, of: arrival) }
    }
  }

  private func didMake(_ made: ScriptContent, _ card: PublishedCard, of arrival: Arrival) {
    isWorking = false
    let isLatest = arrival.edition == edition
    switch made {
    case .failure(let words): if isLatest { trouble = SafeText(words).string }
    case .picture, .nothing:
      (picture, isNew) = (made, true)
      if isLatest { trouble = card.message?.string }
    }
    if isLatest { expect(card, arrival) }
    deliver()
    work()
  }
}

extension BrokerRunner: BrokerListener {
  func brokerHas(_ message: BrokerMessage, at date: Date) {
    if message.topic == stateTopic { return take(state: message, at: date) }
    guard message.topic == topic else { return }
    edition += 1
    waiting?.cancel()
    waiting = nil
    expiry?.cancel()
    expiry = message.expiry.map { time in
      clock.schedule(after: max(.milliseconds(1), time)) { [weak self] in
        self?.didExpire(at: date)
      }
    }
    next = Arrival(message: message, date: date, edition: edition)
    work()
  }

  /// Expects something new within twice the interval that the payload names, where the broker does not let messages expire.
  ///
  /// What was retained is as old as its sender says; the clock of that may differ, so that what comes now is new.
  private func expect(_ card: PublishedCard, _ arrival: Arrival) {
    guard arrival.message.expiry == nil, let made = card.date, let seconds = card.interval
    else { return }
    let date = arrival.message.isRetained ? min(made, arrival.date) : arrival.date
    let left = 2 * seconds - clock.date.timeIntervalSince(date)
    expiry?.cancel()
    expiry = clock.schedule(after: max(.milliseconds(1), .saturated(seconds: left))) {
      [weak self] in
      self?.didExpire(at: date)
    }
  }

  private func didExpire(at date: Date) {
    edition += 1
    trouble =
      "nothing new since \(LocalTime.moment(date, now: clock.date)): the last message has expired"
    deliver()
  }

  private func take(state message: BrokerMessage, at date: Date) {
    let isOld = !knowsState
    knowsState = true
    let word = String(decoding: message.payload.prefix(20), as: UTF8.self)
    guard word == "offline" else {
      offline = nil
      return deliver()
    }
    guard offline == nil else { return }
    let host = String(TopicRules.levels(topic)[1].prefix(80))
    // When it has become so is only known if it does now.
    offline = (SafeText(host).string, isOld ? nil : date)
    deliver()
  }

  func brokerHas(large byteCount: Int, under topic: String) {
    guard topic == self.topic else { return }
    edition += 1
    for timer in [waiting, expiry] { timer?.cancel() }
    (waiting, expiry) = (nil, nil)
    let limit = BrokerMessage.payloadLimit / 1024
    trouble = "the message is too large: \(byteCount / 1024) KiB of at most \(limit)"
    deliver()
  }

  func brokerHas(subscribed filter: String, refusal words: SafeText?) {
    guard filter == topic else { return }
    refusal = words.map { "the broker refuses the subscription: \($0)" }
    deliver()
  }

  func brokerDidChange(_ state: BrokerConnection.State, since date: Date) {
    switch state {
    case .idle, .connecting: return
    case .connected:
      (isConnected, away) = (true, nil)
      knowsState = false
      if picture == nil { wait() }
    case .away(let trouble, again: _), .failed(let trouble):
      (isConnected, away) = (false, (trouble.words.string, date))
    }
    deliver()
  }
}
