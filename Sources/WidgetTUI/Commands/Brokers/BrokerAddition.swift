import Brokers
import PageRecords
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetScripts

extension CommandOption where Target == AddCommand {
  /// An option that is written into the script of a topic, by its name there.
  static func topic(_ usage: String, _ completion: CompletionKind = .none) -> Self {
    .custom(usage, completion) { target, argument throws(CommandError) in
      let name = String(usage.dropFirst(2).prefix { $0 != " " })
      // A flag is set.
      let value = usage.contains(" ") ? argument.text : "true"
      var checked = ScriptOptions()
      if let expected = checked.set(name, value) { throw argument.expected(expected) }
      target.values.append((name, value))
    }
  }
}

/// Adds topics of MQTT brokers to a page: `mqtt:TOPIC` and `mqtts://BROKER/TOPIC`.
struct BrokerAddition {
  private let options: CommonOptions
  private let settings: Settings

  init(_ options: CommonOptions) {
    self.options = options
    settings = options.readSettings()
  }

  /// Whether a name on the command line is that of a topic.
  static func isTopic(_ name: String) -> Bool {
    BrokerAddress.isAddress(name) || name.hasPrefix("mqtt:")
  }

  /// Adds them, and prints their identifiers.
  ///
  /// - Throws: ``CommandError`` if one is not a topic, or there is no broker.
  func add(
    _ names: [String],
    _ values: [(name: String, value: String)],
    to page: PageName?
  ) throws(CommandError) -> ExitCode {
    let page = try page.map { page throws(CommandError) in
      try PageChoice(PageBook(options).pages, options).new(page)
    }
    let cards = BrokerCards(options, settings)
    for name in names {
      let (address, topic) = try parts(name)
      if let fault = BrokerScript.fault(topic) {
        let advice =
          TopicRules.isFilter(topic) ? "; “today subscribe” makes cards of a filter" : ""
        throw .usage("“\(SafeText(name).onOneLine)”: \(fault)\(advice)")
      }
      let outcome = try CommandError.from { () throws(HostError) in
        try cards.add(
          [BrokerCards.Topic(name: topic)],
          on: address,
          to: page,
          options: values,
          isNamed: true
        )
      }
      let identifier = BrokerScript.script(topic, on: address).identifier
      for added in outcome.added.isEmpty ? [identifier] : outcome.added {
        StandardStreams.writeLine(SafeText(added))
      }
    }
    return .success
  }

  private func parts(_ name: String) throws(CommandError) -> (BrokerAddress?, String) {
    guard BrokerAddress.isAddress(name) else {
      guard settings.mqtt.broker != nil else {
        throw .usage(
          "“\(SafeText(name).onOneLine)” needs a broker: set “mqtt.broker” in config.json, or name it: "
            + "mqtts://BROKER/TOPIC"
        )
      }
      return (nil, String(name.dropFirst("mqtt:".count)))
    }
    do throws(HostError) {
      let (address, topic) = try BrokerAddress.split(name)
      guard let topic else {
        throw HostError(code: .refused, description: "“\(name)” has no topic")
      }
      return (address, topic)
    } catch {
      throw .usage(SafeText(error.description).onOneLine.string)
    }
  }
}
