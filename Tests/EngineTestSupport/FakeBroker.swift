import Brokers
import WidgetKitCore
import WidgetPlatform
import WidgetScripts

/// A broker that is not there: a test says what it sends, and sees what it was asked for.
final class FakeBroker {
  /// The connections to it, one after another.
  private(set) var connections: [FakeBrokerConnection] = []
  let shared: SharedBroker
  private let maker: Maker

  /// What makes connections, at once or when the test says so.
  private final class Maker {
    var isLate = false
    var waiting: [(Result<any BrokerConnecting, BrokerTrouble>) -> Void] = []
    var answer: () -> Result<any BrokerConnecting, BrokerTrouble> = {
      .failure(BrokerTrouble(.missing, "none"))
    }
  }

  init(_ clock: any HostClock) throws(HostError) {
    let maker = Maker()
    self.maker = maker
    shared = SharedBroker(try BrokerAddress("mqtt://me@b"), clock: clock) { completion in
      if maker.isLate { maker.waiting.append(completion) } else { completion(maker.answer()) }
    }
    maker.answer = { [weak self] in
      let connection = FakeBrokerConnection()
      self?.connections.append(connection)
      return .success(connection)
    }
  }

  /// Whether a connection is made when the test says so, as while a keyring is unlocked.
  var isLate: Bool {
    get { maker.isLate }
    set { maker.isLate = newValue }
  }

  /// How many wait for a connection.
  var waitingCount: Int { maker.waiting.count }

  /// Makes the connections that are waited for, or says why there are none.
  func makeWaiting(_ trouble: BrokerTrouble? = nil) {
    let waiting = maker.waiting
    maker.waiting = []
    for completion in waiting { completion(trouble.map { .failure($0) } ?? maker.answer()) }
  }

  /// The present connection.
  var connection: FakeBrokerConnection? { connections.last }
}

/// A connection to a ``FakeBroker``.
final class FakeBrokerConnection: BrokerConnecting {
  var onState: (BrokerConnection.State) -> Void = { _ in }
  var onMessage: (BrokerMessage) -> Void = { _ in }
  var onOversize: (_ topic: String, _ byteCount: Int) -> Void = { _, _ in }
  var onSubscribed: (_ filter: String, _ refusal: SafeText?) -> Void = { _, _ in }
  var isHeld = false
  /// What was subscribed to, and not any more, in order: `+ a`, `- a`.
  private(set) var requests: [String] = []
  private(set) var isStarted = false
  private(set) var isStopped = false

  func start() { isStarted = true }
  func stop() { isStopped = true }
  func subscribe(to filter: String) { requests.append("+ \(filter)") }
  func unsubscribe(from filter: String) { requests.append("- \(filter)") }

  /// The connection is made.
  func connect() { onState(.connected(version: "5", words: nil)) }

  /// The connection is lost, or cannot be made.
  func lose(_ words: SafeText = "Connection refused", _ kind: BrokerTrouble.Kind = .network) {
    onState(.away(BrokerTrouble(kind, words), again: .seconds(1)))
  }

  /// A message comes.
  func send(
    _ topic: String,
    _ payload: String,
    isRetained: Bool = false,
    expiry: Duration? = nil
  ) {
    onMessage(
      BrokerMessage(
        topic: topic,
        payload: Array(payload.utf8),
        isRetained: isRetained,
        expiry: expiry
      )
    )
  }
}
