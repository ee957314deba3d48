import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import WidgetHost

@Suite struct UpdateTests {
  private func world(_ update: String) throws -> EngineWorld {
    try EngineWorld(["widgetPerformUpdate": update], first: #","view":\#(stack(2))"#)
  }

  @Test func `a card that appears is updated`() throws {
    let world = try world(#"{"result":"newData","view":\#(stack(3, "new"))}"#)
    let widget = try world.open()
    #expect(try widget.messages(WidgetPerformUpdateRequest.self).map(\.reason) == [.appear])
    #expect(world.updates == [.newData])
    #expect(world.picture.first == "new 1")
    #expect(try world.card.state == .live)
    #expect(try world.snapshotFiles().count == 1)
  }

  @Test func `no data draws nothing and writes nothing`() throws {
    let world = try world(#"{"result":"newData","view":\#(stack(3, "new"))}"#)
    let widget = try world.open()
    let files = try world.snapshotFiles()
    let date = try world.card.contentDate
    widget.answers["widgetPerformUpdate"] = #"{"result":"noData","view":"ignored"}"#
    world.pass(.seconds(1))
    let changes = world.changes
    try FileManager.default.removeItem(atPath: world.center.folders.snapshots)
    for _ in 0..<3 {
      world.center.refresh(nil)
      world.pass(.seconds(20))
    }
    #expect(world.updates == [.newData, .noData, .noData, .noData])
    #expect(world.changes == changes)
    #expect(try world.snapshotFiles().isEmpty)
    #expect(!files.isEmpty)
    #expect(try world.card.contentDate == date)
    #expect(world.picture.first == "new 1")
  }

  @Test func `new data that looks the same is fresh`() throws {
    let world = try world(#"{"result":"newData","view":\#(stack(2))}"#)
    try world.open()
    world.pass(.seconds(60))
    let date = try #require(try world.card.contentDate)
    let changes = world.changes
    world.center.refresh(nil)
    world.settle()
    #expect(try #require(try world.card.contentDate) > date)
    #expect(world.changes == changes + 1)
  }

  @Test func `what a widget shows again as it left it stays as old as it was`() throws {
    let world = try world(#"{"result":"noData"}"#)
    let widget = try world.open()
    let date = try #require(try world.card.contentDate)
    world.pass(.seconds(60), step: .seconds(1))
    widget.crash()
    world.pass(.seconds(5), step: .milliseconds(100))
    #expect(try world.card.state == .live)
    #expect(try world.card.contentDate == date)
  }

  @Test func `what a widget shows otherwise when it appears is new`() throws {
    let world = try world(#"{"result":"noData"}"#)
    let widget = try world.open()
    let date = try #require(try world.card.contentDate)
    world.pass(.seconds(10), step: .seconds(1))
    widget.notify("setView", #"{"view":\#(stack(2, "other"))}"#)
    world.pass(.seconds(60), step: .seconds(1))
    #expect(try #require(try world.card.contentDate) > date)
    let pushed = try #require(try world.card.contentDate)
    widget.crash()
    world.pass(.seconds(5), step: .milliseconds(100))
    #expect(world.picture.first == "row 1")
    #expect(try #require(try world.card.contentDate) > pushed)
  }

  @Test func `a failure leaves the picture, says why and is tried again soon`() throws {
    let world = try world(#"{"result":"newData","view":\#(stack(3, "new"))}"#)
    let widget = try world.open()
    widget.answers["widgetPerformUpdate"] = #"{"result":"failed","error":"no network"}"#
    world.center.refresh(nil)
    world.settle()
    #expect(try world.card.state == .failed)
    #expect(try world.card.message == "no network")
    #expect(world.picture.first == "new 1")
    world.pass(.seconds(14), step: .seconds(1))
    #expect(world.updates == [.newData, .failed])
    world.pass(.seconds(2), step: .seconds(1))
    #expect(world.updates == [.newData, .failed, .failed])
    world.pass(.seconds(28), step: .seconds(1))
    #expect(world.updates.count == 3)
    widget.answers["widgetPerformUpdate"] = #"{"result":"noData"}"#
    world.pass(.seconds(3), step: .seconds(1))
    #expect(world.updates.last == .noData)
    #expect(try world.card.state == .live)
    #expect(try world.card.message == nil)
  }

  @Test func `content whose updates fail is marked as stale after two intervals`() throws {
    let world = try world(#"{"result":"newData","view":\#(stack(3)),"refreshAfter":60}"#)
    let widget = try world.open()
    widget.answers["widgetPerformUpdate"] = #"{"result":"failed"}"#
    world.pass(.seconds(118), step: .seconds(1))
    #expect(try !world.card.isStale)
    world.pass(.seconds(5), step: .seconds(1))
    #expect(try world.card.isStale)
  }

  @Test func `an update is due as often as the widget wishes`() throws {
    let world = try world(#"{"result":"noData","refreshAfter":60}"#)
    let widget = try world.open()
    world.pass(.seconds(301), step: .seconds(1))
    #expect(
      try widget.messages(WidgetPerformUpdateRequest.self).map(\.reason)
        == [.appear, .schedule, .schedule, .schedule, .schedule, .schedule]
    )
  }

  @Test func `an answer after its deadline is not taken for that of the next update`() throws {
    let world = try world("")
    world.answers["widgetPerformUpdate"] = nil
    let widget = try world.open()
    world.pass(.seconds(31), step: .seconds(1))
    #expect(world.updates == [.failed])
    #expect(try world.card.message == "No answer in 30 s")
    world.center.refresh(nil)
    world.settle()
    let first = try #require(
      widget.received.compactMap { line -> Int? in
        guard case .request(.number(let id), "widgetPerformUpdate") = line.kind else { return nil }
        return id
      }.first
    )
    widget.say(#"{"jsonrpc":"2.0","id":\#(first),"result":{"result":"newData","view":"late"}}"#)
    world.settle()
    #expect(world.updates == [.failed])
    #expect(world.picture.first == "row 1")
    widget.answer("widgetPerformUpdate", #"{"result":"newData","view":"in time"}"#)
    world.settle()
    #expect(world.updates == [.failed, .newData])
    #expect(world.picture.first == "in time")
  }

  @Test("a bundle's own interval counts where the widget's answers wish for none")
  func bundleInterval() throws {
    let answer = #"{"result":"newData","view":"a"}"#
    let world = try EngineWorld(
      ["widgetPerformUpdate": answer],
      bundle: "TodayRefreshInterval = 120;"
    )
    try world.open()
    world.pass(.seconds(119), step: .seconds(1))
    #expect(world.updates.count == 1)
    world.pass(.seconds(30), step: .seconds(1))
    #expect(world.updates.count == 2)
    try world.widget.answers["widgetPerformUpdate"] =
      #"{"result":"newData","view":"b","refreshAfter":600}"#
    world.pass(.seconds(150), step: .seconds(1))
    #expect(world.updates.count == 3)
    world.pass(.seconds(300), step: .seconds(1))
    #expect(world.updates.count == 3)
  }

  @Test func `a second answer to one request is dropped`() throws {
    let world = try world(#"{"result":"newData","view":"once"}"#)
    let widget = try world.open()
    widget.answer("widgetPerformUpdate", #"{"result":"newData","view":"twice"}"#)
    world.settle()
    #expect(world.picture == ["once"])
    #expect(world.updates == [.newData])
  }

  @Test func `a view that breaks a limit is refused and the picture stays`() async throws {
    let world = try world(#"{"result":"newData","view":\#(stack(3))}"#)
    let widget = try world.open()
    widget.answers["widgetPerformUpdate"] =
      #"{"result":"newData","view":\#(stack(5_000))}"#
    world.center.refresh(nil)
    world.settle()
    try await world.finishReading()
    #expect(world.updates == [.newData, .failed])
    #expect(world.picture == ["row 1", "row 2", "row 3"])
  }
}

@Suite struct PressTests {
  @Test func `a press on a snapshot is delivered after the live view`() throws {
    let first = try EngineWorld(
      ["widgetPerformUpdate": #"{"result":"newData","view":\#(stack(2, "kept"))}"#]
    )
    try first.open()
    _ = try first.snapshotFiles()
    let world = try EngineWorld(
      ["performAction": "{}", "viewWillAppear": "{}"],
      first: #","view":\#(stack(2))"#,
      folder: first.folder
    )
    world.center.setPage(innerWidth: 40)
    #expect(world.picture.first == "kept 1")
    world.center.setVisible([EngineWorld.id])
    world.center.start()
    world.press("more")
    #expect(try world.card.state == .snapshot)
    #expect(try world.card.pressCue == "waiting")
    world.settle()
    let methods = try world.widget.methods
    #expect(methods.filter { $0 == "performAction" }.count == 1)
    let press = try #require(methods.firstIndex(of: "performAction"))
    let appeared = try #require(methods.firstIndex(of: "viewWillAppear"))
    #expect(press > appeared)
    #expect(try world.card.pressCue == nil)
  }

  @Test func `a press that cannot be delivered is dropped with a cue`() throws {
    let world = try EngineWorld(["performAction": "{}"])
    world.answers["initialize"] = nil
    try world.open()
    world.press("more")
    #expect(try world.card.pressCue == "waiting")
    try world.widget.crash()
    #expect(try world.card.pressCue == "press dropped")
  }

  @Test func `a URL is opened only after a press`() throws {
    let world = try EngineWorld(["performAction": "{}"], first: #","view":"a""#)
    var opened: [TerminalProgram] = []
    world.center.terminalHandover = { opened.append($0) }
    try world.folder.app("widgets/C.app", "com.example.C", schemes: ["clowntown"])
    let widget = try world.open()
    world.pass(.seconds(5))
    let ask = #"{"jsonrpc":"2.0","id":"u1","method":"openURL","params":{"url":"clowntown:1"}}"#
    widget.say(ask)
    world.settle()
    #expect(opened.isEmpty)
    #expect(
      try widget.result(OpenURLRequest.Reply.self, of: .string("u1"))?.success == false
    )
    world.press("post")
    widget.say(ask)
    world.settle()
    #expect(opened.count == 1)
  }

  @Test func `one URL is opened a second`() throws {
    let world = try EngineWorld(["performAction": "{}"], first: #","view":"a""#)
    var opened = 0
    world.center.terminalHandover = { _ in opened += 1 }
    try world.folder.app("widgets/C.app", "com.example.C", schemes: ["clowntown"])
    let widget = try world.open()
    world.press("post")
    for number in 0..<20 {
      widget.say(
        #"{"jsonrpc":"2.0","id":\#(number),"method":"openURL","params":{"url":"clowntown:1"}}"#
      )
      world.pass(.milliseconds(20))
    }
    #expect(opened == 1)
    #expect(try widget.result(OpenURLRequest.Reply.self, of: .number(19))?.success == false)
  }
}

@Suite struct FloodTests {
  @Test func `of a flood the newest view wins and 30 a second are looked at`() throws {
    let world = try EngineWorld(first: #","view":"start""#)
    let widget = try world.open()
    world.pass(.seconds(1))
    var pictures: Set<String> = []
    let steps = 2_000
    for number in 1...steps {
      widget.notify("setView", #"{"view":"flood \#(number)"}"#)
      world.clock.advance(by: .milliseconds(1))
      pictures.insert(world.picture.first ?? "")
    }
    world.pass(.milliseconds(100))
    #expect(world.picture == ["flood \(steps)"])
    #expect(pictures.count <= 30 * 2 + 2)
    #expect(pictures.count >= 50)
  }

  @Test func `a view that a newer one overtakes may even be broken`() throws {
    let world = try EngineWorld(first: #","view":"start""#)
    let widget = try world.open()
    world.pass(.seconds(1))
    widget.notify("setView", #"{"view":"first"}"#)
    widget.notify("setView", #"{"view":{"type":17}}"#)
    widget.notify("setView", #"{"view":"last"}"#)
    world.settle()
    #expect(world.picture == ["last"])
  }

  @Test func `views keep their place among other messages`() throws {
    let world = try EngineWorld(first: #","view":"start""#)
    let widget = try world.open()
    world.pass(.seconds(5))
    widget.notify("setView", #"{"view":\#(stack(5))}"#)
    widget.notify("setPreferredContentSize", #"{"height":2}"#)
    world.pass(.seconds(3))
    #expect(world.rows == 2)
    #expect(world.picture.first == "row 1")
  }

  @Test func `the page is told once of what happens at once`() throws {
    let world = try EngineWorld(first: #","view":"start""#)
    let widget = try world.open()
    world.pass(.seconds(1))
    let changes = world.changes
    widget.notify("setPreferredContentSize", #"{"height":2}"#)
    widget.notify("setLargestAvailableDisplayMode", #"{"mode":"expanded"}"#)
    widget.notify("setPreferredContentSize", #"{"height":3}"#)
    world.clock.advance(by: .zero)
    #expect(world.changes <= changes + 2)
  }

  @Test func `64 requests may be open and the next is refused`() throws {
    let world = try EngineWorld(["performAction": "{}"], first: #","view":"a""#)
    world.center.terminalHandover = { _ in }
    try world.folder.app("widgets/C.app", "com.example.C", schemes: ["clowntown"])
    let widget = try world.open()
    for number in 0..<65 {
      world.press("post")
      world.pass(.seconds(1.1), step: .seconds(1.1))
      widget.say(
        #"{"jsonrpc":"2.0","id":\#(number),"method":"openURL","params":{"url":"clowntown:1"}}"#
      )
    }
    let error = try widget.received.first { $0.kind == .error(.number(64)) }?
      .decode(WireError.self)
    #expect(error?.code == .tooManyRequests)
    #expect(!widget.received.contains { $0.kind == .error(.number(63)) })
  }
}

@Suite struct BadMessageTests {
  @Test(arguments: [
    ("nonsense", MessageID?.none, WireError.Code.parseError),
    ("[]", nil, .invalidRequest),
    (#"{"jsonrpc":"2.0","id":"x","method":"noSuchMethod"}"#, .string("x"), .methodNotFound),
    (#"{"jsonrpc":"2.0","id":"x","method":"openURL"}"#, .string("x"), .invalidParams),
    (
      #"{"jsonrpc":"2.0","id":4,"method":"openURL","params":{"url":7}}"#, .number(4),
      .invalidParams
    ),
  ])
  func `what is no good is answered with its code`(
    line: String,
    id: MessageID?,
    code: WireError.Code
  ) throws {
    let world = try EngineWorld(first: #","view":"a""#)
    let widget = try world.open()
    widget.say(line)
    let answer = try #require(widget.received.first { $0.kind == .error(id) })
    #expect(try answer.decode(WireError.self).code == code)
    #expect(world.picture == ["a"])
  }

  @Test func `a notification that is no good is not answered`() throws {
    let world = try EngineWorld(first: #","view":"a""#)
    let widget = try world.open()
    let count = widget.received.count
    widget.notify("noSuchMethod", "{}")
    widget.notify("setView", #"{"view":{"type":17}}"#)
    widget.notify("log", #"{"message":7}"#)
    world.settle()
    #expect(widget.received.count == count)
  }

  @Test func `a widget that speaks another language is ended and its picture stays`() throws {
    let world = try EngineWorld(first: #","view":"a""#)
    let widget = try world.open()
    for _ in 0..<11 { widget.say("Content-Length: 2") }
    #expect(widget.signals == [.kill])
    _ = widget.goOn()
    #expect(try world.card.state == .failed)
    #expect(try world.card.message?.string.contains("speaks another language") == true)
    #expect(world.picture == ["a"])
  }
}
