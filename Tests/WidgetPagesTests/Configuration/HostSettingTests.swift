import Testing
import WidgetKitCore

@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetPlatform

@Suite("The machine of a widget in config.json")
struct HostSettingTests {
  private func read(_ text: String) -> UserConfiguration {
    UserConfiguration(bytes: Array(text.utf8), path: "config.json")
  }

  @Test func `is that of an instance, or else of its widget`() throws {
    let read = read("{ widgets: { 'a.b': { host: 'one' }, 'a.b:c': { host: 'me@two' } } }")
    #expect(read.problems == [])
    var configuration = CenterConfiguration(environment: [:], executablePath: "/x/today")
    configuration.hosts = read.settings.cards.compactMapValues(\.host)
    let terms = CardTerms(configuration)
    #expect(terms.host(of: CardID("a.b"))?.machine == "one")
    #expect(try terms.host(of: CardID(parsing: "a.b:c"))?.machine == "two")
    #expect(terms.host(of: CardID("a.d")) == nil)
  }

  @Test(arguments: ["'-oProxyCommand=id'", "''", "1e300", "-7", "true", "['a']", "{ a: 1 }"])
  func `is refused with its place`(_ value: String) throws {
    let read = read("{ widgets: { 'a.b': { host: \(value) } } }")
    // It does not run here instead.
    #expect(read.settings.cards["a.b"]?.host?.machine.hasSuffix(".invalid") == true)
    let problem = try #require(read.problems.first?.string)
    #expect(problem.hasPrefix("config.json:1:29: widgets.\"a.b\".host: expected a machine such as"))
  }

  @Test func `of a script is an option of the script`() {
    let read = read("{ widgets: { 'script.load': { host: 'server' } } }")
    #expect(read.settings.cards["script.load"]?.host == nil)
    #expect(read.settings.cards["script.load"]?.script?.host?.machine == "server")
  }
}
