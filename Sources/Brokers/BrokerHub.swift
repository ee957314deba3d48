package import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// The connections of this process to brokers, of which all cards of a broker share one.
@MainActor package final class BrokerHub {
  /// The connections of the program.
  package static let shared = BrokerHub()

  /// What is known of the password of a user: nil if there is none, or why it cannot be read.
  package typealias Password = Result<String?, BrokerTrouble>

  /// What the user has set.
  package var settings = BrokerSettings()

  private var storage: SecretStorage?
  private var brokers: [BrokerAddress: SharedBroker] = [:]

  package init() {}

  /// Looks for passwords in a storage from now on.
  package func findPasswords(in storage: SecretStorage) { self.storage = storage }

  /// Finds the password of the user of an address; calls `completion` once.
  package func password(
    of address: BrokerAddress,
    completion: @escaping @MainActor (Password) -> Void
  ) {
    // Without a user there is nothing for which a keyring would have to be unlocked.
    guard address.user != nil, let storage,
      let secret = ProgramSecret(address.description, in: storage)
    else { return completion(.success(nil)) }
    secret.find { found in
      completion(
        found.map { $0?.text }.mapError { BrokerTrouble(.password, SafeText($0.words)) }
      )
    }
  }

  /// Finds a password; nil also for one that cannot be read.
  package func findPassword(
    _ address: BrokerAddress,
    completion: @escaping @MainActor (String?) -> Void
  ) {
    password(of: address) { completion((try? $0.get()) ?? nil) }
  }

  /// The connection to a broker, which is made when it is first used.
  package func broker(
    at address: BrokerAddress,
    environment: [String: String]
  ) -> SharedBroker {
    if let broker = brokers[address] { return broker }
    let broker = SharedBroker(address) { [weak self] completion in
      self?.password(of: address) { [weak self] password in
        guard let self else { return }
        let home = environment["HOME"]
        completion(
          password.map { password in
            BrokerConnection(
              settings.broker(at: address, home: home, password: password),
              environment: environment
            )
          }
        )
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
