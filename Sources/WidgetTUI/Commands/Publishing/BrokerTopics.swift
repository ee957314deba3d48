import Glibc
import WidgetCards
import WidgetKitCore
import WidgetPlatform

/// The topics under which a machine publishes its cards: `today/HOST/CARD` and `today/HOST/$state`.
nonisolated struct BrokerTopics: Hashable {
  /// The name of the machine.
  let host: String

  /// Creates them; nil for a name that a topic cannot have as a level.
  init?(host: String) {
    guard !host.isEmpty, host == Self.level(host) else { return nil }
    self.host = host
  }

  /// The name of this machine, without its domain.
  static var hostName: String {
    var bytes = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&bytes, bytes.count - 1) == 0 else { return "localhost" }
    let name = String(
      decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
      as: UTF8.self
    )
    let first = level(String(name.prefix { $0 != "." }))
    return first.isEmpty ? "localhost" : first
  }

  /// Under which it says whether the machine publishes.
  var state: String { "today/\(host)/$state" }

  /// The topics of cards: the last part of the identifier, and the name of the instance; the whole identity where two
  /// cards would have one.
  func topics(of ids: [CardID]) -> [CardID: String] {
    let names = ids.map(Self.name)
    var topics: [CardID: String] = [:]
    for (id, name) in zip(ids, names) {
      let isOnly = names.count { $0 == name } == 1 && !name.isEmpty
      topics[id] = "today/\(host)/\(isOnly ? name : Self.level(id.description))"
    }
    return topics
  }

  private static func name(of id: CardID) -> String {
    let last = id.bundleIdentifier.split(separator: ".").last.map(String.init) ?? ""
    return level(last + (id.instance.map { "-\($0.rawValue)" } ?? ""))
  }

  /// A text as a level of a topic, in which wildcards and what is the broker's own cannot be.
  private static func level(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          let isPlain =
            scalar.value > 0x20 && !(0x7F...0xA0).contains(scalar.value)
            && !"/+#$".unicodeScalars.contains(scalar)
          return isPlain ? scalar : "-"
        }
      )
    )
  }
}
