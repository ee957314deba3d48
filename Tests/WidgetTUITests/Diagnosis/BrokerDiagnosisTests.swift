import Brokers
import Testing
import WidgetKitCore
import WidgetPlatform
import WidgetScripts
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetTUI

/// What `today doctor` says of a broker.
@Suite struct BrokerDiagnosisTests {
  private let clock = VirtualClock()
  private let broker: FakeBroker

  init() throws { broker = try FakeBroker(clock) }

  /// What is found when the broker has done something.
  private func finding(
    _ event: (FakeBrokerConnection) -> Void
  ) async throws -> Finding {
    let (broker, clock) = (broker, clock)
    let finding = Task { await BrokerDiagnosis.finding(broker.shared, clock) }
    await eventually("the connection") { broker.connection?.isStarted == true }
    event(try #require(broker.connection))
    return await finding.value
  }

  @Test func `a broker that answers is named with its version`() async throws {
    let found = try await finding { $0.connect() }
    #expect(found == Finding(.brokers, .ok, "mqtt://me@b answers (MQTT 5)"))
    clock.advance(by: .seconds(5))
    #expect(broker.connection?.isStopped == true)
  }

  @Test func `an older one says why`() async throws {
    let words: SafeText = "the broker refuses MQTT 5"
    let found = try await finding { $0.onState(.connected(version: "3.1.1", words: words)) }
    #expect(found.what == "mqtt://me@b answers (MQTT 3.1.1, as the broker refuses MQTT 5)")
  }

  @Test func `one that is away is a warning with advice`() async throws {
    let found = try await finding { $0.lose("Connection refused") }
    #expect(found.level == .warning && found.what == "mqtt://me@b: Connection refused")
    #expect(found.advice == "check whether the broker runs, and its port")
  }

  @Test func `one that says nothing is a warning after three seconds`() async throws {
    let clock = clock
    let found = try await finding { _ in clock.advance(by: .seconds(3)) }
    #expect(found.what == "mqtt://me@b has not answered within 3 s")
  }

  @Test(
    arguments: [
      (.password, "mqtt://me@b:1", "store the password: today subscribe mqtt://me@b:1 --password"),
      (.password, "mqtts://b:1", "name your user in the address: mqtts://NAME@b:1"),
      (.tls, "mqtts://b", "check “mqtt.ca”, “mqtt.certificate” and “mqtt.key” in config.json"),
      (.missing, "mqtt://b", nil), (.refused, "mqtt://b", nil),
    ] as [(BrokerTrouble.Kind, String, String?)]
  )
  func `its advice can be followed`(kind: BrokerTrouble.Kind, text: String, advice: String?) throws
  {
    let trouble = BrokerTrouble(kind, "x")
    #expect(BrokerDiagnosis.advice(trouble, try BrokerAddress(text)) == advice)
  }
}
