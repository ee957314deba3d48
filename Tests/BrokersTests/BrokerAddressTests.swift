import Testing
import WidgetPlatform

@testable import Brokers

/// The addresses of brokers.
@Suite struct BrokerAddressTests {
  @Test(
    arguments: [
      ("mqtt://broker", "broker", 1883, false, nil), ("mqtts://broker", "broker", 8883, true, nil),
      ("mqtts://me@broker.lan:1234", "broker.lan", 1234, true, "me"),
      ("mqtt://10.0.0.1", "10.0.0.1", 1883, false, nil),
      ("mqtt://[fe80::1%eth0]:99", "fe80::1%eth0", 99, false, nil),
      ("mqtt://a@b@broker/", "broker", 1883, false, "a@b"),
    ] as [(String, String, Int, Bool, String?)]
  )
  func `an address has a host, a port and a user`(
    text: String,
    host: String,
    port: Int,
    isSecure: Bool,
    user: String?
  ) throws {
    let address = try BrokerAddress(text)
    #expect(address.host == host && address.port == port)
    #expect(address.isSecure == isSecure && address.user == user)
    #expect(try BrokerAddress(address.description) == address)
  }

  @Test(arguments: [
    "", "broker", "http://broker", "mqtt://", "mqtt:///a", "mqtt://broker:0", "mqtt://broker:65536",
    "mqtt://broker:x", "mqtt://broker:", "mqtt://@broker", "mqtt://-x", "mqtt://a b",
    "mqtt://a\u{1B}[2J",
    "mqtt://[::1", "mqtt://[a b]", "mqtt://broker/topic", "mqtt://br?ker", "mqtt://a\u{0}b",
  ])
  func `what is no address is refused`(text: String) {
    #expect(throws: HostError.self) { try BrokerAddress(text) }
  }

  @Test func `a password in an address is refused with words`() {
    let error = #expect(throws: HostError.self) { try BrokerAddress("mqtt://me:secret@broker") }
    #expect(error?.description.contains("others could see") == true)
    #expect(error?.description.contains("secret@") == false)
  }

  @Test(arguments: [
    "mqtt://me:pa/secret@b", "http://me:secret@b", "mqtt://me:secret@b:x", "me:secret@b",
    "mqtt://me/secret@\u{301}b",
  ])
  func `an error does not show what may be a password`(text: String) {
    let error = #expect(throws: HostError.self) { try BrokerAddress(text) }
    #expect(error?.description.contains("secret") == false)
  }

  @Test func `a topic stands behind the address as it is`() throws {
    #expect(try BrokerAddress.split("mqtts://b/today/+/System").topic == "today/+/System")
    #expect(try BrokerAddress.split("mqtt://b:1/a b/ü%20#").topic == "a b/ü%20#")
    #expect(try BrokerAddress.split("mqtt://b//x").topic == "/x")
    #expect(try BrokerAddress.split("mqtt://b/").topic == nil)
    #expect(try BrokerAddress.split("mqtt://b/\u{301}x").topic == "\u{301}x")
  }
}
