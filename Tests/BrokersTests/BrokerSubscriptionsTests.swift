import Foundation
import Testing
import WidgetPlatform
import WidgetTestSupport

@testable import Brokers

/// The filters that the user has subscribed to.
@Suite struct BrokerSubscriptionsTests {
  private let world: TestWorld
  private let folders: StateFolders

  init() throws {
    world = try TestWorld()
    folders = StateFolders(environment: world.environment())
  }

  private func subscription(_ filter: String, page: String? = nil) throws -> BrokerSubscription {
    BrokerSubscription(
      broker: try BrokerAddress("mqtt://me@b"),
      filter: filter,
      page: page.flatMap { PageName(rawValue: $0) }
    )
  }

  private func write(_ text: String) throws {
    try BrokerSubscriptions.change(folders, subscription("x"))
    try world.write(text, to: folders.subscriptions)
  }

  @Test func `one of the same filter is replaced, and removed whatever its page`() throws {
    try BrokerSubscriptions.change(folders, subscription("a"))
    try BrokerSubscriptions.change(folders, subscription("caf\u{E9}"))
    try BrokerSubscriptions.change(folders, subscription("a", page: "Fleet"))
    try BrokerSubscriptions.change(folders, subscription("cafe\u{301}"))
    #expect(BrokerSubscriptions.read(folders).map(\.page) == [nil, "Fleet", nil])
    try BrokerSubscriptions.change(folders, subscription("a"), isRemoved: true)
    let left = BrokerSubscriptions.read(folders).map { Array($0.filter.utf8) }
    #expect(left == [Array("caf\u{E9}".utf8), Array("cafe\u{301}".utf8)])
  }

  @Test(arguments: [
    "", "{}", "[7]", #"[{"broker": "http://b", "filter": "a"}]"#,
    #"[{"broker": "mqtt://b", "filter": "a/#/b"}]"#, #"[{"broker": "mqtt://b"}]"#,
  ])
  func `what cannot be used is left out`(text: String) throws {
    try write(text)
    #expect(BrokerSubscriptions.read(folders) == [])
  }

  @Test func `there are at most a hundred`() throws {
    let all = (0..<100).map { #"{"broker": "mqtt://b", "filter": "a/\#($0)"}"# }
    try write("[\(all.joined(separator: ", "))]")
    let error = #expect(throws: HostError.self) {
      try BrokerSubscriptions.change(folders, subscription("more"))
    }
    #expect(error?.code == .tooLarge && BrokerSubscriptions.read(folders).count == 100)
  }
}
