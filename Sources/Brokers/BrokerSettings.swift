/// What the user says about brokers in config.json.
package struct BrokerSettings: Hashable, Sendable {
  /// The broker of topics that name none.
  package var broker: BrokerAddress?
  /// The certificate of the authority that has signed that of the broker.
  package var ca: String?
  /// The certificate of this machine.
  package var certificate: String?
  /// The key of that certificate.
  package var key: String?

  package init() {}

  /// The broker at an address, with the files that are set for it.
  ///
  /// They are for the host and the port that are set, and not sent to any other; if none is set, they are for all.
  ///
  /// - Parameters:
  ///   - address: The address.
  ///   - home: The home folder, for paths that begin with `~/`.
  ///   - password: The password of its user.
  /// - Returns: The broker.
  package func broker(at address: BrokerAddress, home: String?, password: String?) -> Broker {
    var found = Broker(address, password: password)
    guard broker.map({ ($0.host, $0.port) == (address.host, address.port) }) ?? true
    else { return found }
    func path(_ text: String?) -> String? {
      guard let text, let home, text.hasPrefix("~/") else { return text }
      return home + text.dropFirst()
    }
    (found.ca, found.certificate, found.key) = (path(ca), path(certificate), path(key))
    return found
  }
}
