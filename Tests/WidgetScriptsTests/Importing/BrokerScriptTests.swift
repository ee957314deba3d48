import Brokers
import Testing

@testable import WidgetScripts

/// The scripts that are the cards of topics, of which anybody may choose the names.
@Suite struct BrokerScriptTests {
  @Test func `a topic becomes a script that says which messages it shows`() {
    let address = try? BrokerAddress("mqtt://b")
    let script = BrokerScript.script("today/nas/org.today.System", on: address)
    #expect(script.identifier.hasPrefix("script.mqtt-today-nas-org-today-System-"))
    #expect(script.text.contains("# today: topic=\"today/nas/org.today.System\"\n"))
    #expect(script.text.contains("# today: title=\"nas · System\"\n"))
    let other = BrokerScript.script("today/nas-org/today/System", on: address)
    #expect(other.identifier != script.identifier)
  }

  @Test(arguments: [
    "a\u{2028}b", "a<bitbar.title>x</bitbar.title>", "a\nb", String(repeating: "a", count: 1_025),
  ])
  func `odd topics have no card`(topic: String) {
    #expect(BrokerScript.fault(topic) != nil)
  }

  @Test func `the title of a message cannot say more than a title`() {
    let payload = Array(#"{"title": "x\"\n# today: format=xbar <xbar.title>y"}"#.utf8)
    let title = BrokerScript.title(of: BrokerMessage(topic: "a", payload: payload))
    let script = BrokerScript.script("a", on: nil, title: title)
    #expect(!script.text.contains("<"))
    #expect(script.text.split(separator: "\n").count { $0.hasPrefix("# today:") } == 3)
  }
}
