import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetSessions

@Suite(.timeLimit(.minutes(5))) struct WidgetProcessTests {
  @Test func `a widget answers, and exits after shutdown`() async throws {
    let run = try FixtureRun("Good")
    await run.greet()
    #expect(run.lines.first?.contains("All is well") == true)
    run.notify(ShutdownNotification())
    await eventually("its end") { run.status != nil }
    #expect(run.status == .exited(0))
    #expect(run.violations.isEmpty)
  }

  @Test func `a widget exits at the end of its input`() async throws {
    let run = try FixtureRun("Good")
    await run.greet()
    run.process?.closeInput()
    await eventually("its end") { run.status != nil }
    #expect(run.status == .exited(0))
  }

  @Test func `a widget has its own session and process group`() async throws {
    let run = try FixtureRun("Good")
    await run.greet()
    #expect(getsid(run.pid) == run.pid)
    #expect(getpgid(run.pid) == run.pid)
    #expect(getsid(0) != run.pid)
    await run.kill()
  }

  @Test func `a widget inherits only its three streams`() async throws {
    let open = unsafe Glibc.open("/dev/null", O_RDONLY)
    defer { close(open) }
    let run = try FixtureRun("Good")
    await run.greet()
    let descriptors = try run.descriptors()
    #expect(Set(descriptors.keys) == ["0", "1", "2"])
    #expect(descriptors.values.allSatisfy { $0.hasPrefix("pipe:") })
    #expect(Set(descriptors.values).count == 3)
    await run.kill()
  }

  @Test func `a widget gets only the environment that the host created`() async throws {
    let run = try FixtureRun("Good", environment: ["SECRET_TOKEN": "x", "LC_TIME": "de_DE"])
    await run.greet()
    let file = unsafe Glibc.open("/proc/\(run.pid)/environ", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    let count = unsafe read(file, &buffer, buffer.count)
    let names = buffer.prefix(max(0, count)).split(separator: 0).map {
      String(decoding: $0.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
    }
    #expect(
      Set(names) == [
        "HOME", "PATH", "LANG", "LC_TIME", "TZ", "XDG_CONFIG_HOME", "XDG_STATE_HOME",
        "XDG_CACHE_HOME", "XDG_DATA_HOME", "TODAY_BUNDLE", "TODAY_DATA", "TODAY_CACHE",
        "TODAY_FOLDER",
      ]
    )
    await run.kill()
  }

  @Test func `the working directory of a widget is its bundle`() async throws {
    let run = try FixtureRun("Good")
    await run.greet()
    let directory = try FileManager.default.destinationOfSymbolicLink(
      atPath: "/proc/\(run.pid)/cwd"
    )
    #expect(directory == run.bundle.path)
    await run.kill()
  }

  @Test func `a widget that ended is collected and its descriptors are closed`() async throws {
    let run = try FixtureRun("Good")
    await run.greet()
    let pipes = Set(try run.descriptors().values)
    let before = try FixtureRun.descriptors(of: "self").values.filter { pipes.contains($0) }
    #expect(before.count == 3)
    await run.kill()
    #expect(run.status == .signaled(SIGKILL))
    #expect(kill(run.pid, 0) == -1)
    #expect(errno == ESRCH)
    try await eventually("the pipes to be closed") {
      try FixtureRun.descriptors(of: "self").values.allSatisfy { !pipes.contains($0) }
    }
  }

  @Test func `the exit code of a widget is reported`() async throws {
    let run = try FixtureRun("Crashing")
    await run.greet()
    run.request(WidgetPerformUpdateRequest(reason: .user))
    await eventually("its end") { run.status != nil }
    #expect(run.status == .exited(3))
  }

  @Test func `the signal that ended a widget is reported by name`() async throws {
    let run = try FixtureRun("CrashingOnPress")
    await run.greet()
    run.request(PerformActionRequest(action: "crash"))
    await eventually("its end") { run.status != nil }
    #expect(run.status == .signaled(SIGSEGV))
    #expect(run.status?.description == "SIGSEGV")
  }

  @Test func `a widget that ignores everything is killed`() async throws {
    let run = try FixtureRun("Stubborn")
    await run.greet()
    run.notify(ShutdownNotification())
    run.process?.closeInput()
    run.process?.signal(.terminate)
    #expect(run.status == nil)
    await run.kill()
    #expect(run.status == .signaled(SIGKILL))
  }

  @Test func `processes that a widget started end with it`() async throws {
    let run = try FixtureRun("Forking")
    await run.greet()
    #expect(ProcessList.entries(naming: run.world.path).count >= 3)
    await run.kill()
    #expect(run.world.processesLeft().isEmpty)
  }

  @Test func `the output of a process that left the group is not read forever`() async throws {
    let run = try FixtureRun("Good")
    await run.kill()
    let escaping = "#!/bin/sh\nsetsid yes &\necho left\nexit 0\n"
    let program = run.bundle.executablePath
    try run.world.write(escaping, to: program)
    var status: TerminationStatus?
    let process = try WidgetProcess.start(
      run.bundle,
      ExtensionIdentity(run.bundle.bundleIdentifier),
      userEnvironment: run.world.environment(),
      limits: HostLimits()
    ) { if case .ended(let end) = $0 { status = end } }
    await eventually("its end") { status != nil }
    #expect(status == .exited(0))
    #expect(process.lastErrors.isEmpty)
  }

  @Test func `a line above the limit is too large`() async throws {
    let run = try FixtureRun("Huge")
    await run.greet()
    run.request(WidgetPerformUpdateRequest(reason: .user))
    await eventually("a violation") { !run.violations.isEmpty }
    #expect(run.violations.first?.hasPrefix("too large: a line of ") == true)
    #expect(run.violations.first?.hasSuffix("the limit is 262144") == true)
    #expect(run.lines.count == 1)
    await run.kill()
  }

  @Test func `a flood is read no faster than its budget`() async throws {
    var limits = HostLimits()
    limits.inputBytesPerSecond = 128 * 1024
    limits.inputBurstBytes = 64 * 1024
    let run = try FixtureRun("Flooding", limits: limits)
    let start = ContinuousClock.now
    await run.greet()
    await eventually("a second of flood") { run.byteCount > 192 * 1024 }
    let seconds = start.duration(to: .now).seconds
    #expect(Double(run.byteCount) <= 128 * 1024 * seconds + 2 * 64 * 1024)
    await run.kill()
  }

  @Test(arguments: ["short", "empty", "unbroken"])
  func `standard error is read no faster than its budget`(how: String) async throws {
    var limits = HostLimits()
    limits.inputBytesPerSecond = 128 * 1024
    limits.inputBurstBytes = 64 * 1024
    let run = try FixtureRun("Storming", environment: ["TODAY_TEST_STORM": how], limits: limits)
    await run.greet()
    // 130 bytes for a line of two; one of 4 KiB makes a second in 31.
    let few = how == "unbroken" ? 48 : 1_500
    let start = ContinuousClock.now
    await eventually("more than a burst") { run.log.count > few }
    let seconds = start.duration(to: .now).seconds
    let bytes = run.log.reduce(0) { $0 + $1.string.utf8.count + 129 }
    #expect(Double(bytes) <= 128 * 1024 * (seconds + 0.25) + 64 * 1024 + 129 * 8 * 1024)
    // Who writes no more than this is not ended for it.
    #expect(run.violations.isEmpty)
    await run.kill()
  }

  @Test func `the last lines before the exit are read, also of many`() async throws {
    let run = try FixtureRun("Good")
    await run.kill()
    let loud = """
      #!/bin/sh
      i=0
      while [ $i -lt 6000 ]; do echo line >&2; i=$((i + 1)); done
      echo last words >&2
      exit 3

      """
    try run.world.write(loud, to: run.bundle.executablePath)
    var limits = HostLimits()
    limits.inputBytesPerSecond = 1024
    limits.inputBurstBytes = 1024
    var log: [SafeText] = []
    var status: TerminationStatus?
    let process = try WidgetProcess.start(
      run.bundle,
      ExtensionIdentity(run.bundle.bundleIdentifier),
      userEnvironment: run.world.environment(),
      limits: limits
    ) { report in
      switch report {
      case .log(let lines): log += lines
      case .ended(let end): status = end
      case .line, .message, .violation, .outOfMemory, .away: break
      }
    }
    await eventually("its end") { status != nil }
    #expect(status == .exited(3))
    #expect(log.last == "last words")
    #expect(log.contains { $0.string.hasSuffix(" lines before the end were not read") })
    #expect(process.lastErrors.last == "last words")
  }

  @Test func `a widget that does not read is not responding`() async throws {
    let run = try FixtureRun("Deaf")
    let action = String(repeating: "x", count: 8 * 1024)
    var sent = 0
    while run.violations.isEmpty, sent < 1_000 {
      run.request(PerformActionRequest(action: action))
      sent += 1
    }
    let words = try #require(run.violations.first)
    #expect(words.hasPrefix("not responding: "))
    #expect(words.hasSuffix(" bytes wait for it; the limits are 64 and 262144"))
    #expect(sent * 8 * 1024 >= 256 * 1024)
    await run.kill()
  }

  @Test func `a missing program is named`() throws {
    let run = try TestWorld(fixtures: ["Good"])
    let error = #expect(throws: HostError.self) {
      try WidgetProcess(
        LaunchDescription(program: "\(run.path)/none", environment: [:], folder: run.path),
        limits: HostLimits(),
        groupsFolder: "/nowhere"
      ) { _ in }
    }
    #expect(error?.code == .launch)
    #expect(error?.description.contains("\(run.path)/none") == true)
  }
}

@Suite(.timeLimit(.minutes(5))) struct RealWidgetTests {
  private func center(
    _ fixture: String,
    in world: TestWorld,
    configure: (inout CenterConfiguration) -> Void = { _ in }
  ) throws -> WidgetCenter {
    try world.add(fixture: fixture)
    var configuration = CenterConfiguration(
      environment: world.environment(),
      executablePath: "\(world.path)/bin/today"
    )
    configuration.widgetFolders = [world.widgets]
    configure(&configuration)
    let center = try WidgetCenter(configuration)
    center.screen.setWidth(40)
    center.load()
    center.screen.setVisible(Set(center.page.all.map(\.id)))
    return center
  }

  private func end(_ center: WidgetCenter, _ world: TestWorld) async {
    var isDone = false
    center.shutdown { isDone = true }
    await eventually("the end") { isDone }
    #expect(world.processesLeft().isEmpty)
  }

  @Test func `a widget that crashes at every update is stopped after five starts`() async throws {
    let world = try TestWorld()
    let center = try center("Crashing", in: world) { $0.policy.restarts.longestPause = .zero }
    await eventually("rest") { center.page.shown.first?.state == .stopped }
    let card = try #require(center.page.shown.first)
    #expect(card.message?.string.contains("exited with code 3") == true)
    #expect(card.view != nil)
    await end(center, world)
  }

  @Test func `a widget that never answers is ended with the reason`() async throws {
    let world = try TestWorld()
    let center = try center("Silent", in: world) {
      $0.policy.initialize = .milliseconds(200)
      $0.policy.restarts.failureLimit = 1
    }
    await eventually("rest") { center.page.shown.first?.state == .stopped }
    #expect(center.page.shown.first?.message?.string.contains("no answer") == true)
    await end(center, world)
  }

  @Test func `a widget that sends no valid messages is ended and its content stays`() async throws {
    let world = try TestWorld()
    let center = try center("Garbled", in: world) { $0.policy.restarts.failureLimit = 1 }
    await eventually("rest") { center.page.shown.first?.state == .stopped }
    let card = try #require(center.page.shown.first)
    #expect(card.message?.string.contains("too many invalid messages") == true)
    #expect(card.view != nil)
    await end(center, world)
  }

  @Test func `a widget that ignores everything ends with the host`() async throws {
    let world = try TestWorld()
    let center = try center("Stubborn", in: world)
    await eventually("a live card") { center.page.shown.first?.state == .live }
    await end(center, world)
  }
}
