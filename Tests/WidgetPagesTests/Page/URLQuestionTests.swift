import Foundation
import Testing
import WidgetKitCore
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform

/// URLs of widgets for which the user is asked.
@Suite struct URLQuestionTests {
  private func world() throws -> (EngineWorld, FakeWidget) {
    let world = try EngineWorld(["performAction": "{}"], first: #","view":"a""#)
    try world.folder.app("widgets/C.app", "com.example.C", schemes: ["clowntown"])
    world.center.urls.terminalHandover = { _ in }
    let widget = try world.open()
    world.press("post")
    return (world, widget)
  }

  /// Asks for a URL two seconds after the one before; returns the answer, nil if there is none yet.
  @discardableResult
  private func ask(
    _ url: String,
    _ id: String,
    _ world: EngineWorld,
    _ widget: FakeWidget
  ) throws -> Bool? {
    world.pass(.seconds(2))
    world.press("post")
    widget.say(
      #"{"jsonrpc":"2.0","id":"\#(id)","method":"openURL","params":{"url":"\#(url)"}}"#
    )
    world.settle()
    return try widget.result(OpenURLRequest.Reply.self, of: .string(id))?.success
  }

  @Test func `the scheme of another app is asked for once, and remembered`() throws {
    let (world, widget) = try world()
    var questions: [URLQuestion?] = []
    world.center.urls.onQuestion = { questions.append($0) }
    #expect(try ask("clowntown://post/7", "a", world, widget) == nil)
    let question = try #require(questions.last ?? nil)
    #expect(question.scheme == "clowntown")
    #expect(question.host == "post")
    #expect(question.handler == "com.example.C")
    world.center.urls.answer(.always)
    world.settle()
    #expect(try widget.result(OpenURLRequest.Reply.self, of: .string("a"))?.success == true)
    #expect(questions.count == 2 && questions.last == .some(nil))
    #expect(try ask("clowntown:2", "b", world, widget) == true)
    #expect(questions.count == 2)
  }

  @Test func `the address of a page is shown where nothing opens it, and nothing is said beside`()
    throws
  {
    let (world, widget) = try world()
    var shown: [String] = []
    #expect(try ask("https://example.com/a", "a", world, widget) == false)
    #expect(world.center.notices.current?.string.contains("nothing opens") == true)
    world.center.notices.clear()
    world.center.urls.onUnopened = { url, _ in shown.append(url) }
    #expect(try ask("https://example.com/b", "b", world, widget) == false)
    #expect(try ask("mystery:c", "c", world, widget) == false)
    #expect(shown == ["https://example.com/b"])
    #expect(world.center.notices.current == "A: not opened: no app opens “mystery:”")
  }

  @Test func `a refusal is remembered, not now is not`() throws {
    let (world, widget) = try world()
    var count = 0
    world.center.urls.onQuestion = { count += $0 == nil ? 0 : 1 }
    #expect(try ask("clowntown:1", "a", world, widget) == nil)
    world.center.urls.answer(.notNow)
    world.settle()
    #expect(try widget.result(OpenURLRequest.Reply.self, of: .string("a"))?.success == false)
    #expect(try ask("clowntown:2", "b", world, widget) == nil)
    world.center.urls.answer(.never)
    world.settle()
    #expect(try ask("clowntown:3", "c", world, widget) == false)
    #expect(count == 2)
    #expect(
      world.center.notices.current
        == "A: not opened: the widget is not permitted to open “clowntown:”"
    )
  }

  @Test func `where nobody can be asked nothing is opened`() throws {
    let (world, widget) = try world()
    #expect(try ask("clowntown:1", "a", world, widget) == false)
  }

  @Test func `one question is open at a time`() throws {
    let (world, widget) = try world()
    world.center.urls.onQuestion = { _ in }
    #expect(try ask("clowntown:1", "a", world, widget) == nil)
    #expect(try ask("clowntown:2", "b", world, widget) == false)
  }

  @Test func `locking the page answers the question with no, for now`() throws {
    let (world, widget) = try world()
    var question: URLQuestion?
    world.center.urls.onQuestion = { question = $0 }
    #expect(try ask("clowntown:1", "a", world, widget) == nil)
    world.center.setLocked(true)
    world.settle()
    #expect(question == nil)
    #expect(try widget.result(OpenURLRequest.Reply.self, of: .string("a"))?.success == false)
    world.center.setLocked(false)
    #expect(try ask("clowntown:2", "b", world, widget) == nil)
  }

  @Test func `a scheme that nothing has registered is not asked for`() throws {
    let (world, widget) = try world()
    world.center.urls.onQuestion = { _ in Issue.record("it was asked for") }
    #expect(try ask("nobody:1", "a", world, widget) == false)
    #expect(try ask("javascript:1", "b", world, widget) == false)
    #expect(try ask("file:///etc/passwd", "c", world, widget) == false)
  }

  @Test func `a damaged file of answers leads to the question again`() throws {
    let (world, widget) = try world()
    world.center.urls.onQuestion = { if $0 != nil { world.center.urls.answer(.always) } }
    #expect(try ask("clowntown:1", "a", world, widget) == true)
    let folder = world.center.folders.permissions
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
    var count = 0
    world.center.urls.onQuestion = { count += $0 == nil ? 0 : 1 }
    for text in [
      "", "[]", "{}", #"{"schemes":{"clowntown":1e300}}"#, #"{"schemes":{"clowntown":"yes"}}"#,
    ] {
      try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
      #expect(try ask("clowntown:1", "b\(count)", world, widget) == nil)
      world.center.urls.answer(.notNow)
    }
    #expect(count == 5)
  }

  @Test func `openURL as a notification opens the URL and gets no answer`() throws {
    let (world, widget) = try world()
    var opened = 0
    world.center.urls.onOpen = { opened += 1 }
    world.center.urls.onQuestion = { if $0 != nil { world.center.urls.answer(.always) } }
    let lines = widget.methods.count
    widget.say(#"{"jsonrpc":"2.0","method":"openURL","params":{"url":"clowntown:1"}}"#)
    world.settle()
    #expect(opened == 1)
    #expect(widget.methods.count == lines)
  }

  @Test(arguments: [
    ("/home/a/notes.txt", true), ("/home/a/folder/deep/x", true), ("/home/a/folder", true),
    ("/home/a/notes.txt2", false), ("/home/a/folder2/x", false), ("/home/a", false), ("/", false),
    ("/home/a/folder/../secret", false), ("", false),
  ])
  func `a file is opened if the settings name it or a folder around it`(
    path: String,
    isGranted: Bool
  ) {
    let named = ["/home/a/notes.txt", "/home/a/folder/", ""]
    #expect(URLPermission.isGranted(path, among: named) == isGranted)
  }
}
