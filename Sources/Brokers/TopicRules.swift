import WidgetKitCore

/// The rules of MQTT for topics and filters (MQTT 5, section 4.7), and what is not accepted besides.
package enum TopicRules {
  // A mark above a letter belongs to the character of the letter, also behind one of these.
  private static let (slash, one, many) = (UInt8(ascii: "/"), UInt8(ascii: "+"), UInt8(ascii: "#"))
  /// The first byte of the topics of the broker itself.
  private static let ownMark = UInt8(ascii: "$")
  /// The longest one in bytes.
  package static let byteLimit = 65_535

  /// Why a text cannot be a topic; nil if it can.
  package static func fault(_ text: String) -> String? {
    if let fault = commonFault(text) { return fault }
    return isFilter(text) ? "+ and # are for filters" : nil
  }

  /// Why a text cannot be a filter, such as `today/+/System` or `sensors/#`; nil if it can.
  package static func filterFault(_ text: String) -> String? {
    if let fault = commonFault(text) { return fault }
    let levels = text.utf8.split(separator: slash, omittingEmptySubsequences: false)
    for (place, level) in levels.enumerated() {
      let isLast = place == levels.count - 1
      if level.contains(many), !isLast || level.count > 1 {
        return "# must be the last level, alone"
      }
      if level.contains(one), level.count > 1 { return "+ matches exactly one level" }
    }
    return nil
  }

  /// Whether a filter stands for more than one topic.
  package static func isFilter(_ text: String) -> Bool {
    text.utf8.contains { $0 == one || $0 == many }
  }

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
    let wanted = filter.utf8.split(separator: slash, omittingEmptySubsequences: false)
    let found = topic.utf8.split(separator: slash, omittingEmptySubsequences: false)
    if topic.utf8.first == ownMark, let first = filter.utf8.first, first == one || first == many {
      return false
    }
    for (place, level) in wanted.enumerated() {
      if level.elementsEqual([many]) { return true }
      guard place < found.count else { return false }
      guard level.elementsEqual([one]) || level.elementsEqual(found[place]) else { return false }
    }
    return wanted.count == found.count
  }

  /// The parts between slashes, of which any may be empty.
  package static func levels(_ text: String) -> [Substring] {
    text.utf8.split(separator: slash, omittingEmptySubsequences: false).map { Substring($0) }
  }
}
