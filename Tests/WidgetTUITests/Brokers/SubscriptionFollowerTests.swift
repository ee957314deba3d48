import Brokers
import Foundation
import Testing
import WidgetKitCore
import WidgetPlatform
import WidgetTestSupport
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetScripts
@testable import WidgetTUI

/// Cards of the topics of subscriptions, as they appear.
@Suite struct SubscriptionFollowerTests {
  private let world: TestWorld
  private let clock = VirtualClock()
  private let broker: FakeBroker
  private let follower: SubscriptionFollower

  init() throws {
    let world = try TestWorld()
    self.world = world
    let broker = try FakeBroker(clock)
    self.broker = broker
    var options = CommonOptions()
    options.environment = world.environment()
    follower = SubscriptionFollower(options, clock: clock) { _ in broker.shared }
  }

  private func change(_ filter: String, isRemoved: Bool = false) throws {
    try BrokerSubscriptions.change(
      StateFolders(environment: world.environment()),
      BrokerSubscription(broker: broker.shared.address, filter: filter, page: nil),
      isRemoved: isRemoved
    )
  }

  private var scripts: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "\(world.path)/data/today/scripts"))?
      .count ?? 0
  }

  @Test func `new topics become cards, until the subscription is removed`() async throws {
    try change("today/#")
    follower.start()
    let connection = try #require(broker.connection)
    #expect(connection.requests == ["+ today/#"])
    connection.connect()
    connection.send("today/a", "x")
    connection.send("today/b", "x")
    clock.advance(by: .seconds(1))
    await eventually("the cards") { scripts == 2 }
    try change("sensors/+")
    await eventually("the other subscription") { connection.requests.contains("+ sensors/+") }
    try change("today/#", isRemoved: true)
    await eventually("the end of the first one") { connection.requests.contains("- today/#") }
    #expect(connection.requests.count == 3)
  }

  @Test func `without subscriptions there is no connection`() {
    follower.start()
    #expect(broker.connections.isEmpty)
  }
}
