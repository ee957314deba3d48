import Testing

@testable import WidgetKitCore

@Suite("The name of another machine")
struct RemoteDestinationTests {
  @Test(arguments: [
    ("server", "server"), ("me@server", "server"), ("me@10.0.0.1", "10.0.0.1"),
    ("fe80::1", "fe80::1"), ("a_b-c.example", "a_b-c.example"),
  ])
  func `is one of ssh`(_ text: String, machine: String) {
    let destination = RemoteDestination(text)
    #expect(destination?.description == text)
    #expect(destination?.machine == machine)
  }

  @Test(arguments: [
    "", "@", "me@", "@server", "-oProxyCommand=id", "me@-v", "a b", "a;id", "$(id)", "a'b", "a\nb",
    "a\u{1B}[31m", "sérver", "a@b@c", "..", String(repeating: "a", count: 256),
  ])
  func `is never an option of ssh or more than a word`(_ text: String) {
    #expect(RemoteDestination(text) == nil)
  }
}
