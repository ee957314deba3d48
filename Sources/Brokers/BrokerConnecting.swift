package import WidgetKitCore

/// What a ``SharedBroker`` needs of a connection: a ``BrokerConnection``, or what a test puts in its place.
@MainActor package protocol BrokerConnecting: AnyObject {
  /// Called with each new state.
  var onState: (BrokerConnection.State) -> Void { get set }
  /// Called with each message of a topic that was subscribed to.
  var onMessage: (BrokerMessage) -> Void { get set }
  /// Called with a message of which the payload is larger than ``BrokerMessage/payloadLimit``, and is not known.
  var onOversize: (_ topic: String, _ byteCount: Int) -> Void { get set }
  /// Called when the broker has taken a subscription, or has refused it with words; again after each connection.
  var onSubscribed: (_ filter: String, _ refusal: SafeText?) -> Void { get set }
  /// Whether it is read slowly.
  var isHeld: Bool { get set }
  /// Connects, unless that was done.
  func start()
  /// Ends the connection at once.
  func stop()
  /// Receives what matches a filter, now and after each new connection; those that are retained come at once.
  func subscribe(to filter: String)
  /// Receives no more of what matches a filter.
  func unsubscribe(from filter: String)
}
