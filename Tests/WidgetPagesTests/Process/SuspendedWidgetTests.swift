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

@Suite(.timeLimit(.minutes(5))) struct SuspendedWidgetTests {
  @Test("a hidden widget and what it started use no CPU time at all")
  func noTime() async throws {
    let page = try RealPage("Busy")
    try await page.appear()
    try page.disappear()
    let members = try await page.suspended()
    #expect(try page.processCount == 2)
    await eventually("both to stand still") {
      members.allSatisfy { ProcessState($0)?.letter == "T" }
    }
    let before = members.map { ProcessState($0) }
    // A fifth of a second of work elsewhere: the time in which a busy widget would have worked too.
    let start = ContinuousClock.now
    let own = try #require(ProcessState(getpid())).ticks
    await eventually("work of our own") {
      (ProcessState(getpid())?.ticks ?? 0) >= own + 20
        || start.duration(to: .now) > .seconds(2)
    }
    #expect(members.map { ProcessState($0) } == before)
    await page.end()
  }

  @Test("a suspended widget continues with its state")
  func goesOn() async throws {
    let page = try RealPage("Busy")
    try await page.appear()
    try page.disappear()
    let members = try await page.suspended()
    try page.session.handle(.update(.schedule))
    try await eventually("an update") { try page.session.state.update == nil }
    #expect(try page.members == members)
    #expect(try await page.suspended() == members)
    try page.session.handle(.appear(size: .sample, animated: false))
    #expect(try page.session.state.appearance == .on)
    await eventually("both to go on") {
      members.allSatisfy { ["R", "S"].contains(ProcessState($0)?.letter) }
    }
    await page.end()
  }

  @Test("a suspended widget receives shutdown and exits")
  func endsWell() async throws {
    let page = try RealPage("Good")
    try await page.appear()
    try page.disappear()
    _ = try await page.suspended()
    await page.end()
    #expect(try page.log.contains("ended: exit 0"))
  }

  @Test("a suspended widget that is killed is collected like any other")
  func killed() async throws {
    let page = try RealPage("Good")
    try await page.appear()
    try page.disappear()
    _ = try await page.suspended()
    try page.controller.tell(.deadline(.terminate))
    try await eventually("its end") { try !page.session.state.hasProcess }
    #expect(page.world.processesLeft().isEmpty)
    await page.end()
  }

  @Test("widgets are suspended before the host, and continued after it")
  func pause() async throws {
    let page = try RealPage("Busy")
    try await page.appear()
    let members = try page.members
    var isStill = false
    page.center.suspend { isStill = true }
    await eventually("the page to stand still") { isStill }
    #expect(try page.session.state.isAtRest)
    await eventually("all to stand still") {
      members.allSatisfy { ProcessState($0)?.letter == "T" }
    }
    page.center.resume()
    await eventually("all to go on") {
      members.allSatisfy { ["R", "S"].contains(ProcessState($0)?.letter) }
    }
    #expect(try page.session.state.appearance == .on)
    await page.end()
  }

  @Test(
    "a widget that holds an exclusive lock on a file of a group is ended instead of suspended",
    arguments: ["flock", "posix", "child"]
  )
  func exclusiveLock(how: String) async throws {
    let page = try RealPage(
      "Locking",
      environment: ["TODAY_TEST_LOCK": how],
      sharesGroup: true
    )
    try await page.appear()
    try page.disappear()
    try await eventually("its end") { try !page.session.state.hasProcess }
    let words = "held an exclusive lock while being suspended"
    #expect(try page.card.message?.string == "Unable to Load: \(words)")
    #expect(try page.card.view != nil)
    let file = "\(page.world.path)/data/today/groups/group.example/store"
    #expect(try page.log.contains("\(words): \(file)"))
    await page.end()
  }

  @Test(
    "a shared lock or a lock on a file of its own does not prevent suspension",
    arguments: ["shared", "own"]
  )
  func otherLock(how: String) async throws {
    let page = try RealPage(
      "Locking",
      environment: ["TODAY_TEST_LOCK": how],
      sharesGroup: true
    )
    StateFolders.make(page.center.folders.groups)
    try await page.appear()
    try page.disappear()
    _ = try await page.suspended()
    #expect(try page.processCount == 1)
    await page.end()
  }

  @Test(
    "memory of the whole group counts: first a warning, then the end; the content stays",
    arguments: ["", "memfd", "sealed", "shared", "sockets", "waiting"]
  )
  func memory(kind: String) async throws {
    let page = try RealPage("Hungry", environment: ["TODAY_TEST_MEMORY": kind]) {
      $0.policy.restarts.failureLimit = 1
      // A sandbox refuses files in memory, and its own /dev/shm has no room for so much.
      if ["memfd", "sealed", "shared"].contains(kind) { $0.sandbox = .off }
    }
    try await page.appear()
    // Two and a half times 24 MiB are the limit, and a process in Python has some.
    let first = kind.isEmpty ? 2 : 3
    for _ in 0..<first { try page.session.handle(.press(PerformActionRequest(action: "more"))) }
    await eventually("a warning") { page.text == "warned" }
    for _ in 0..<4 { try page.session.handle(.press(PerformActionRequest(action: "more"))) }
    try await eventually("its end") { try page.card.state == .stopped }
    #expect(try page.card.message?.string.contains("Unable to Load (memory)") == true)
    #expect(page.text == "warned")
    #expect(try page.log.contains("memory: "))
    await page.end()
  }

  /// Lets a widget take memory; returns its run, how many bytes it uses, and how many it used before.
  private func takeMore(
    _ page: RealPage
  ) async throws -> (run: ProcessRun, use: () -> UInt64, before: UInt64) {
    try await page.appear()
    let run = try #require(try page.session.processRun)
    let use = { ProcessGroups.use(of: [run], threshold: 0)[run]?.bytes ?? 0 }
    let before = use()
    try page.session.handle(.press(PerformActionRequest(action: "more")))
    return (run, use, before)
  }

  @Test(
    "files in /tmp and /dev/shm of the sandbox count, also those that have a name",
    arguments: ["/tmp", "/dev/shm"]
  )
  func temporaryFiles(folder: String) async throws {
    let page = try RealPage("Hungry", environment: ["TODAY_TEST_MEMORY": folder])
    let (_, use, before) = try await takeMore(page)
    await eventually("the memory") { use() > before + 11 << 20 }
    #expect(use() < before + 16 << 20)
    // There is no room for a second part: the system refuses it.
    try page.session.handle(.press(PerformActionRequest(action: "more")))
    try await eventually("what the system says") { try page.log.contains("No space left") }
    #expect(use() < before + 20 << 20)
    await page.end()
  }

  @Test("a file in memory that two processes have open and mapped counts once")
  func sharedMemory() async throws {
    let page = try RealPage("Hungry", environment: ["TODAY_TEST_MEMORY": "twice"]) {
      $0.sandbox = .off
    }
    let (run, use, before) = try await takeMore(page)
    await eventually("the second process") {
      (ProcessGroups.use(of: [run], threshold: 0)[run]?.processes ?? 0) == 3
    }
    await eventually("the memory") { use() > before + 23 << 20 }
    #expect(use() < before + 40 << 20)
    await page.end()
  }

  @Test(
    "a file that is deleted and still open or mapped counts for its container",
    arguments: ["deleted", "mapped"]
  )
  func deletedFile(kind: String) async throws {
    let page = try RealPage("Hungry", environment: ["TODAY_TEST_MEMORY": kind])
    try await page.appear()
    let measure = ContainerStorage.measure(page.center.folders)
    let (id, run) = (try page.session.id, try #require(try page.session.processRun))
    func bytes() async -> UInt64 {
      await withCheckedContinuation { done in
        measure([id: run]) { done.resume(returning: $0[id] ?? 0) }
      }
    }
    let before = await bytes()
    for _ in 0..<3 { try page.session.handle(.press(PerformActionRequest(action: "more"))) }
    var found = before
    let deadline = ContinuousClock.now + .seconds(20)
    while found < before + 72 << 20, ContinuousClock.now < deadline { found = await bytes() }
    #expect(found >= before + 72 << 20)
    #expect(found < before + 80 << 20)
    await page.end()
  }
}
