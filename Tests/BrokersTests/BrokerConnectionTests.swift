import Testing
import WidgetKitCore

@testable import Brokers

/// The process that has the connection to a broker.
@Suite @MainActor struct BrokerConnectionTests {
  private func broker(_ text: String) throws -> Broker { Broker(try BrokerAddress(text)) }

  @Test func `without its program there is no connection, with words`() throws {
    let connection = BrokerConnection(
      try broker("mqtt://b"),
      environment: [:],
      executable: "/nowhere/bin/today"
    )
    connection.start()
    let trouble = BrokerTrouble(.missing, "broker-agent is missing; install today again")
    #expect(connection.state == .failed(trouble))
  }

  @Test func `files of certificates are for the broker that is set, and a password for its user`()
    throws
  {
    var settings = BrokerSettings()
    (settings.ca, settings.certificate, settings.key) = ("~/ca", "/c", "/k")
    let other = try BrokerAddress("mqtts://other")
    #expect(settings.broker(at: other, home: "/h", password: nil).ca == "/h/ca")
    settings.broker = try BrokerAddress("mqtts://me@b")
    #expect(settings.broker(at: other, home: "/h", password: nil).certificate == nil)
    let beside = try BrokerAddress("mqtts://me@b:8884")
    #expect(settings.broker(at: beside, home: "/h", password: nil).certificate == nil)
    let own = settings.broker(at: try BrokerAddress("mqtts://me@b"), home: "/h", password: "p")
    let words = own.frames(client: "c", will: nil).map {
      $0.fields.map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(words.contains(["password", "p"]) && words.contains(["ca", "/h/ca"]))
    let plain = Broker(try BrokerAddress("mqtt://b"), ca: "/ca", password: "p")
    #expect(plain.frames(client: "c", will: nil).map(\.word).last == "connect")
    #expect(
      !plain.frames(client: "c", will: nil).contains {
        $0.text(0) == "password" || $0.text(0) == "ca"
      }
    )
  }
}
