/// A broker, and what this machine needs to log in to it.
package struct Broker: Hashable, Sendable {
  package var address: BrokerAddress
  /// The file with the certificate of the authority that has signed that of the broker; nil for those that the system
  /// trusts.
  package var ca: String?
  /// The files of the certificate of this machine and of its key; both or none.
  package var certificate: String?
  package var key: String?
  /// The password of ``BrokerAddress/user``, which comes from a secret and is written nowhere.
  package var password: String?

  package init(
    _ address: BrokerAddress,
    ca: String? = nil,
    certificate: String? = nil,
    key: String? = nil,
    password: String? = nil
  ) {
    (self.address, self.ca, self.certificate) = (address, ca, certificate)
    (self.key, self.password) = (key, password)
  }

  /// What the program reads before it connects.
  func frames(client: String, will: BrokerWill?) -> [BrokerFrame] {
    var values = [("host", address.host), ("port", "\(address.port)"), ("client", client)]
    if address.isSecure { values.append(("tls", "1")) }
    let others: [(String, String?)] = [
      ("user", address.user), ("password", address.user == nil ? nil : password),
      ("ca", address.isSecure ? ca : nil), ("certificate", address.isSecure ? certificate : nil),
      ("key", address.isSecure ? key : nil), ("will-topic", will?.topic),
      ("will-payload", will?.payload),
    ]
    values += others.compactMap { name, value in value.map { (name, $0) } }
    return values.map { BrokerFrame("set", $0.0, $0.1) } + [BrokerFrame("connect")]
  }

  /// A name for a client that no other one has.
  package static func newClient() -> String {
    "today-" + String(UInt64.random(in: 0...UInt64.max), radix: 36)
  }
}
