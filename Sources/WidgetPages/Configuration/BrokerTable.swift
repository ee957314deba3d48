import Brokers
import WidgetKitCore

/// The settings of the MQTT broker.
nonisolated enum BrokerTable {
  static let all: [Setting] = [
    Setting(
      "mqtt.broker",
      .brokerAddress,
      \.mqtt.broker,
      .nextStart,
      "the [MQTT broker](Machines.md#brokers-mqtt) of `mqtt:TOPIC`, with the name of your user there if it wants one: `\"mqtts://me@broker.lan\"`. Its password is a secret: `today subscribe mqtts://me@broker.lan --password`"
    ),
    Setting(
      "mqtt.ca",
      .path,
      \.mqtt.ca,
      .nextStart,
      "the file with the certificate of the authority that has signed that of the broker; without it those that the system trusts"
    ),
    Setting(
      "mqtt.certificate",
      .path,
      \.mqtt.certificate,
      .nextStart,
      "the file with the certificate of this machine, for a broker that wants one"
    ),
    Setting(
      "mqtt.key",
      .path,
      \.mqtt.key,
      .nextStart,
      "the file with the key of that certificate, without a passphrase"
    ),
  ]
}

nonisolated extension SettingKind<BrokerAddress?> {
  /// The address of a broker.
  fileprivate static var brokerAddress: SettingKind {
    SettingKind(
      "an address such as \"mqtts://me@broker.lan\", without a password",
      range: "an address",
      text: { $0.map { "\"\($0)\"" } ?? "none" },
      convert: { value in
        guard case .string(let text) = value else { return nil }
        return (try? BrokerAddress(text)).map { .some($0) }
      }
    )
  }
}

nonisolated extension SettingKind<String?> {
  /// The path of a file, from `/` or from the home folder.
  fileprivate static var path: SettingKind {
    SettingKind(
      "a path that begins with / or ~/",
      range: "a path",
      text: { $0.map { "\"\($0)\"" } ?? "none" },
      convert: { value in
        guard case .string(let text) = value, text.hasPrefix("/") || text.hasPrefix("~/"),
          text.utf8.count <= 4_096, !text.unicodeScalars.contains(where: { $0.value < 0x20 })
        else { return nil }
        return .some(text)
      }
    )
  }
}
