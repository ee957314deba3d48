import Dispatch
import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTestSupport
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetSessions

/// A long time of random faults, on a virtual clock; at the end everything works.
///
/// Some hours with a few widgets here; `make soak` sets `TODAY_SOAK_DAYS` and lets fifty of them go
/// on for a week.
@Suite(.timeLimit(.minutes(10))) struct VirtualWeekTests {
  private static let days: Double? = ProcessInfo.processInfo.environment["TODAY_SOAK_DAYS"]
    .flatMap { Double($0) }

  private let folder: BundleFolder
  private let clock = VirtualClock()
  private let weather = ErraticWidget.Weather(seed: 20_261_121)
  private let center: WidgetCenter
  private let ids: [CardID]
  private let runs: Runs

  /// The newest run of each widget.
  private final class Runs {
    var newest: [String: ErraticWidget] = [:]
    var starts = 0
    var updates = 0
  }

  init() throws {
    let folder = try BundleFolder()
    ids = (1...(Self.days == nil ? 8 : 50)).map { CardID("com.example.w\($0)") }
    for id in ids {
      try folder.widget("widgets/\(id.bundleIdentifier).widget", id.bundleIdentifier)
    }
    var configuration = CenterConfiguration.virtual(in: folder, clock)
    let (runs, clock, weather) = (Runs(), clock, weather)
    configuration.launcher = { bundle, _, report throws(HostError) in
      // Never two of one widget at once.
      #expect(runs.newest[bundle.bundleIdentifier]?.isAlive != true)
      let run = ErraticWidget(clock: clock, weather: weather, report: report)
      runs.newest[bundle.bundleIdentifier] = run
      runs.starts += 1
      return run
    }
    self.folder = folder
    self.runs = runs
    center = try WidgetCenter(configuration)
    center.onUpdate = { _, _, _ in runs.updates += 1 }
  }

  /// Advances the clock from timer to timer, with actions of a user in between.
  private func live(for duration: Duration, _ act: () -> Void = {}) async {
    let end = clock.now + duration
    var steps = 0
    while clock.now < end {
      clock.advance(by: min(clock.timeToNextTimer ?? .seconds(60), .seconds(60)))
      clock.advance(by: .milliseconds(1))
      act()
      steps += 1
      guard steps % 200 == 0 else { continue }
      center.store.drain()
      await withCheckedContinuation { continuation in
        DispatchQueue.main.async { continuation.resume() }
      }
    }
  }

  /// Occasional actions of a user: scrolls, refreshes, presses, retries, closes the lid.
  private func actAtRandom() {
    guard weather.generator.once(in: 60) else { return }
    let id = weather.generator.one(of: ids)
    switch weather.generator.number(0...9) {
    case 0...4:
      let first = weather.generator.number(0...ids.count - 1)
      center.screen.setVisible(Set(ids[first...].prefix(6)))
    case 5: center.updates.refresh(id)
    case 6: center.updates.refresh(nil)
    case 7: center.input.press(.action("go"), on: id)
    case 8: for id in ids { center.input.retry(id) }
    default:
      // A night, seldom: most of the time is to be lived through.
      guard weather.generator.once(in: 100) else { return }
      clock.sleep(for: .seconds(weather.generator.number(10...20_000)))
    }
  }

  /// How many sessions have a running process.
  private var processCount: Int {
    center.page.controllers.count { $0.session?.state.hasProcess == true }
  }

  @Test("after days of faults every card lives, and quitting leaves nothing")
  func days() async throws {
    center.screen.setWidth(40)
    center.screen.setVisible(Set(ids.prefix(6)))
    center.start()
    await live(for: .seconds(86_400 * (Self.days ?? 0.5))) { actAtRandom() }
    #expect(runs.starts > ids.count)
    #expect(runs.updates > 2 * ids.count)
    if let days = Self.days {
      print(
        "\(days) days: \(runs.starts) starts and \(runs.updates) updates of \(ids.count) widgets"
      )
    }

    weather.isWild = false
    // Deadlines, pauses and answers that were late on purpose run out.
    center.screen.setVisible([])
    await live(for: .seconds(1_800))
    #expect(weather.living == processCount)
    center.screen.setVisible(Set(ids))
    for id in ids { center.input.retry(id) }
    await live(for: .seconds(120))
    for card in center.page.all {
      #expect(card.state == .live, "\(card.id): \(card.message?.string ?? "")")
      #expect(card.message == nil)
    }
    #expect(weather.living == ids.count)
    // Of each card's timers none is left over from before.
    #expect(clock.waitingTimers < 10 * ids.count)

    var hasEnded = false
    center.shutdown { hasEnded = true }
    await live(for: .seconds(3))
    #expect(hasEnded)
    #expect(weather.living == 0)
    center.store.drain()
    let kept = FileManager.default.subpathsIfThere(center.folders.snapshots)
    #expect(kept.count { $0.contains(".snapshot") } >= ids.count)
    #expect(kept.filter { $0.hasSuffix(".tmp") } == [])
  }
}

extension FileManager {
  fileprivate func subpathsIfThere(_ path: String) -> [String] {
    (try? subpathsOfDirectory(atPath: path)) ?? []
  }
}
