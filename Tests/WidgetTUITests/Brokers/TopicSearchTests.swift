import Brokers
import Testing
import WidgetKitCore
import WidgetPlatform
import WidgetScripts
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetTUI

/// What a broker has under a filter now.
@Suite struct TopicSearchTests {
  /// What a search has come to.
  private final class Ending {
    var found: [TopicSearch.Found] = []
    var troubles: [BrokerTrouble] = []
  }

  private let clock = VirtualClock()
  private let broker: FakeBroker
  private let result = Ending()

  init() throws {
    broker = try FakeBroker(clock)
    let result = result
    TopicSearch("today/#", on: broker.shared, clock: clock).start { ended in
      switch ended {
      case .success(let found): result.found.append(found)
      case .failure(let trouble): result.troubles.append(trouble)
      }
    }
  }

  private var connection: FakeBrokerConnection { get throws { try #require(broker.connection) } }

  @Test func `it ends when nothing more comes for a moment`() throws {
    try connection.connect()
    for name in ["today/b", "today/a", "today/b", "today/nas/$state"] {
      try connection.send(name, #"{"title": "T"}"#, isRetained: true)
    }
    try connection.send("today/removed", "", isRetained: true)
    clock.advance(by: .milliseconds(1_500))
    #expect(result.found.isEmpty)
    clock.advance(by: .milliseconds(500))
    #expect(result.found.map { $0.topics.map(\.name) } == [["today/a", "today/b"]])
    #expect(result.found.first?.topics.first?.title == "T")
    clock.advance(by: .seconds(10))
    #expect(result.found.count == 1)
    #expect(try connection.isStopped)
  }

  @Test func `it ends where new topics come without end`() throws {
    try connection.connect()
    var count = 0
    while result.found.isEmpty, count < 60 {
      try connection.send("today/\(count)", "x")
      clock.advance(by: .milliseconds(900))
      count += 1
    }
    #expect(count == 12)
    #expect(result.found.first?.topics.isEmpty == false)
  }

  @Test func `it ends when there are as many topics as there can be cards`() throws {
    try connection.connect()
    for number in 0..<BrokerCards.limit { try connection.send("today/\(number)", "x") }
    clock.advance(by: .seconds(1))
    #expect(result.found.first?.topics.count == BrokerCards.limit)
  }

  @Test func `topics that are too long are counted`() throws {
    try connection.connect()
    try connection.send("today/" + String(repeating: "x", count: 1_025), "x")
    clock.advance(by: .seconds(3))
    #expect(result.found.first?.omitted == 1 && result.found.first?.topics.isEmpty == true)
  }

  @Test func `names that look alike are two topics`() throws {
    try connection.connect()
    try connection.send("today/caf\u{E9}", "x")
    try connection.send("today/cafe\u{301}", "x")
    clock.advance(by: .seconds(3))
    #expect(result.found.first?.topics.count == 2)
  }

  @Test func `a broker that cannot be used ends it with the reason`() throws {
    try connection.lose("Connection refused")
    #expect(result.troubles.map(\.kind) == [.network] && result.found.isEmpty)
  }

  @Test func `a filter that the broker refuses ends it with the reason`() throws {
    try connection.connect()
    try connection.onSubscribed("today/#", nil)
    #expect(result.troubles.isEmpty)
    try connection.onSubscribed("today/#", "the broker does not allow it")
    #expect(result.troubles.first?.words.string.contains("does not allow it") == true)
    clock.advance(by: .seconds(20))
    #expect(result.found.isEmpty && result.troubles.count == 1)
  }
}
