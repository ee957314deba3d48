import Brokers
import FoundationEssentials
import WidgetCards
import WidgetKitCore
import WidgetPlatform
import WidgetScripts

/// A card as JSON for a broker: as `today snapshot --format json` has it, without what is for its user alone.
nonisolated struct CardPayload {
  static let contentType = "application/json"

  private struct Content: Encodable {
    var bundleIdentifier: String
    var instance: String?
    var name: SafeText
    var message: SafeText?
    var date: Date?
    /// The seconds after which something new is expected.
    var interval: Double
    var rows: [String]?
    var view: ViewNode?
    /// The name and the rows again, where there is no view, as anybody may send them for a card.
    var title: SafeText?
    var text: String?

    mutating func set(rows lines: ArraySlice<String>) {
      (view, rows) = (nil, nil)
      (title, text) = (name, lines.joined(separator: "\n"))
    }
  }

  /// The bytes of a card: with its view, else as its rows, else with as many of them as there is room for.
  static func bytes(of card: WebCard) -> [UInt8] {
    var content = Content(
      bundleIdentifier: card.id.bundleIdentifier,
      instance: card.id.instance?.rawValue,
      name: card.name,
      message: card.trouble,
      date: card.date,
      interval: card.seconds,
      rows: card.rows,
      view: card.view
    )
    var bytes = encoded(content)
    guard card.view == nil || bytes.count > BrokerMessage.payloadLimit else { return bytes }
    var lines = card.rows[...]
    content.set(rows: lines)
    bytes = encoded(content)
    while bytes.count > BrokerMessage.payloadLimit, !lines.isEmpty {
      // Their bytes are about those that they have in JSON.
      lines = lines.prefix(
        min(lines.count * BrokerMessage.payloadLimit / bytes.count, lines.count - 1)
      )
      content.set(rows: lines)
      bytes = encoded(content)
    }
    return bytes
  }

  private static func encoded(_ content: Content) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf",
      negativeInfinity: "-inf",
      nan: "nan"
    )
    guard let data = try? encoder.encode(content) else { return Array("{}".utf8) }
    return Array(HarmlessJSON.text(String(decoding: data, as: UTF8.self)).utf8)
  }
}
