import Brokers
import WidgetKitCore
import WidgetPlatform
import WidgetScripts

/// Looks whether the MQTT broker answers, if there is one.
enum BrokerDiagnosis {
  /// How long a broker has for an answer.
  private static let patience: Duration = .seconds(3)

  /// What there is to say; nothing if the user has no broker.
  static func findings(_ environment: [String: String]) async -> [Finding] {
    let hub = BrokerHub.shared
    let others = BrokerSubscriptions.read(StateFolders(environment: environment))
      .compactMap { try? BrokerAddress($0.broker) }
    var addresses = hub.settings.broker.map { [$0] } ?? []
    for other in others where !addresses.contains(other) { addresses.append(other) }
    var findings: [Finding] = []
    for address in addresses.prefix(4) { findings.append(await finding(address, environment)) }
    return findings
  }

  private static func finding(
    _ address: BrokerAddress,
    _ environment: [String: String]
  ) async -> Finding {
    let broker = BrokerHub.shared.broker(at: address, environment: environment)
    return await finding(broker, SystemClock())
  }

  /// What there is to say of a broker, when it has answered or has had the time for it.
  static func finding(_ broker: SharedBroker, _ clock: any HostClock) async -> Finding {
    let address = broker.address
    // A filter that hardly matches anything.
    let collector = TopicCollector("today-doctor/none", on: broker, clock: clock)
    let (states, state) = AsyncStream.makeStream(of: BrokerConnection.State.self)
    collector.onState = { state.yield($0) }
    let timer = clock.schedule(after: patience) { state.finish() }
    collector.start()
    defer {
      timer.cancel()
      collector.stop()
    }
    for await found in states {
      switch found {
      case .idle, .connecting: continue
      case .connected(let version, let words):
        let reason = words.map { ", as \($0)" } ?? ""
        return Finding(.brokers, .ok, "\(address) answers (MQTT \(version)\(reason))")
      case .away(let trouble, again: _), .failed(let trouble):
        return Finding(
          .brokers,
          .warning,
          "\(address): \(trouble)",
          advice: advice(trouble, address)
        )
      }
    }
    return Finding(.brokers, .warning, "\(address) has not answered within 3 s")
  }

  static func advice(_ trouble: BrokerTrouble, _ address: BrokerAddress) -> String? {
    switch trouble.kind {
    case .password where address.user == nil:
      "name your user in the address: \(address.with(user: "NAME"))"
    case .password: "store the password: today subscribe \(address) --password"
    case .tls: "check “mqtt.ca”, “mqtt.certificate” and “mqtt.key” in config.json"
    case .network: "check whether the broker runs, and its port"
    case .missing, .request, .refused, .protocol, .broker: nil
    }
  }
}
