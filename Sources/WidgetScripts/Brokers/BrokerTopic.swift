import WidgetKitCore

/// The rules of MQTT for topics and filters (MQTT 5, section 4.7), and what is not accepted besides.
package enum BrokerTopic {
  /// The longest one in bytes.
  package static let byteLimit = 65_535

  /// Why a text cannot be a topic; nil if it can.
  package static func fault(_ text: String) -> String? {
    if let fault = commonFault(text) { return fault }
    return text.contains { $0 == "+" || $0 == "#" } ? "+ and # are for filters" : nil
  }

  /// Why a text cannot be a filter, such as `today/+/System` or `sensors/#`; nil if it can.
  package static func filterFault(_ text: String) -> String? {
    if let fault = commonFault(text) { return fault }
    let levels = self.levels(text)
    for (place, level) in levels.enumerated() where level.count > 1 || level == "#" {
      if level == "#", place == levels.count - 1 { continue }
      if level == "#" || level.contains("#") {
        return "# is the last level, and nothing else is in it"
      }
      if level.contains("+") { return "+ stands for a whole level" }
    }
    return nil
  }

  /// Whether a filter stands for more than one topic.
  package static func isFilter(_ text: String) -> Bool { text.contains { $0 == "+" || $0 == "#" } }

  private static func commonFault(_ text: String) -> String? {
    if text.isEmpty { return "a topic has at least one character" }
    if text.utf8.count > byteLimit { return "a topic has at most \(byteLimit) bytes" }
    let isControl = text.unicodeScalars.contains { scalar in
      scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }
    return isControl ? "a topic has no control characters" : nil
  }

  /// Whether a filter matches a topic; one that begins with a wildcard matches no topic of the broker itself, which
  /// begins with `$`.
  package static func matches(_ filter: String, _ topic: String) -> Bool {
    let (wanted, found) = (levels(filter), levels(topic))
    if topic.hasPrefix("$"), wanted.first == "+" || wanted.first == "#" { return false }
    for (place, level) in wanted.enumerated() {
      if level == "#" { return true }
      guard place < found.count, level == "+" || level == found[place] else { return false }
    }
    return wanted.count == found.count
  }

  /// The parts between slashes, of which any may be empty.
  package static func levels(_ text: String) -> [Substring] {
    text.split(separator: "/", omittingEmptySubsequences: false)
  }
}
