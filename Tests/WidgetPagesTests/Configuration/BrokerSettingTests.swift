import Brokers
import Testing
import WidgetKitCore
import WidgetScripts

@testable import WidgetPages

@Suite("The MQTT broker in config.json")
struct BrokerSettingTests {
  private func read(_ text: String) -> UserConfiguration {
    UserConfiguration(bytes: Array(text.utf8), path: "config.json")
  }

  @Test func `has an address and the files of certificates`() throws {
    let read = read(
      """
      { mqtt: { broker: "mqtts://me@b:1234", ca: "~/ca.crt", certificate: "/c.crt", key: "/c.key" } }
      """
    )
    #expect(read.problems == [])
    let found = read.settings.mqtt
    #expect(try found.broker == BrokerAddress("mqtts://me@b:1234"))
    #expect(found.ca == "~/ca.crt" && found.certificate == "/c.crt" && found.key == "/c.key")
    var configuration = CenterConfiguration(environment: [:], executablePath: "/x/today")
    read.settings.apply(to: &configuration)
    #expect(configuration.brokers == found)
  }

  @Test(arguments: [
    "broker: 'b'", "broker: 'mqtt://b/topic'", "broker: 'mqtts://me:secret@b'", "broker: 7",
    "ca: 'ca.crt'", "ca: ''", "key: true", "certificate: ['/a']", "password: 'x'",
  ])
  func `is refused with its place`(_ member: String) throws {
    let read = read("{ mqtt: { \(member) } }")
    #expect(read.settings.mqtt == BrokerSettings())
    let problem = try #require(read.problems.first?.string)
    #expect(problem.hasPrefix("config.json:1:11: ") || problem.contains("mqtt."), "\(problem)")
  }
}
