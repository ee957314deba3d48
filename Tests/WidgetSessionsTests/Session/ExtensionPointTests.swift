import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPlatform
@testable import WidgetSessions

extension ExtensionPoint {
  /// A point of these tests alone: filters, which have no view.
  fileprivate nonisolated static let filters = ExtensionPoint(
    identifier: "com.example.filters",
    presentation: .request(hasView: false)
  )
}

/// An extension of another point than the Today view, with a process and without a card.
@Suite struct ExtensionPointTests {
  private let world: TestWorld
  private let filter: ExtensionBundle

  /// A program that answers what `cases` says, by the method.
  private static func program(_ cases: String) -> String {
    """
    #!/bin/sh
    while read -r line; do
      id=${line#*'"id":'}; id=${id%%,*}
      reply() { printf '{"jsonrpc":"2.0","id":%s,%s}\\n' "$id" "$1"; }
      case $line in
      *'"method":"initialize"'*) reply '"result":{"protocolVersion":1,"implements":["performAction"]}' ;;
      \(cases)
      *'"method":"shutdown"'*) exit 0 ;;
      esac
    done
    """
  }

  init() throws {
    let world = try TestWorld()
    let folder = "\(world.path)/config/widgets/Upper.widget"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try world.write(
      """
      { CFBundleIdentifier = "com.example.Upper"; CFBundleExecutable = upper;
        NSExtension = { NSExtensionPointIdentifier = "com.example.filters"; }; }
      """,
      to: "\(folder)/Info.plist"
    )
    let cases = """
      *'"action":"upper"'*) reply '"result":{}' ;;
        *'"action":"fail"'*) reply '"error":{"code":-32000,"message":"not a text"}' ;;
        *'"action":"crash"'*) exit 3 ;;
      """
    try world.write(Self.program(cases), to: "\(folder)/upper")
    #expect(unsafe chmod("\(folder)/upper", 0o755) == 0)
    self.world = world
    let paths = SearchPaths(
      named: ["\(world.path)/config/widgets"],
      environment: world.environment(),
      executable: nil
    )
    let catalog = BundleCatalog.scan(paths)
    // The point is one of these tests alone.
    #expect(catalog.widgets.isEmpty && catalog.problems.count == 1)
    filter = try #require(catalog.extensions(of: .filters).first)
  }

  /// What a session has reported.
  private final class Reports {
    var answers: [HostReply] = []
    var hasFinished = false
    /// The words of each answer, which are empty for a result.
    var words: [String] {
      answers.map { if case .refused(_, let error) = $0 { error.message } else { "" } }
    }
  }

  private func session(
    _ reports: Reports,
    change: (inout SessionPolicy) -> Void = { _ in }
  ) -> ExtensionSession<RequestState> {
    let clock = SystemClock()
    let environment = world.environment()
    let folders = StateFolders(environment: environment)
    var policy = SessionPolicy(.filters)
    change(&policy)
    let services = SessionServices(
      clock: clock,
      limits: HostLimits(),
      policy: policy,
      launcher: { bundle, id, report throws(HostError) in
        try WidgetProcess.start(
          bundle,
          id,
          userEnvironment: environment,
          limits: HostLimits(),
          report: report
        )
      },
      resources: ResourceWatch(
        clock: clock,
        limits: MemoryLimits(),
        measure: { _, _ in [:] },
        measureStorage: { _, _ in },
        trim: {}
      ),
      secrets: { SecretAccess($0, SecretStorage(files: folders)) },
      sharedData: SharedDataWatch(clock: clock, folders: folders),
      log: { WidgetLog(path: folders.log(of: $0), clock: clock) },
      runsPath: { folders.runs(of: $0) }
    )
    let session = ExtensionSession(
      id: ExtensionIdentity(filter.bundleIdentifier),
      bundle: WidgetBundle(filter),
      services: services,
      state: RequestState(policy: policy)
    )
    session.makeInitialize = { _ in .sample }
    session.onReport = { effect in
      switch effect {
      case .answered(let reply): reports.answers.append(reply)
      case .finished: reports.hasFinished = true
      case .suspended: break
      default: Issue.record("\(effect)")
      }
    }
    return session
  }

  private func ask(_ action: String) -> SessionEvent {
    .ask(.performAction(PerformActionRequest(action: action)))
  }

  @Test func `is found, started, asked and ended, and nothing else is touched`() async throws {
    let reports = Reports()
    let session = session(reports)
    #expect(!session.state.hasProcess)
    session.handle(ask("upper"))
    session.handle(ask("fail"))
    #expect(session.state.hasProcess && session.state.isAtWork)
    await eventually("two answers") { reports.answers.count == 2 }
    #expect(reports.words == ["", "not a text"])
    #expect(!session.state.isAtWork)
    session.quit()
    await eventually("its end") { reports.hasFinished }
    #expect(!session.state.hasProcess && world.processesLeft().isEmpty)
    let folders = StateFolders(environment: world.environment())
    for folder in [
      folders.snapshots, folders.pages, folders.schedules, folders.folds, folders.locks,
    ] {
      #expect(FileIdentity(folder) == nil, "\(folder)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folders.containers).count == 1)
  }

  @Test func `a question to one that crashes is answered with what has happened`() async throws {
    let reports = Reports()
    let session = session(reports)
    session.handle(ask("crash"))
    await eventually("its end") { reports.hasFinished }
    #expect(reports.words.count == 1 && reports.words.first?.contains("exit") == true)
    session.handle(ask("upper"))
    #expect(!session.state.hasProcess)
  }

  @Test func `one that does not answer in the time of its point is ended`() async throws {
    #expect(SessionPolicy(.filters).answer == .seconds(30))
    let reports = Reports()
    let session = session(reports) { $0.answer = .milliseconds(100) }
    session.handle(ask("sleep"))
    await eventually("its end") { reports.hasFinished }
    #expect(reports.words.first?.contains("no answer") == true)
  }

  @Test func `is suspended when it has nothing to do, and asked again when it is needed`()
    async throws
  {
    let reports = Reports()
    let session = session(reports) { $0.settling = .milliseconds(20) }
    session.handle(ask("upper"))
    await eventually("its suspension") { session.isSuspended }
    session.handle(ask("upper"))
    await eventually("a second answer") { reports.answers.count == 2 }
    session.quit()
    await eventually("its end") { reports.hasFinished }
  }
}
