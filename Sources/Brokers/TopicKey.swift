/// A topic or a filter as MQTT compares them: byte for byte, where two texts of Swift are equal that look alike.
package struct TopicKey: Hashable, Sendable {
  private let bytes: [UInt8]

  package init(_ text: String) { bytes = Array(text.utf8) }

  package var text: String { String(decoding: bytes, as: UTF8.self) }
}
