import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTestSupport
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPlatform

/// Reports of transfers to apps that do not take them.
@Suite(.timeLimit(.minutes(5))) struct TransferReportTests {
  private let world: TestWorld
  private let book: TransferBook
  private let task = TransferBook.newTask()

  init() throws {
    world = try TestWorld()
    book = TransferBook(environment: world.environment())
    let app = "\(world.widgets)/Slow.app"
    try FileManager.default.createDirectory(atPath: app, withIntermediateDirectories: true)
    try world.write(
      #"{ CFBundleIdentifier = "com.example.slow"; CFBundleExecutable = run; }"#,
      to: "\(app)/Info.plist"
    )
    // The first start does not end, the second one takes the events.
    try world.write(
      """
      #!/bin/sh
      cat > "$HOME/events.$$"
      if [ ! -e "$HOME/first" ]; then touch "$HOME/first"; exec sleep 600; fi
      touch "$HOME/second"

      """,
      to: "\(app)/run"
    )
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(app)/run")
    try book.write(
      TransferRecord(
        task: task,
        kind: .download,
        identifier: "news",
        group: "group.example",
        widget: "com.example.slow.today",
        app: "com.example.slow",
        appPath: app,
        method: "GET",
        url: "https://example.com/news.json",
        byteLimit: 1_000,
        result: TransferRecord.Ending(error: "the server is gone", reason: "network")
      )
    )
  }

  private func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(world.path)/home/\(name)")
  }

  /// Keeps the transfer until its end was reported, or was not taken.
  private func keep(_ clock: VirtualClock, _ meanwhile: () async -> Void = {}) async throws {
    let keeper = try #require(
      TransferKeeper(
        task: task,
        environment: world.environment(),
        executable: "/nowhere/bin/today",
        secrets: SecretStorage(files: StateFolders(environment: world.environment())),
        clock: clock
      )
    )
    var hasEnded = false
    keeper.run { hasEnded = true }
    await meanwhile()
    await eventually("the end of the keeper") { hasEnded }
  }

  @Test func `an app that does not take events within 30 s is ended, and gets them again`()
    async throws
  {
    let clock = VirtualClock()
    try await keep(clock) {
      await eventually("the start of the app") { exists("first") }
      clock.advance(by: .seconds(29))
      #expect(book.read(task)?.refusals == 0)
      clock.advance(by: .seconds(1))
    }
    #expect(book.read(task)?.refusals == 1)
    let log = StateFolders(environment: world.environment())
      .readLog(of: ExtensionIdentity("com.example.slow.today"))
    #expect(log?.contains("the app did not end within 30 s") == true, "\(log ?? "no log")")
    try await keep(VirtualClock())
    #expect(exists("second"))
    #expect(book.read(task) == nil)
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(world.path)/home")
    let events = names.filter { $0.hasPrefix("events.") }.compactMap {
      FileManager.default.contents(atPath: "\(world.path)/home/\($0)")
    }
    #expect(events.count == 2 && Set(events).count == 1)
  }
}
