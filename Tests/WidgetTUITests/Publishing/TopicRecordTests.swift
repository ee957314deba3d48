import Foundation
import Testing
import WidgetPlatform

@testable import WidgetTUI

/// What a broker may have of pages.
@Suite struct TopicRecordTests {
  private let folder: String
  private var environment: [String: String] { ["HOME": folder, "XDG_STATE_HOME": folder] }
  private let now = Date(timeIntervalSince1970: 1_795_176_000)

  init() throws {
    folder = "/tmp/today-topics-\(UInt64.random(in: 0 ... .max))"
    try FileManager.default.createDirectory(
      atPath: folder,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
  }

  private func remove() { try? FileManager.default.removeItem(atPath: folder) }

  private func record(_ key: String, _ page: String = "Home") -> TopicRecord {
    TopicRecord(key: key, page: page, broker: "mqtt://b", environment: environment)
  }

  private func other(than key: String, _ state: String, at broker: String = "mqtt://b") -> String? {
    TopicRecord.otherPage(
      than: key,
      under: state,
      at: broker,
      environment: environment,
      now: now
    )
  }

  @Test func `it is there again in the next run, for the same broker alone`() {
    defer { remove() }
    var first = record("one")
    #expect(first.topics.isEmpty && first.state == nil)
    (first.topics, first.state) = (["today/nas/good"], "today/nas/$state")
    first.store(key: "one", environment: environment)
    #expect(record("one") == first)
    let elsewhere = TopicRecord(
      key: "one",
      page: "Home",
      broker: "mqtt://c",
      environment: environment
    )
    #expect(elsewhere.topics.isEmpty)
  }

  @Test func `another page of which the broker has cards under the name is found`() {
    defer { remove() }
    #expect(other(than: "two", "today/nas/$state") == nil)
    var first = record("one")
    (first.topics, first.state) = (["today/nas/good"], "today/nas/$state")
    first.end = now.addingTimeInterval(60)
    first.store(key: "one", environment: environment)
    #expect(other(than: "two", "today/nas/$state") == "Home")
    #expect(other(than: "one", "today/nas/$state") == nil)
    #expect(other(than: "two", "today/desk/$state") == nil)
    #expect(other(than: "two", "today/nas/$state", at: "mqtt://c") == nil)
    first.end = now.addingTimeInterval(-1)
    first.store(key: "one", environment: environment)
    #expect(other(than: "two", "today/nas/$state") == nil)
  }
}
