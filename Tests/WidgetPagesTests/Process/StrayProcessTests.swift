import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetSessions

/// Processes that left the group of their widget still belong to it.
@Suite(.timeLimit(.minutes(5))) struct StrayProcessTests {
  private func page(_ how: String, failures: Int = 1) throws -> RealPage {
    try RealPage("Straying", environment: ["TODAY_TEST_STRAY": how], sharesGroup: true) {
      $0.policy.restarts.failureLimit = failures
    }
  }

  /// Waits until a process has left the group.
  private func stray(_ page: RealPage) async throws -> [Int32] {
    let leader = try #require(try page.session.processGroup)
    try await eventually("a process outside the group") {
      try page.members.contains { getpgid($0) != leader }
    }
    return try page.members.filter { getpgid($0) != leader }
  }

  /// Starts the widget, and a measurement, which a silent widget would not cause.
  private func go(_ page: RealPage) throws {
    let containers = page.center.folders.containers(of: try page.card.id)
    try page.world.write("", to: "\(containers.data)/go")
    try page.session.services.resources.noteSent(to: page.card.id)
  }

  @Test("daemons are suspended and continued with their widget")
  func suspension() async throws {
    let page = try page("spin")
    try await page.appear()
    let leader = try page.session.processGroup
    try await eventually("four outside the group") {
      try page.members.count { getpgid($0) != leader } == 4
    }
    try page.disappear()
    let members = try await page.suspended()
    #expect(try page.processCount == 5)
    await eventually("all to stand still") {
      members.allSatisfy { ProcessState($0)?.letter == "T" }
    }
    let before = members.map { ProcessState($0) }
    let own = try #require(ProcessState(getpid())).ticks
    await eventually("work of our own") { (ProcessState(getpid())?.ticks ?? 0) >= own + 20 }
    #expect(members.map { ProcessState($0) } == before)
    #expect(try page.members == members)
    try page.session.handle(.appear(size: .sample, animated: false))
    await eventually("all to go on") {
      members.allSatisfy { ["R", "S"].contains(ProcessState($0)?.letter) }
    }
    await page.end()
  }

  @Test("memory of daemons counts, also while the widget sends nothing")
  func memory() async throws {
    let page = try page("grow")
    try await page.appear()
    _ = try await stray(page)
    try go(page)
    try await eventually("its end") { try page.card.state == .stopped }
    #expect(try page.card.message?.string.contains("Unable to Load (memory)") == true)
    await page.end()
  }

  @Test("processes of daemons count")
  func processes() async throws {
    let page = try page("multiply")
    try await page.appear()
    _ = try await stray(page)
    try go(page)
    try await eventually("its end") { try page.card.state == .stopped }
    #expect(try page.card.message?.string.contains("Unable to Load (too many processes)") == true)
    await page.end()
  }

  @Test("a daemon that holds an exclusive lock on a group's file ends its widget")
  func lock() async throws {
    let page = try page("lock")
    try await page.appear()
    try page.disappear()
    try await eventually("its end") { try !page.session.state.hasProcess }
    #expect(try page.log.contains("held an exclusive lock while being suspended"))
    await page.end()
  }

  @Test("the record of a run counts the CPU time of daemons")
  func time() async throws {
    let page = try page("spin")
    try await page.appear()
    let pid = try #require(try await stray(page).first)
    await eventually("some work") { (ProcessState(pid)?.ticks ?? 0) >= 40 }
    await page.end()
    let run = try #require(page.center.folders.readRuns(of: try page.card.id).last)
    #expect(run.cpuMilliseconds >= 350)
  }

  @Test("finding all processes takes less time than allowed", arguments: [1, 64])
  func cost(runs: Int) {
    let asked = Set((1...runs).map { ProcessRun(leader: -Int32($0), mark: UInt64($0)) })
    let start = threadTime
    for _ in 0..<10 { _ = ProcessGroups.members(of: asked) }
    // A hundredth of a core where it is done once a second, with some thousands of processes.
    #expect((threadTime - start) / 10 < .milliseconds(10))
  }

  /// The CPU time of this thread, to which other programs add nothing.
  private var threadTime: Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
