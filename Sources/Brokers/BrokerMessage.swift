/// A message of a broker, which may come from anybody.
package struct BrokerMessage: Hashable, Sendable {
  /// The most bytes of a payload that is received or published.
  package static let payloadLimit = 64 * 1024

  /// The topic: valid UTF-8 without control characters.
  package var topic: String
  /// What it says, any bytes; empty if nothing is retained under the topic any more.
  package var payload: [UInt8]
  /// Whether the broker is to keep it for those that come later; of one that was received, whether it was kept, and did
  /// not come just now.
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
