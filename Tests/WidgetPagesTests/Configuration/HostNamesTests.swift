import Testing
import WidgetKitCore

@testable import WidgetPages
@testable import WidgetPlatform

@Suite("Names of machines in config.json")
struct HostNamesTests {
  private func read(_ text: String) -> UserConfiguration {
    UserConfiguration(bytes: Array(text.utf8), path: "config.json")
  }

  private func names(_ text: String) -> HostNames { HostNames(read(text).settings.hosts) }

  private func machines(_ name: String, _ text: String) throws -> [String] {
    try names(text).machines(of: #require(RemoteDestination(name))).map(\.description)
  }

  @Test func `stand for one machine or for several, each once`() throws {
    let text =
      "{ hosts: { nas: 'me@nas.local', fleet: ['nas', 'web-1', 'web-1', 'all'], all: ['x', 'y'] } }"
    #expect(read(text).problems == [])
    #expect(try machines("nas", text) == ["me@nas.local"])
    #expect(try machines("fleet", text) == ["nas", "web-1", "x", "y"])
    #expect(try machines("other", text) == ["other"])
    let names = names(text)
    let nas = try #require(RemoteDestination("nas"))
    #expect(names.address(of: nas).description == "me@nas.local")
    let fleet = try #require(RemoteDestination("fleet"))
    #expect(!names.isFleet(nas) && names.isFleet(fleet))
  }

  @Test func `of the same machine are one`() throws {
    let text = "{ hosts: { nas: 'me@nas.local', fleet: ['nas', 'me@nas.local', 'web-1'] } }"
    #expect(try machines("fleet", text) == ["nas", "web-1"])
  }

  @Test func `do not go round`() throws {
    let text = "{ hosts: { a: ['a', 'b'], b: ['a', 'c'], one: 'one' } }"
    #expect(try machines("a", text) == ["a", "c"])
    #expect(try machines("one", text) == ["one"])
  }

  @Test(arguments: ["7", "''", "['-oProxyCommand=id']", "['a', 1]", "{ }", "true", "'a b'", "NaN"])
  func `are refused with their place`(_ value: String) throws {
    let problem = try #require(read("{ hosts: { nas: \(value) } }").problems.first?.string)
    #expect(problem.hasPrefix("config.json:1:17: hosts.nas: expected a machine"))
  }

  @Test(arguments: ["me@nas", "a b", "-x", "a:b"])
  func `are no machines with a user`(_ name: String) {
    #expect(!read("{ hosts: { '\(name)': 'x' } }").problems.isEmpty)
  }
}
