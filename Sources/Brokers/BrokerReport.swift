import WidgetKitCore

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
      guard let topic = frame.text(0), TopicRules.fault(topic) == nil,
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
    guard let topic = frame.text(0), TopicRules.fault(topic) == nil else { return nil }
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
