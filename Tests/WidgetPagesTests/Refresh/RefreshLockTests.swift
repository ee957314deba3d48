import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore
import WidgetTestSupport
import WidgetTesting

@testable import EngineTestSupport
@testable import PageRecords
@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetPlatform

/// A lock counts while a program like this one holds it.
@Suite(.timeLimit(.minutes(5))) struct RefreshLockTests {
  /// Runs a shell as a widget would, in a folder that it can name.
  private func shell(_ command: String, in world: TestWorld) throws -> ChildProcess {
    try ChildProcess(
      LaunchDescription(
        program: "/bin/sh",
        arguments: ["-c", command],
        environment: world.environment(),
        folder: world.path
      ),
      .widget
    ) { _ in }
  }

  /// Another process that holds the lock at this path, in one of several ways.
  private func hold(_ path: String, _ command: String, in world: TestWorld) async throws
    -> ChildProcess
  {
    let child = try shell(command, in: world)
    await eventually("the lock to be taken") {
      let file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      defer { close(file) }
      return flock(file, LOCK_EX | LOCK_NB) != 0
    }
    return child
  }

  private nonisolated static let byWidget = "exec flock lock sleep 600"
  private nonisolated static let byLostProcess = "exec 9>lock; flock 9; exec sleep 600"

  @Test("a lock that this program holds is busy")
  func ownLock() throws {
    let world = try TestWorld()
    guard case .held(let lock) = RefreshLock.attempt("\(world.path)/lock") else {
      Issue.record("the lock is not free")
      return
    }
    guard case .busy = RefreshLock.attempt("\(world.path)/lock") else {
      Issue.record("the lock is not busy")
      return
    }
    withExtendedLifetime(lock) {}
  }

  @Test("a lock that a widget holds is foreign, and its holder is named")
  func foreignLock() async throws {
    let world = try TestWorld()
    let path = "\(world.path)/lock"
    let child = try await hold(path, Self.byWidget, in: world)
    guard case .foreign(let words) = RefreshLock.attempt(path) else {
      Issue.record("the lock counts")
      return
    }
    #expect(words.hasPrefix("process ") && words.hasSuffix("(flock)"), "\(words)")
    child.signal(SIGKILL)
  }

  @Test("a scheduled update is made although a widget holds its lock")
  func starvedUpdate() async throws {
    let world = try EngineWorld(["widgetPerformUpdate": #"{"result":"noData","refreshAfter":60}"#])
    try world.open()
    let path = "\(world.center.folders.locks)/com.example.A.lock"
    let files = try TestWorld()
    let child = try await hold(
      path,
      Self.byWidget.replacing("lock sleep", with: "'\(path)' sleep"),
      in: files
    )
    world.pass(.seconds(70), step: .seconds(1))
    #expect(world.updates.count == 2)
    let log = try world.center.folders.readLog(of: world.card.id) ?? ""
    #expect(log.contains("updated without the lock: it is held by process "), "\(log)")
    child.signal(SIGKILL)
  }

  @Test("a lock that is never released delays an update by a minute, once")
  func boundedPatience() throws {
    let world = try EngineWorld(["widgetPerformUpdate": #"{"result":"noData","refreshAfter":60}"#])
    try world.open()
    let path = "\(world.center.folders.locks)/com.example.A.lock"
    guard case .held(let lock) = RefreshLock.attempt(path) else {
      Issue.record("the lock is not free")
      return
    }
    world.pass(.seconds(110), step: .seconds(1))
    #expect(world.updates.count == 1)
    world.pass(.seconds(15), step: .seconds(1))
    #expect(world.updates.count == 2)
    world.pass(.seconds(62), step: .seconds(1))
    #expect(world.updates.count == 3)
    let log = try world.center.folders.readLog(of: world.card.id) ?? ""
    #expect(log.contains("updated without the lock: another process has held it"), "\(log)")
    withExtendedLifetime(lock) {}
  }

  @Test(
    "the page can be changed although a program that is not a host holds the lock",
    arguments: [byWidget, byLostProcess]
  )
  func page(command: String) async throws {
    let world = try TestWorld()
    let path = "\(world.path)/page.json"
    let child = try await hold(
      "\(path).lock",
      command.replacing("lock sleep", with: "page.json.lock sleep")
        .replacing(">lock", with: ">page.json.lock"),
      in: world
    )
    try PageRecord.change(path, within: .milliseconds(50)) { _ in PageRecord(cards: []) }
    #expect(PageRecord.read(path) == PageRecord(cards: []))
    child.signal(SIGKILL)
  }

  @Test("lines of /proc/locks about other files or waiting processes are ignored")
  func lines() {
    let line = "2: FLOCK  ADVISORY  WRITE 1234 fe:00:567 0 EOF"
    #expect(LockHolder.holder(line, ofFile: 567) == 1234)
    #expect(LockHolder.holder(line, ofFile: 56) == nil)
    #expect(LockHolder.holder("2: -> FLOCK ADVISORY WRITE 1 fe:00:567 0 EOF", ofFile: 567) == nil)
    #expect(LockHolder.holder("2: POSIX  ADVISORY  WRITE 1 fe:00:567 0 EOF", ofFile: 567) == nil)
    #expect(LockHolder.holder("", ofFile: 567) == nil)
  }
}
