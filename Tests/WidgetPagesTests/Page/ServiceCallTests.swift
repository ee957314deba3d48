import Testing
import WidgetKitCore
import WidgetTesting

@testable import WidgetCards
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetSessions

/// Requests that the session passes on, and that are answered later.
@Suite struct ServiceCallTests {
  private let request =
    #"{"jsonrpc":"2.0","id":"k","method":"setHasContent","params":{"flag":false,"bundleIdentifier":"com.example.A"}}"#

  /// A page whose widget has made a request, and the call, which is not answered.
  private func asking() throws -> (EngineWorld, ServiceCall) {
    let world = try EngineWorld(first: #","view":"a""#)
    let widget = try world.open()
    var calls: [ServiceCall] = []
    try session(world).onRequest = { _, call in calls.append(call) }
    widget.say(request)
    world.settle()
    #expect(try answers(world).isEmpty)
    return (world, try #require(calls.first))
  }

  private func session(_ world: EngineWorld) throws -> WidgetSession {
    try #require(world.center.page[EngineWorld.id]?.session)
  }

  private func answers(_ world: EngineWorld) throws -> [IncomingLine.Kind] {
    try world.widget.received.map(\.kind).filter {
      [.result(.string("k")), .error(.string("k"))].contains($0)
    }
  }

  @Test func `only the first answer to a request is sent`() throws {
    let (world, call) = try asking()
    call.answer(with: SetHasContentRequest.Reply())
    call.answer(refusal: WireError(code: .internalError, message: "late"))
    #expect(try answers(world) == [.result(.string("k"))])
    // The same identifier can be used again.
    try world.widget.say(request)
    call.answer(refusal: WireError(code: .internalError, message: "again"))
    #expect(try answers(world) == [.result(.string("k")), .error(.string("k"))])
  }

  @Test func `a request of a process that has ended is not answered to the next one`() throws {
    let (world, call) = try asking()
    try session(world).handle(.violation("too large"))
    world.pass(.seconds(5))
    try #require(world.runs.count == 2)
    // The new process has a request open with the same identifier.
    try world.widget.say(request)
    call.answer(with: SetHasContentRequest.Reply())
    world.settle()
    #expect(try answers(world).isEmpty)
    #expect(!world.runs[0].received.map(\.kind).contains(.result(.string("k"))))
  }

  @Test func `requests that wait for an answer count as open ones`() throws {
    let (world, _) = try asking()
    let limit = world.center.configuration.limits.openRequests
    for number in 1...limit {
      try world.widget.say(request.replacing(#""k""#, with: "\(number)"))
    }
    world.settle()
    let refused = try world.widget.received.filter { $0.kind == .error(.number(limit)) }
    #expect(try #require(refused.first).decode(WireError.self).code == .tooManyRequests)
    #expect(refused.count == 1)
  }
}
