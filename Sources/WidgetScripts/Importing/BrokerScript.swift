package import Brokers
import WidgetKitCore
import WidgetPlatform

/// The card of a topic: a script that the program writes, which is never run, and says which messages it shows.
package enum BrokerScript {
  /// Why a topic that others may have named cannot have a card; nil if it can.
  package static func fault(_ topic: String) -> String? {
    if let fault = TopicRules.fault(topic) { return fault }
    if topic.utf8.count > ScriptOptions.textBytes {
      return "a topic of a card has at most \(ScriptOptions.textBytes) bytes"
    }
    // They would end the line of the script, or would be tags of it.
    let isPlain =
      !topic.contains(where: \.isNewline) && !topic.utf8.contains(UInt8(ascii: "<"))
    return isPlain ? nil : "a topic of a card has no “<”"
  }

  /// Makes the script.
  ///
  /// - Parameters:
  ///   - topic: The topic, without ``fault(_:)``.
  ///   - address: The broker; nil for that of config.json.
  ///   - title: The heading; nil to make one of the topic.
  ///   - options: What is said besides, in the form of the line of a script.
  /// - Returns: The script, which is not written.
  package static func script(
    _ topic: String,
    on address: BrokerAddress?,
    title: String? = nil,
    options: [(name: String, value: String)] = []
  ) -> WrittenScript {
    var values = [("title", title ?? heading(topic)), ("topic", topic)]
    if let address { values.append(("broker", address.description)) }
    values.append(("show", "false"))
    let hash = StableHash.value(of: "\(address?.description ?? "") \(topic)")
    let name = "mqtt-\(topic.suffix(40))-\(String(hash % 2_176_782_336, radix: 36))"
    let given = Set(options.map(\.name))
    return WrittenScript(
      name: name,
      options: values.filter { !given.contains($0.0) }.map { (name: $0.0, value: $0.1) } + options,
      body: "# Its content comes from a broker: this file is never run.\nexit 1"
    )
  }

  /// The heading of a topic: `nas · System` for `today/nas/org.today.System`, else its last two levels.
  package static func heading(_ topic: String) -> String {
    var levels = TopicRules.levels(topic).filter { !$0.isEmpty }.suffix(2).map(String.init)
    if topic.hasPrefix("today/"), let last = levels.popLast() {
      let card = last.split(separator: ".").last.map(String.init) ?? last
      levels.append(card)
    }
    return String(SafeText(levels.joined(separator: " · ")).onOneLine.string.prefix(60))
  }

  /// The heading that a message asks for: its `title`, or the name of the machine and of the card that was published.
  package static func title(of message: BrokerMessage) -> String? {
    guard var members = (try? JSONTree(message.payload))?.members else { return nil }
    var host: Substring?
    if let card = members.last(where: { $0.name == "cards" })?.value.items?.first?.members {
      members = card
    }
    var name = "title"
    if members.contains(where: { $0.name == "view" }) {
      name = "name"
      host = TopicRules.levels(message.topic).dropFirst().first
    }
    guard let text = members.last(where: { $0.name == name })?.value.string else { return nil }
    // It could look like a tag in the script.
    let plain = SafeText(String(text.prefix(60).filter { $0 != "<" && !$0.isNewline })).onOneLine
    guard !plain.isEmpty else { return nil }
    return host.map { "\($0.prefix(40)) · \(plain)" } ?? plain.string
  }

  /// Whether a script of a name is in a folder.
  package static func isWritten(_ script: WrittenScript, in folder: String) -> Bool {
    script.present(in: folder) != nil
  }
}
