import Brokers
import Foundation
import Testing
import WidgetKitCore
import WidgetScripts
import WidgetTestSupport

@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetTUI

/// The cards of topics: a script for each, and its place on a page.
@Suite struct BrokerCardsTests {
  private let world: TestWorld
  private let address: BrokerAddress
  private let page = PageName(rawValue: "Fleet")

  init() throws {
    world = try TestWorld()
    address = try BrokerAddress("mqtt://b")
  }

  private func cards(_ configuration: String = "{}") -> BrokerCards {
    var options = CommonOptions()
    options.environment = world.environment()
    let user = UserConfiguration(bytes: Array(configuration.utf8), path: "config.json")
    #expect(user.problems == [])
    return BrokerCards(options, user.settings)
  }

  private func topics(_ names: String...) -> [BrokerCards.Topic] {
    names.map { BrokerCards.Topic(name: $0) }
  }

  private var folder: String { "\(world.path)/data/today/scripts" }
  private var scripts: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  @Test func `each topic has a card once, and one that was removed does not come back`() throws {
    let first = try cards().add(topics("a", "b", "a"), on: address, to: page)
    #expect(first.added.count == 2 && first.known == 1 && scripts.count == 2)
    let second = try cards().add(topics("b", "c"), on: address, to: page)
    #expect(second.added.count == 1 && second.known == 1 && scripts.count == 3)
  }

  @Test func `a topic that cannot have a card is named with the reason`() throws {
    let long = String(repeating: "a", count: 1_025)
    let outcome = try cards().add(topics(long, "a/+", "x<y", "ok"), on: address, to: page)
    #expect(outcome.added.count == 1)
    #expect(outcome.refused.map(\.topic) == [long, "a/+", "x<y"])
  }

  @Test func `there are at most as many cards as config_json allows`() throws {
    let cards = cards("{ limits: { widgets: 5 } }")
    let outcome = try cards.add(topics("1", "2", "3", "4", "5", "6", "7"), on: address, to: page)
    #expect(outcome.added.count <= 5 && outcome.omitted == 7 - outcome.added.count)
  }

  @Test func `on a page of config_json nothing is written, so that topics can have cards later`()
    throws
  {
    let declared = cards("{ pages: [{ name: 'Fleet', cards: ['org.today.Clock'] }] }")
    let error = #expect(throws: HostError.self) {
      try declared.add(topics("a", "b"), on: address, to: page)
    }
    #expect(error?.code == .fixed && scripts == [])
    let outcome = try cards().add(topics("a", "b"), on: address, to: page)
    #expect(outcome.added.count == 2)
  }

  @Test func `without space no script is left, so that topics can have cards later`() throws {
    let second = BrokerScript.script("b", on: address)
    let obstacle = "\(folder)/\(second.name).sh"
    // Nothing can be written in the place of a folder.
    try FileManager.default.createDirectory(
      atPath: "\(obstacle)/x",
      withIntermediateDirectories: true
    )
    #expect(throws: HostError.self) {
      try cards().add(topics("a", "b"), on: address, to: page)
    }
    #expect(scripts == ["\(second.name).sh"])
    try FileManager.default.removeItem(atPath: obstacle)
    #expect(try cards().add(topics("a", "b"), on: address, to: page).added.count == 2)
  }
}
