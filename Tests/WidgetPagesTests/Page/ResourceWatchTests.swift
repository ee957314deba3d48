import Testing
import WidgetKitCore
import WidgetTesting

@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetSessions

@Suite struct ResourceWatchTests {
  /// Simulated measurements, and how often they were made.
  private final class Kernel {
    var bytes: [Int32: UInt64] = [:]
    var processes = 1
    var storage: UInt64 = 0
    var storageLooks: [ContinuousClock.Instant] = []
    var looks: [ContinuousClock.Instant] = []
  }

  private func world(
    _ kernel: Kernel,
    _ answers: [String: String] = [:],
    hearing notifications: [String] = [],
    configure: (inout CenterConfiguration) -> Void = { _ in }
  ) throws -> EngineWorld {
    var clock: (any HostClock)?
    return try EngineWorld(answers, hearing: notifications, first: #","view":"a""#) {
      configure(&$0)
      clock = $0.clock
      let clock = clock
      $0.resourceMeasure = { runs, _ in
        if let clock { kernel.looks.append(clock.now) }
        return Dictionary(
          uniqueKeysWithValues: runs.compactMap { run in
            kernel.bytes[run.leader].map {
              (run, ProcessGroups.Use(bytes: $0, processes: kernel.processes))
            }
          }
        )
      }
      $0.storageMeasure = { widgets, done in
        if let clock { kernel.storageLooks.append(clock.now) }
        done(Dictionary(uniqueKeysWithValues: widgets.keys.map { ($0, kernel.storage) }))
      }
    }
  }

  @Test("an idle page is measured less and less often, down to once a minute")
  func rest() throws {
    let kernel = Kernel()
    let world = try world(kernel)
    try world.open()
    let start = world.clock.now
    world.pass(.seconds(300), step: .milliseconds(100))
    let seconds = kernel.looks.map { start.duration(to: $0).components.seconds }
    #expect(seconds == [0, 1, 3, 7, 15, 31, 63, 123, 183, 243])
    let storageLooks = kernel.storageLooks.count
    world.pass(.seconds(300), step: .seconds(1))
    #expect(kernel.looks.count == 15)
    // Containers are counted on another thread, which is woken too.
    #expect(kernel.storageLooks.count <= storageLooks + 1)
  }

  @Test("a widget that grows without sending anything is ended")
  func silentGrowth() throws {
    let kernel = Kernel()
    let world = try world(kernel)
    let widget = try world.open()
    kernel.bytes = [1: 10 << 20]
    world.pass(.seconds(900), step: .seconds(5))
    #expect(widget.signals.isEmpty)
    kernel.bytes = [1: 420 << 20]
    world.pass(.seconds(61), step: .seconds(1))
    #expect(widget.signals.contains(.kill))
  }

  @Test("a widget that has grown is measured again after a second")
  func growth() throws {
    let kernel = Kernel()
    let world = try world(kernel)
    try world.open()
    kernel.bytes = [1: 10 << 20]
    world.pass(.seconds(300), step: .seconds(1))
    kernel.bytes = [1: 30 << 20]
    let count = kernel.looks.count
    world.pass(.seconds(60), step: .seconds(1))
    #expect(kernel.looks.count == count + 6)
  }

  @Test("a widget that always works does not have the others measured each second")
  func oneAtWork() {
    let clock = VirtualClock()
    var asked: [Set<Int32>] = []
    let watch = ResourceWatch(
      clock: clock,
      limits: MemoryLimits(),
      measure: { runs, _ in
        asked.append(Set(runs.map(\.leader)))
        return [:]
      },
      measureStorage: { _, _ in },
      trim: {}
    )
    let users = (1...3).map { Worker(leader: $0) }
    for user in users { watch.add(user) }
    for _ in 0..<80 {
      watch.noteSent(to: users[0].id)
      clock.advance(by: .milliseconds(250))
    }
    #expect(asked.first == [1, 2, 3])
    #expect(asked.count { $0 == [1] } >= 30)
    #expect(asked.count { $0 == [1, 2, 3] } == 3)
    withExtendedLifetime(users) {}
  }

  /// A widget with a process; the first one always works.
  private final class Worker: ResourceUser {
    let id: ExtensionIdentity
    let processRun: ProcessRun?
    let (hasProcess, isAtRest, isSuspended) = (true, false, false)
    let isAtWork: Bool
    let lastSeen = ContinuousClock.now

    init(leader: Int32) {
      id = ExtensionIdentity("com.example.worker\(leader)")
      processRun = ProcessRun(leader: leader)
      isAtWork = leader == 1
    }

    func note(_ finding: ResourceFinding) {}
  }

  @Test("nothing is measured while every widget is suspended")
  func suspended() throws {
    let kernel = Kernel()
    let world = try world(kernel)
    try world.open()
    world.center.screen.setVisible([])
    world.pass(.seconds(20), step: .milliseconds(50))
    #expect(try world.widget.isSuspended)
    let count = kernel.looks.count
    world.pass(.seconds(300), step: .seconds(1))
    #expect(kernel.looks.count <= count + 1)
  }

  @Test("a message of a widget restarts the measurements")
  func speech() throws {
    let kernel = Kernel()
    let world = try world(kernel)
    try world.open()
    world.pass(.seconds(310), step: .seconds(1))
    let count = kernel.looks.count
    try world.widget.notify("setView", #"{"view":"b"}"#)
    world.pass(.milliseconds(600))
    #expect(kernel.looks.count == count + 1)
  }

  @Test("above the limit the widget is ended, its content stays and the heading shows the reason")
  func ended() throws {
    let kernel = Kernel()
    let world = try world(kernel, hearing: ["didReceiveMemoryWarning"])
    let widget = try world.open()
    kernel.bytes = [1: 100 << 20]
    world.pass(.seconds(2))
    #expect(widget.methods.last == "didReceiveMemoryWarning")
    kernel.bytes = [1: 200 << 20]
    world.pass(.seconds(2), step: .milliseconds(1))
    #expect(widget.signals == [.kill])
    #expect(world.picture == ["a"])
    let log = try world.center.folders.readLog(of: world.card.id) ?? ""
    #expect(log.contains("memory: 200 MiB, the limit is 128 MiB"))
    #expect(log.contains("Unable to Load (memory)"))
  }

  @Test("a widget may have 64 processes", arguments: [-1, 0, 1])
  func processes(offset: Int) throws {
    let kernel = Kernel()
    let world = try world(kernel)
    let widget = try world.open()
    kernel.bytes = [1: 1 << 20]
    kernel.processes = 64 + offset
    world.pass(.seconds(2), step: .milliseconds(1))
    #expect(widget.signals == (offset > 0 ? [.kill] : []))
    let log = try world.center.folders.readLog(of: world.card.id) ?? ""
    #expect(log.contains("processes: 65, the limit is 64") == (offset > 0))
    #expect(log.contains("Unable to Load (too many processes)") == (offset > 0))
    #expect(world.picture == ["a"])
  }

  @Test("a widget's container may hold 64 MiB", arguments: [-1, 0, 1])
  func storage(offset: Int) throws {
    let kernel = Kernel()
    let world = try world(kernel)
    let widget = try world.open()
    kernel.storage = UInt64(64 << 20 + offset * 4096)
    world.pass(.seconds(9), step: .milliseconds(1))
    #expect(widget.signals.first == (offset > 0 ? .kill : nil))
    let log = try world.center.folders.readLog(of: world.card.id) ?? ""
    #expect(log.contains("its container uses 64.1 MiB, the limit is 64 MiB") == (offset > 0))
    #expect(log.contains("Unable to Load (storage full)") == (offset > 0))
    #expect(world.picture == ["a"])
  }

  @Test("containers are measured at most every eight seconds")
  func storageLooks() throws {
    let kernel = Kernel()
    let world = try world(kernel)
    let widget = try world.open()
    for _ in 0..<60 {
      widget.notify("setView", #"{"view":"b"}"#)
      world.pass(.milliseconds(500))
    }
    #expect(kernel.storageLooks.count >= 2)
    for (one, next) in zip(kernel.storageLooks, kernel.storageLooks.dropFirst()) {
      #expect(one.duration(to: next) >= .seconds(8))
    }
  }

  @Test("above the limit of the page a suspended widget is ended, without a failure")
  func pageBudget() throws {
    let kernel = Kernel()
    kernel.bytes = [1: 60 << 20]
    let world = try world(kernel) { $0.limits.resources.memory.pageBytes = 59 << 20 }
    let widget = try world.open()
    world.pass(.seconds(10))
    #expect(widget.signals.isEmpty)
    world.center.screen.setVisible([])
    world.pass(.seconds(6.5))
    #expect(widget.methods.last == "shutdown")
    #expect(widget.signals == [.resume])
    #expect(try world.card.state == .snapshot)
    #expect(try world.card.message == nil)
    world.center.screen.setVisible([EngineWorld.id])
    world.settle()
    #expect(world.runs.count == 2)
    #expect(try world.card.state == .live)
  }
}
