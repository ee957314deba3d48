import WidgetPlatform

/// The connections of this process to brokers.
///
/// A class because all cards of a broker share one.
@MainActor package final class BrokerHub {
  /// The connections of the program.
  package static let shared = BrokerHub()

  /// What the user has set.
  package var settings = BrokerSettings()
  /// Finds the password of a user of a broker; calls `completion` once, with nil if there is none.
  package var findPassword:
    (_ address: BrokerAddress, _ completion: @escaping @MainActor (String?) -> Void) -> Void = {
      $1(nil)
    }

  private var brokers: [BrokerAddress: SharedBroker] = [:]

  /// The connection to a broker, which is made when it is first used.
  package func broker(
    at address: BrokerAddress,
    environment: [String: String]
  ) -> SharedBroker {
    if let broker = brokers[address] { return broker }
    let broker = SharedBroker(address) { [weak self] completion in
      guard let self else { return }
      findPassword(address) { [weak self] password in
        guard let self else { return }
        let home = environment["HOME"]
        let found = settings.broker(at: address, home: home, password: password)
        completion(BrokerConnection(found, environment: environment))
      }
    }
    brokers[address] = broker
    return broker
  }

  /// Ends all connections, as the program ends.
  package func close() {
    for broker in brokers.values { broker.close() }
  }
}
