import Foundation
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetScripts

@Suite("What two programs say about a page")
struct RemotePageMessageTests {
  @Test(arguments: ["", " ", "x 1", "1", "-1 {}", "1234567890 {}", "1x {}", "\u{0} {}", "+1 {}"])
  func `a line without a number is none`(_ line: String) {
    #expect(PageFrame(ArraySlice(line.utf8)) == nil)
  }

  @Test func `a message keeps its bytes`() throws {
    let line = PageFrame.line(7, Array(#"{"a": 1}"#.utf8))
    #expect(line == Array("7 {\"a\": 1}\n".utf8))
    let frame = try #require(PageFrame(line.dropLast()))
    #expect(frame.card == 7 && Array(frame.message) == Array(#"{"a": 1}"#.utf8))
  }

  @Test func `members of later versions are ignored`() throws {
    let text = #"{"protocol":1,"today":"9","cards":[{"id":"a.b","name":"B","new":[1]}],"new":{}}"#
    let news = try #require(PageCoding.decode(PageNews.self, ArraySlice(text.utf8)))
    #expect(news.protocol == 1 && news.cards?.first?.id == "a.b")
  }

  @Test(
    arguments: [
      "secretFind", "secretAdd", "defaultsRead", "defaultsWrite", "postNotice", "readNotices",
      "setHasContent", "sendSignal", "downloadInBackground", "org.today.runCommand",
      "org.today.alert", "postNotification", "noSuchThing",
    ]
  )
  func `another machine may not ask for`(_ method: String) throws {
    let line = #"{"jsonrpc":"2.0","id":3,"method":"\#(method)","params":{}}"#
    let refusal = try #require(RemoteRequest.refusal(of: ArraySlice(line.utf8)))
    let answer = try #require(refusal.answer)
    #expect(String(decoding: answer.line, as: UTF8.self).contains("not available on a page of"))
    let said = #"{"jsonrpc":"2.0","method":"\#(method)","params":{}}"#
    let silent = try #require(RemoteRequest.refusal(of: ArraySlice(said.utf8)))
    #expect(silent.answer == nil)
  }

  @Test(arguments: ["setView", "log", "openURL", "setPreferredContentSize"])
  func `another machine may be shown with`(_ method: String) {
    let line = #"{"jsonrpc":"2.0","method":"\#(method)","params":{}}"#
    #expect(RemoteRequest.refusal(of: ArraySlice(line.utf8)) == nil)
  }
}

@Suite("The cards of a page of another machine")
struct PageListTests {
  private let world: TestWorld
  private var folder: String { "\(world.path)/state/today/machines/x/cards" }

  init() throws {
    world = try TestWorld()
  }

  private func card(_ id: String, _ name: String = "Name") -> PageCard {
    PageCard(id: id, name: name, mark: CardMark(), span: nil, interval: nil)
  }

  private func kept(_ cards: [PageCard]) throws -> BundleCatalog {
    try PageList(cards).keep(in: folder)
    var paths = SearchPaths(named: [folder], environment: [:], executable: nil)
    paths.sources = []
    return BundleCatalog.scan(paths)
  }

  @Test func `are found as widgets with their names, in their order`() throws {
    let cards = [
      card("org.today.Clock", "Clock"), card("org.today.Clock:travel", "Clock · travel"),
      card("script.disk", "Disk <&> \"x\""),
    ]
    let catalog = try kept(cards)
    #expect(catalog.problems == [])
    let widgets = catalog.widgets.sorted { $0.startPosition < $1.startPosition }
    #expect(widgets.map(PageList.card) == cards.map(\.id))
    #expect(widgets.map(\.displayName.string) == cards.map(\.name))
  }

  @Test func `that are gone there are gone here`() throws {
    #expect(try kept([card("a.b"), card("a.c")]).widgets.count == 2)
    #expect(try kept([card("a.c")]).widgets.map(\.bundleIdentifier) == ["a.c"])
  }

  @Test(
    arguments: [
      "", "..", "a", "a.b/../c", "/etc/passwd", "a.b\u{0}", "a.b\n", "a.b:\u{1B}[31m", "a.b:x/y",
      "group.a.b", String(repeating: "a.", count: 200) + "b",
      "a.b:" + String(repeating: "x", count: 99),
    ]
  )
  func `with an identity that none has here are left out`(_ id: String) throws {
    let list = PageList([card(id), card("good.one")])
    #expect(list.omitted == 1 || id == "group.a.b")
    try list.keep(in: folder)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(names.contains("good.one.widget"))
    #expect(names.allSatisfy { !$0.contains("/") && !$0.contains("\u{1B}") })
  }

  @Test func `with hostile values are shown without them`() throws {
    var hostile = card("a.b", "\u{1B}]0;title\u{7}Name</string><key>x")
    (hostile.glyph, hostile.span, hostile.interval) = ("\u{1B}[2J", -5, .nan)
    let catalog = try kept([hostile])
    let widget = try #require(catalog.widgets.first)
    #expect(catalog.problems == [])
    #expect(!widget.displayName.string.contains("\u{1B}"))
    #expect(widget.displayName.string.contains("</string><key>x"))
    #expect(widget.infoPlist.widgetExtension?.span == nil)
    #expect(widget.infoPlist.widgetExtension?.refreshInterval == nil)
  }
}

extension WidgetBundle {
  fileprivate var startPosition: Int { infoPlist.widgetExtension?.startPosition ?? .max }
}
