import FoundationEssentials
import Testing
import WidgetKitCore

@testable import PageRecords
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform

/// Settings with wrong parts: the others hold, and each fault is named with its place.
@Suite struct SettingPruningTests {
  private func read(_ text: String, keeping old: Settings = Settings()) -> UserConfiguration {
    UserConfiguration(
      bytes: Array(text.utf8),
      path: "config.json",
      keeping: old,
      commands: ["refreshAll"]
    )
  }

  @Test func `one wrong word about a widget leaves those about others`() {
    let file = read(
      """
      { widgets: {
        'org.today.Clock': { span: 'wide', allowWhenLocked: true },
        'script.far': { host: 'me@server', title: 'Far' },
        'script.held': { sandbox: true, interval: 'soon' },
      } }
      """
    )
    let problems = file.problems.map(\.string)
    #expect(problems.count == 2, "\(problems)")
    #expect(problems[0].hasPrefix(#"config.json:2:30: widgets."org.today.Clock".span: "#))
    #expect(problems[1].hasPrefix(#"config.json:4:45: widgets."script.held".interval: "#))
    let cards = file.settings.cards
    #expect(cards["org.today.Clock"]?.allowWhenLocked == true)
    #expect(cards["script.far"]?.script?.host?.description == "me@server")
    #expect(cards["script.far"]?.script?.title == "Far")
    #expect(cards["script.held"]?.script?.sandbox == true)
  }

  @Test(arguments: [
    "sandbox: 'yes please'", "sandbox: []", "sandbox: false, sandbox: true",
    "sandbox: true, sandbox: true",
  ])
  func `what is wrong about a sandbox confines`(_ word: String) {
    let file = read("{ widgets: { 'script.a': { \(word) } } }")
    #expect(file.problems.count == 1)
    #expect(file.settings.cards["script.a"]?.script?.sandbox == true)
  }

  @Test(arguments: ["host: '-oProxyCommand=x'", "host: [7]", "host: ['a']", "host: 'a', host: 'b'"])
  func `nothing runs here whose machine is wrong`(_ word: String) {
    for name in ["script.a", "com.example.A"] {
      let file = read("{ widgets: { '\(name)': { \(word) } } }")
      #expect(file.problems.count == 1, "\(file.problems)")
      let card = file.settings.cards[name]
      let host = card?.script?.host ?? card?.host
      #expect(host?.machine.hasSuffix(".invalid") == true, "\(name) \(word)")
    }
  }

  @Test(arguments: ["sandbx", "sanbdox", "Sandbox", "sandboxed"])
  func `a misspelt sandbox confines, whatever its value is`(name: String) {
    let settings = read("{ widgets: { 'script.a': { \(name): false, title: 'A' } } }").settings
    #expect(settings.cards["script.a"]?.script?.sandbox == true)
    #expect(settings.cards["script.a"]?.script?.title == "A")
    // A plugin may have a setting of that name.
    let others = read("{ widgets: { 'script.a': { SANDBOX: 'x', box: 1 } } }").settings
    #expect(others.cards["script.a"]?.script?.sandbox == nil)
  }

  @Test func `however much is wrong, what confines scripts holds`() {
    let wrong = (0..<150).map { "'script.wrong\($0)': { span: 'x', sandbox: 7 }" }
    let repeats = (0..<150).map { "'script.twice\($0)': { sandbox: true, sandbox: true }" }
    let all = (wrong + ["'script.held': { sandbox: true }"] + repeats).joined(separator: ", ")
    let cards = read("{ widgets: { \(all) } }").settings.cards
    #expect(cards.count == 301)
    #expect(cards.values.allSatisfy { $0.script?.sandbox == true })
  }

  @Test(arguments: ["[]", "7", "{ '../x': {} , a: 7 }"])
  func `widgets that cannot be read run in the sandbox or not at all, at a start`(value: String) {
    let made = UserConfiguration(bytes: Array("{ widgets: \(value) }".utf8), path: "config.json")
    #expect((made.settings.sandbox == .required) == !value.hasPrefix("{"))
    #expect(!made.problems.isEmpty)
  }

  @Test func `a wrong card leaves the others of its page, with their places`() {
    let file = read(
      """
      { pages: [
        { name: 'Home', cards: ['org.today.Clock', 7, 'org.today.Notes', { wiget: 'x' }, 'a.b'] },
        { name: 7 },
        { name: 'Work', cards: ['org.today.Git', { widget: 'c.d', span: -1 }] },
      ] }
      """
    )
    let places = file.problems.map {
      $0.string.split(separator: ":").prefix(3).joined(separator: ":")
    }
    #expect(
      places == ["config.json:2:46", "config.json:2:70", "config.json:3:11", "config.json:4:67"]
    )
    let pages = file.settings.pages
    #expect(pages.map(\.name.rawValue) == ["Home", "Work"])
    #expect(
      pages.map { $0.cards.map(\.id.description) } == [
        ["org.today.Clock", "org.today.Notes", "a.b"], ["org.today.Git"],
      ]
    )
  }

  @Test func `a wrong folder, key or opener leaves the others`() {
    let file = read(
      """
      { sources: ['~/a', 'b', { path: '~/c', sandbox: 'x' }, '~/d'],
        keys: { 'ctrl-r': 'refreshAll', 'ctrl-e': 'refrsh' },
        openers: { gopher: ['lynx'], mailto: [7] } }
      """
    )
    #expect(file.problems.count == 4, "\(file.problems)")
    // Of a folder with a wrong word nothing runs.
    #expect(file.settings.sources.map(\.folder) == ["~/a", "~/d"])
    #expect(Array(file.settings.screen.keys.keys) == ["ctrl-r"])
    #expect(Array(file.settings.openers.keys) == ["gopher"])
  }

  @Test func `what held before holds while the file is wrong, as a whole`() {
    let old = read("{ sources: ['~/a'], widgets: { 'script.a': { host: 'server' } } }").settings
    let new = read("{ sources: ['~/b', 7], widgets: { 'script.a': { host: [7] } } }", keeping: old)
    #expect(new.problems.count == 2)
    #expect(new.settings.sources.map(\.folder) == ["~/a"])
    #expect(new.settings.cards["script.a"]?.script?.host?.description == "server")
  }

  @Test func `thousands of faults are named, and end`() {
    let cards = (0..<900).map { "{ widget: \($0) }" }.joined(separator: ", ")
    let file = read("{ pages: [{ name: 'Home', cards: [\(cards)] }] }")
    #expect(file.settings.pages.isEmpty)
    #expect(file.problems.count == 21)
  }
}
