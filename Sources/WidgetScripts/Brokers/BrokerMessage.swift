import FoundationEssentials
package import WidgetKitCore

/// A message of a broker, which may come from anybody.
package struct BrokerMessage: Hashable, Sendable {
  /// The most bytes of a payload that is received or published.
  package static let payloadLimit = 64 * 1024

  /// The topic: valid UTF-8 without control characters.
  package var topic: String
  /// What it says, any bytes; empty if nothing is retained under the topic any more.
  package var payload: [UInt8]
  /// Whether the broker keeps it for those that come later.
  package var isRetained: Bool
  /// For how long it is valid from now on; nil if its sender has not said that, or the broker has no MQTT 5.
  package var expiry: Duration?
  /// What kind of content it is, as its sender says; nil if that has said nothing.
  package var contentType: String?

  package init(
    topic: String,
    payload: [UInt8],
    isRetained: Bool = false,
    expiry: Duration? = nil,
    contentType: String? = nil
  ) {
    (self.topic, self.payload, self.isRetained) = (topic, payload, isRetained)
    (self.expiry, self.contentType) = (expiry, contentType)
  }
}

/// Why a broker cannot be used, or something is not done there.
package struct BrokerTrouble: Error, Hashable, Sendable, CustomStringConvertible {
  /// What it is about, for programs.
  package enum Kind: String, Sendable {
    /// libmosquitto or the program that loads it is not installed.
    case missing
    /// What is set for the broker cannot be used, such as a file that is not there.
    case request
    /// There is no connection, or it was lost.
    case network
    /// TLS is not possible: a certificate that is not trusted, or is missing.
    case tls
    /// The user name or the password is refused, or missing.
    case password
    /// The broker refuses the connection.
    case refused
    /// What answers is not an MQTT broker.
    case `protocol`
    /// The broker has said that it does not go on, or do something.
    case broker
  }

  package var kind: Kind
  /// What is wrong, in words for the user.
  package var words: SafeText

  package init(_ kind: Kind, _ words: SafeText) {
    (self.kind, self.words) = (kind, words)
  }

  package var description: String { words.string }
}

/// What the broker publishes for a client when that is gone without a word.
///
/// It is retained.
package struct BrokerWill: Hashable, Sendable {
  package var topic: String
  package var payload: String

  package init(topic: String, payload: String) {
    (self.topic, self.payload) = (topic, payload)
  }
}

/// What the program `broker-agent` reports.
enum BrokerReport: Hashable {
  case connected(version: String, words: SafeText?)
  case disconnected(BrokerTrouble, again: Duration)
  case subscribed(filter: String, refusal: SafeText?)
  case message(BrokerMessage)
  case large(topic: String, byteCount: Int)
  case published(Int, refusal: SafeText?)
  case failed(BrokerTrouble)

  /// Reads a frame; nil for one that cannot be used, such as a message whose topic is not valid.
  init?(_ frame: BrokerFrame) {
    switch (frame.word, frame.fields.count) {
    case ("connected", 2):
      guard let version = frame.text(0) else { return nil }
      self = .connected(version: version, words: Self.words(frame, 1))
    case ("disconnected", 3):
      guard let seconds = frame.text(2).flatMap({ Int($0) }), (0...3_600).contains(seconds)
      else { return nil }
      self = .disconnected(Self.trouble(frame), again: .seconds(seconds))
    case ("failed", 2): self = .failed(Self.trouble(frame))
    case ("subscribed", 2):
      guard let filter = frame.text(0) else { return nil }
      self = .subscribed(filter: filter, refusal: Self.words(frame, 1))
    case ("published", 2):
      guard let number = frame.text(0).flatMap({ Int($0) }) else { return nil }
      self = .published(number, refusal: Self.words(frame, 1))
    case ("large", 2):
      guard let topic = frame.text(0), BrokerTopic.fault(topic) == nil,
        let count = frame.text(1).flatMap({ Int($0) }), count >= 0
      else { return nil }
      self = .large(topic: topic, byteCount: count)
    case ("message", 5):
      guard let message = Self.message(frame) else { return nil }
      self = .message(message)
    default: return nil
    }
  }

  private static func words(_ frame: BrokerFrame, _ index: Int) -> SafeText? {
    let words = String(decoding: frame.fields[index].prefix(2_000), as: UTF8.self)
    return words.isEmpty ? nil : SafeText(words).onOneLine
  }

  private static func trouble(_ frame: BrokerFrame) -> BrokerTrouble {
    let kind = frame.text(0).flatMap(BrokerTrouble.Kind.init) ?? .broker
    return BrokerTrouble(kind, words(frame, 1) ?? "no reason is known")
  }

  private static func message(_ frame: BrokerFrame) -> BrokerMessage? {
    guard let topic = frame.text(0), BrokerTopic.fault(topic) == nil else { return nil }
    let seconds = frame.text(3).flatMap { UInt32($0) }
    let type = frame.text(4).flatMap { $0.isEmpty || $0.utf8.count > 200 ? nil : $0 }
    return BrokerMessage(
      topic: topic,
      payload: frame.fields[1],
      isRetained: frame.text(2) == "1",
      expiry: seconds.map { .seconds(Int($0)) },
      contentType: type
    )
  }
}
