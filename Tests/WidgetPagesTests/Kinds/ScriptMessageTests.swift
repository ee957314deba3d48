import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetSessions

/// A script and the page exchange values in one process: no line is written, and none is read.
@Suite struct ScriptMessageTests {
  @Test func `a trace has the lines that a program would have exchanged`() async throws {
    let scripts = try ScriptWorld(["hello.sh": "#!/bin/sh\necho hello\n"])
    let path = "\(scripts.world.path)/trace"
    try scripts.open { $0.tracePath = path }
    await eventually("its row") { (try? scripts.rows("hello")) == ["hello"] }
    await scripts.end()
    let trace = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    let messages = trace.compactMap { line -> String? in
      guard let place = line.firstRange(of: #""message":"#) else { return nil }
      return (line.contains(#""direction":"to""#) ? "→ " : "← ")
        + line[place.upperBound...].dropLast()
    }
    #expect(messages.first?.hasPrefix(#"→ {"id":1,"jsonrpc":"2.0","method":"initialize""#) == true)
    #expect(
      messages.contains { $0.hasPrefix(#"← {"id":1,"jsonrpc":"2.0","result":{"#) },
      "\(messages)"
    )
    let update = try #require(messages.last { $0.contains("newData") })
    let line = try IncomingLine(Array(update.dropFirst(2).utf8)[...])
    let reply = try line.decode(WidgetPerformUpdateRequest.Reply.self)
    #expect(reply.content.view?.texts == ["hello"])
  }

  @Test func `without a trace its messages have names and no bytes`() async throws {
    let scripts = try ScriptWorld(["hello.sh": "#!/bin/sh\necho hello\n"])
    try scripts.open()
    await eventually("its row") { (try? scripts.rows("hello")) == ["hello"] }
    let card = try scripts.card("hello").id
    let session = try #require(scripts.center?.page[card]?.session)
    let messages = session.messages.messages
    #expect(messages.prefix(2).map(\.text) == ["initialize", "answer to initialize"])
    #expect(messages.contains { $0.text == "answer to widgetPerformUpdate" })
    #expect(messages.allSatisfy { $0.byteCount == 0 })
    #expect(session.run?.bytesSent == 0 && session.run?.bytesReceived == 0)
    await scripts.end()
  }

  @Test func `a view beyond the limits is refused, and the card says which`() async throws {
    let scripts = try ScriptWorld(["long.sh": "#!/bin/sh\nprintf 'a\\nb\\nc\\n'\n"])
    try scripts.open { $0.limits.view.nodes = 3 }
    await eventually("its trouble") { (try? scripts.trouble("long"))?.isEmpty == false }
    #expect(try scripts.trouble("long").contains("3 is the limit for nodes, found 4"))
    await scripts.end()
  }

  private static let limits = ViewLimits(
    depth: 3,
    nodes: 6,
    gridRows: 2,
    gridColumns: 2,
    textBytes: 8
  )

  @Test(arguments: [
    #""12345678""#, #""123456789""#,
    #"{"type":"vstack","children":["a","b","c","d","e"]}"#,
    #"{"type":"vstack","children":["a","b","c","d","e","f"]}"#,
    #"{"type":"text","text":[{"text":"a"},{"text":"b"},{"text":"c"}]}"#,
    #"{"type":"hstack","children":[{"type":"hstack","children":["a"]}]}"#,
    #"{"type":"hstack","children":[{"type":"hstack","children":[{"type":"fold","label":"a"}]}]}"#,
    #"{"type":"grid","rows":[["a","b"],["c","d"]]}"#,
    #"{"type":"grid","rows":[["a","b","c"]]}"#,
    #"{"type":"grid","rows":[["a"],["b"],["c"]]}"#,
    #"{"type":"grid","columns":[{},{},{}]}"#,
  ])
  func `a view that was not decoded has the limits of one that was`(json: String) throws {
    let bytes = Array(#"{"jsonrpc":"2.0","method":"setView","params":{"view":\#(json)}}"#.utf8)
    let line = try IncomingLine(bytes[...])
    let view = try line.decode(SetViewNotification.self).view
    let decoded = Result { () throws(WireError) in
      _ = try line.decode(SetViewNotification.self, limits: Self.limits)
    }
    let checked = Result { () throws(ViewLimitError) in try ViewBudget(Self.limits).check(view) }
    switch (decoded, checked) {
    case (.success, .success): break
    case (.failure(let error), .failure(let limit)): #expect(error.message == "params: \(limit)")
    case (.failure, .success), (.success, .failure): Issue.record("\(decoded), \(checked)")
    }
  }
}
