import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetSessions

/// Limits on the processes and files of a real widget.
@Suite(.timeLimit(.minutes(5))) struct ResourceLimitTests {
  /// Presses a number of times, each after the previous answer.
  private func press(_ page: RealPage, times: Int) async throws {
    for _ in 0..<times {
      try page.session.handle(.press(PerformActionRequest(action: "more")))
      try await eventually("an answer") {
        try page.session.connection?.reader.awaitsAnswers != true
      }
    }
  }

  @Test("a widget with too many processes is ended with all of them")
  func processes() async throws {
    let page = try RealPage("Multiplying") {
      $0.limits.resources.processes = 4
      $0.policy.restarts.failureLimit = 1
    }
    try await page.appear()
    try await press(page, times: 3)
    try await eventually("a look at what it holds") { try page.processCount == 4 }
    let members = try page.members
    #expect(try page.card.state == .live)
    try await press(page, times: 1)
    try await eventually("its end") { try page.card.state == .stopped }
    #expect(try page.card.message?.string.contains("too many processes") == true)
    #expect(try page.log.contains("processes: 5, the limit is 4"))
    await eventually("the end of all of them") {
      members.allSatisfy { ProcessState($0) == nil || ProcessState($0)?.letter == "Z" }
    }
    #expect(page.text == "multiplying")
    await page.end()
  }

  @Test("a widget whose container is full is ended, and its content stays")
  func container() async throws {
    let page = try RealPage("Hoarding") {
      $0.limits.resources.containerBytes = 3 << 20
      $0.policy.restarts.failureLimit = 1
    }
    try await page.appear()
    try await press(page, times: 2)
    try await eventually("its end") { try page.card.state == .stopped }
    #expect(try page.card.message?.string.contains("storage full") == true)
    #expect(try page.log.contains("storage: its container uses 4 MiB, the limit is 3 MiB"))
    #expect(page.text == "hoarding")
    await page.end()
  }

  @Test("a bundle may request up to four times the address space", arguments: [0, 1, 4, 5])
  func addressSpace(gibibytes: Int) throws {
    let folder = try BundleFolder()
    let wish = gibibytes == 0 ? "" : "TodayAddressSpace = \(gibibytes << 30);"
    try folder.widget("A.widget", "com.example.A", attributes: wish)
    guard gibibytes < 5 else {
      #expect(throws: BundleError.self) { try WidgetBundle(path: "\(folder.path)/A.widget") }
      return
    }
    let bundle = try WidgetBundle(path: "\(folder.path)/A.widget")
    let limits = ProcessLimits().granting(bundle.infoPlist.widgetExtension?.addressSpace)
    #expect(limits.memoryBytes == UInt64(max(1, gibibytes)) << 30)
    #expect(limits.descriptors == ProcessLimits().descriptors)
  }
}
