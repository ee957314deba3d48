import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore
import WidgetTestSupport
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetSessions

/// The coordinated accesses of one process, with a virtual clock.
@Suite(.timeLimit(.minutes(5))) struct FileCoordinationTests {
  /// The answers, in words.
  private final class Owner: SharedDataAccessOwner {
    private(set) var answers: [String] = []

    func answer(_ answer: Result<SharedDataAnswer, WireError>, to id: MessageID) {
      switch answer {
      case .success(.access(let token)): answers.append("token \(token)")
      case .success: answers.append("something else")
      case .failure(let error): answers.append("\(error)")
      }
    }

    func sharedDataHasTrouble(_ error: WireError) {
      answers.append("\(error)")
    }

    func sharedDataDidChange(_ change: SharedDataChange) {}
  }

  private let world: TestWorld
  private let folders: StateFolders
  private let clock = VirtualClock()
  private let owner = Owner()

  init() throws {
    world = try TestWorld()
    folders = StateFolders(environment: world.environment())
  }

  private var path: String { folders.group("group.a") + "/notes" }

  private func coordination() -> FileCoordination {
    FileCoordination(owner: owner, groups: ["group.a"], folders: folders, clock: clock)
  }

  private func lock(_ intent: CoordinationIntent) throws -> CoordinationLock {
    let file = try CoordinatedFile(path, groups: ["group.a"], folders: folders)
    return try CoordinationLock(file, for: intent)
  }

  private func begin(
    _ coordination: FileCoordination,
    _ intent: CoordinationIntent,
    _ id: Int,
    path: String? = nil
  ) {
    coordination.begin(
      CoordinateBeginRequest(path: path ?? self.path, intent: intent),
      .number(id)
    )
  }

  @Test func `an access lasts until it is ended, and the next is granted then`() async throws {
    let (one, two) = (coordination(), coordination())
    begin(one, .write, 1)
    await eventually("the access") { owner.answers == ["token 1"] }
    begin(two, .read, 2)
    try await untilWaiting(two)
    clock.advance(by: .seconds(5))
    #expect(owner.answers == ["token 1"])
    one.end(1)
    clock.advance(by: .milliseconds(20))
    #expect(owner.answers == ["token 1", "token 1"])
    two.end(7)
    #expect(owner.answers.last?.contains("no coordinated access has the number 7") == true)
  }

  @Test func `whoever waits for ten seconds is refused`() async throws {
    let other = try lock(.write)
    #expect(try other.attempt())
    let coordination = coordination()
    begin(coordination, .read, 1)
    try await untilWaiting(coordination)
    clock.advance(by: .seconds(9))
    #expect(owner.answers.isEmpty)
    clock.advance(by: .seconds(2))
    #expect(
      owner.answers == [
        "\(path): another program is writing it, and has not ended within 10 s; try again (-32004)"
      ]
    )
    withExtendedLifetime(other) {}
  }

  @Test func `a process does not wait for itself, and not for more than it may`() async throws {
    let coordination = coordination()
    begin(coordination, .read, 1)
    await eventually("the access") { owner.answers == ["token 1"] }
    begin(coordination, .read, 2)
    await eventually("a second one") { owner.answers == ["token 1", "token 2"] }
    begin(coordination, .write, 3)
    await eventually("the refusal") { owner.answers.count == 3 }
    #expect(owner.answers[2].contains("this process has an access already, token "))
    for number in 3...FileCoordination.limit { begin(coordination, .read, 100 + number) }
    await eventually("all that it may have") { owner.answers.count == 17 }
    begin(coordination, .read, 4)
    #expect(owner.answers.last == "16 coordinated accesses are open, the limit (-32004)")
  }

  @Test func `a suspended process has no access and gets none`() async throws {
    let other = try lock(.write)
    #expect(try other.attempt())
    let coordination = coordination()
    begin(coordination, .read, 1)
    try await untilWaiting(coordination)
    #expect(coordination.suspend() == nil)
    begin(coordination, .read, 2)
    #expect(owner.answers.count == 2)
    #expect(owner.answers.allSatisfy { $0.contains("suspended while it waited") })
    clock.advance(by: .seconds(20))
    #expect(owner.answers.count == 2)
    coordination.resume()
    begin(coordination, .read, 3, path: folders.group("group.a") + "/other")
    await eventually("the access") { owner.answers.last == "token 1" }
    #expect(coordination.suspend() == folders.group("group.a") + "/other")
    withExtendedLifetime(other) {}
  }

  @Test func `the accesses of a process end with it`() async throws {
    var coordination: FileCoordination? = coordination()
    if let coordination { begin(coordination, .write, 1) }
    await eventually("the access") { owner.answers == ["token 1"] }
    #expect(try !lock(.read).attempt())
    coordination = nil
    #expect(try lock(.read).attempt())
  }

  /// Waits until a process waits for others, so that it has a timer.
  private func untilWaiting(_ coordination: FileCoordination) async throws {
    await eventually("a process that waits") { coordination.isWaiting }
  }
}

/// Coordinated access of a real widget in an app.
@Suite(.timeLimit(.minutes(5))) struct CoordinatingWidgetTests {
  private func page() async throws -> (RealPage, String) {
    let page = try RealPage("Sharing", sharesGroup: true)
    try await page.appear()
    return (page, page.center.folders.group("group.example") + "/notes")
  }

  private func lock(_ intent: CoordinationIntent, _ page: RealPage, _ path: String) throws
    -> CoordinationLock
  {
    let folders = page.center.folders
    let file = try CoordinatedFile(path, groups: ["group.example"], folders: folders)
    return try CoordinationLock(file, for: intent)
  }

  private func begin(_ intent: String, _ path: String, _ page: RealPage) throws {
    try press(
      #"{"id":1,"method":"coordinateBegin","params":{"path":"\#(path)","intent":"\#(intent)"}}"#,
      page
    )
  }

  private func press(_ action: String, _ page: RealPage) throws {
    try page.session.handle(.press(PerformActionRequest(action: action)))
  }

  @Test func `a widget and others wait for each other`() async throws {
    let (page, path) = try await page()
    var other: CoordinationLock? = try lock(.write, page, path)
    #expect(try other?.attempt() == true)
    try begin("write", path, page)
    other = nil
    await eventually("the access") { page.text == #"result:{"token":1}"# }
    let next = try lock(.read, page, path)
    #expect(try !next.attempt())
    try press(#"{"method":"coordinateEnd","params":{"token":1}}"#, page)
    try await eventually("the end") { try next.attempt() }
    await page.end()
    withExtendedLifetime(other) {}
  }

  @Test func `an access ends with a widget that is killed`() async throws {
    let (page, path) = try await page()
    try begin("write", path, page)
    await eventually("the access") { page.text == #"result:{"token":1}"# }
    let next = try lock(.write, page, path)
    #expect(try !next.attempt())
    for pid in try page.members { kill(pid, SIGKILL) }
    try await eventually("the end") { try next.attempt() }
    await page.end()
  }

  @Test(arguments: ["read", "write"])
  func `a widget with an access is ended instead of suspended`(intent: String) async throws {
    let (page, path) = try await page()
    try begin(intent, path, page)
    await eventually("the access") { page.text == #"result:{"token":1}"# }
    try page.disappear()
    try await eventually("its end") { try !page.session.state.hasProcess }
    let words = "held an exclusive lock while being suspended"
    #expect(try page.card.message?.string == "Unable to Load: \(words)")
    #expect(try page.log.contains("\(words): \(path)"))
    try await eventually("the free lock") { try lock(.write, page, path).attempt() }
    await page.end()
  }

  @Test(arguments: [
    ("/etc/passwd", "write", "error:-32001"), ("notes", "read", "error:-32602"),
    ("/etc", "delete", "error:-32602"),
  ])
  func `a file that the widget does not share is refused`(
    path: String,
    intent: String,
    error: String
  ) async throws {
    let (page, _) = try await page()
    try begin(intent, path, page)
    await eventually("the refusal") { page.text == error }
    await page.end()
  }
}
