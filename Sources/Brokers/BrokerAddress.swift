package import WidgetPlatform

/// Where an MQTT broker is: `mqtts://user@broker.lan:8883`.
///
/// A password is never in an address, which others can see and which is written to records.
package struct BrokerAddress: Hashable, Sendable, CustomStringConvertible {
  /// Whether it is reached through TLS.
  package var isSecure: Bool
  /// The name or the number of its machine, an IPv6 number without brackets.
  package var host: String
  /// Its port; 1883 without TLS and 8883 with it unless another one is named.
  package var port: Int
  /// The name with which it is logged in to.
  package var user: String?

  /// The schemes of addresses, with their usual ports.
  private static let schemes = ["mqtt": 1883, "mqtts": 8883]
  private static let hostLimit = 253
  private static let userLimit = 200

  /// Whether a text claims to be an address of a broker.
  package static func isAddress(_ text: String) -> Bool {
    schemes.keys.contains { text.hasPrefix("\($0)://") }
  }

  /// Reads an address without a topic.
  ///
  /// - Throws: ``HostError`` if it is none, with what is wrong.
  package init(_ text: String) throws(HostError) {
    let (address, topic) = try Self.split(text)
    guard topic == nil else { throw Self.error(text, "a topic is not expected here") }
    self = address
  }

  /// Reads an address and the topic, or the filter, behind it: `mqtts://broker.lan/sensors/wan`.
  ///
  /// The topic is as it is written, without escapes; nil if there is none.
  ///
  /// - Throws: ``HostError`` if it is no address, with what is wrong.
  package static func split(_ text: String) throws(HostError) -> (BrokerAddress, topic: String?) {
    guard let scheme = schemes.keys.first(where: { text.hasPrefix("\($0)://") }),
      let usualPort = schemes[scheme]
    else { throw error(text, "expected mqtt://HOST or mqtts://HOST") }
    var rest = text.dropFirst(scheme.utf8.count + 3)
    var topic: String?
    if let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/")) {
      let behind = rest[rest.utf8.index(after: slash)...]
      topic = behind.isEmpty ? nil : String(behind)
      rest = rest[..<slash]
    }
    var user: String?
    if let at = rest.utf8.lastIndex(of: UInt8(ascii: "@")) {
      let name = rest[..<at]
      guard !name.utf8.contains(UInt8(ascii: ":")) else {
        throw HostError(
          code: .refused,
          description: "an address must not have a password, which others could see; "
            + "it is stored with: today subscribe --password"
        )
      }
      guard !name.isEmpty, name.utf8.count <= userLimit, name.utf8.allSatisfy(isVisible) else {
        throw error(text, "the user name cannot be used")
      }
      user = String(name)
      rest = rest[rest.utf8.index(after: at)...]
    }
    guard let (host, port) = place(rest, usualPort: usualPort) else {
      throw error(text, "expected \(scheme)://HOST or \(scheme)://HOST:PORT")
    }
    let address = BrokerAddress(isSecure: scheme == "mqtts", host: host, port: port, user: user)
    return (address, topic)
  }

  private init(isSecure: Bool, host: String, port: Int, user: String?) {
    (self.isSecure, self.host, self.port, self.user) = (isSecure, host, port, user)
  }

  /// The same with another name of a user.
  package func with(user: String) -> BrokerAddress {
    BrokerAddress(isSecure: isSecure, host: host, port: port, user: user)
  }

  /// The host and the port of `host:port` or `[number]:port`.
  private static func place(_ text: Substring, usualPort: Int) -> (String, Int)? {
    var (host, rest) = (text, Substring())
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      (host, rest) = (text[..<end].dropFirst(), text[text.index(after: end)...])
      guard host.utf8.allSatisfy({ isNumberByte($0) }) else { return nil }
    } else if let colon = text.firstIndex(of: ":") {
      (host, rest) = (text[..<colon], text[colon...])
    }
    let isName = text.hasPrefix("[") || host.utf8.allSatisfy(isNameByte)
    guard !host.isEmpty, host.utf8.count <= hostLimit, isName, host.utf8.first != 0x2D
    else { return nil }
    if rest.isEmpty { return (String(host), usualPort) }
    let digits = rest.dropFirst()
    guard rest.first == ":", digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let port = Int(digits), (1...65_535).contains(port)
    else { return nil }
    return (String(host), port)
  }

  private static func isVisible(_ byte: UInt8) -> Bool { byte > 0x20 && byte != 0x7F }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
    default: false
    }
  }

  /// A byte of a number of IPv6, with the name of an interface.
  private static func isNumberByte(_ byte: UInt8) -> Bool {
    isNameByte(byte) || byte == 0x3A || byte == 0x25
  }

  /// Before the last `@` may be a password, which is not shown.
  private static func error(_ text: String, _ words: String) -> HostError {
    let bytes = text.utf8
    let shown =
      bytes.lastIndex(of: UInt8(ascii: "@")).map { "…\(text[bytes.index(after: $0)...])" } ?? text
    return HostError(
      code: .refused,
      description: "“\(shown.prefix(200))” is not an address of a broker; \(words)"
    )
  }

  /// The address as a user would write it, with its port if that is not the usual one.
  package var description: String {
    let scheme = isSecure ? "mqtts" : "mqtt"
    let name = host.contains(":") ? "[\(host)]" : host
    let number = port == Self.schemes[scheme] ? "" : ":\(port)"
    return "\(scheme)://\(user.map { "\($0)@" } ?? "")\(name)\(number)"
  }
}
