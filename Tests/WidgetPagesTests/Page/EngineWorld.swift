import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetSessions

/// The whole engine with a virtual clock and without processes: a test controls its widgets.
final class EngineWorld {
  let folder: BundleFolder
  let clock = VirtualClock()
  let center: WidgetCenter
  /// The runs of the widgets, in the order of their starts.
  private(set) var runs: [FakeWidget] = []
  /// The executables of the runs, in the same order.
  private(set) var programs: [String] = []
  /// How often the page was notified of a change.
  private(set) var changes = 0
  /// The results of updates.
  private(set) var updates: [UpdateResult] = []
  /// The answers of the next run.
  var answers: [String: String]

  /// A page with one widget that implements the methods it has answers for.
  init(
    _ answers: [String: String] = [:],
    hearing notifications: [String] = [],
    first: String = "",
    bundle attributes: String = "",
    folder: BundleFolder? = nil,
    configure: (inout CenterConfiguration) -> Void = { _ in }
  ) throws {
    let methods = (answers.keys.sorted() + notifications).map { "\"\($0)\"" }
    let greeting =
      #"{"protocolVersion":1,"implements":[\#(methods.joined(separator: ","))]\#(first)}"#
    self.answers = answers.merging(["initialize": greeting]) { $1 }
    let folder = try folder ?? BundleFolder()
    self.folder = folder
    try folder.widget("widgets/A.widget", Self.id.bundleIdentifier, attributes: attributes)
    var configuration = CenterConfiguration.virtual(in: folder, clock)
    configure(&configuration)
    let launches = Launches()
    configuration.launcher = { bundle, _, report throws(HostError) in
      launches.start(bundle.executablePath, report)
    }
    center = try WidgetCenter(configuration)
    launches.world = self
    center.signals.onChange = { [weak self] in self?.changes += 1 }
    center.onUpdate = { [weak self] _, result, _ in self?.updates.append(result) }
  }

  /// Connects the center, which is created first, with the world that owns the runs.
  private final class Launches {
    weak var world: EngineWorld?

    func start(_ program: String, _ report: @escaping (WidgetReport) -> Void) -> FakeWidget {
      let widget = FakeWidget(answers: world?.answers ?? [:], report: report)
      world?.runs.append(widget)
      world?.programs.append(program)
      return widget
    }
  }

  static let id = CardID("com.example.A")

  /// Opens the page with a visible card, and waits until it has settled.
  @discardableResult
  func open(innerWidth: Int = 40) throws -> FakeWidget {
    center.screen.setWidth(innerWidth)
    center.screen.setVisible([Self.id])
    center.start()
    settle()
    return try widget
  }

  /// The present run.
  var widget: FakeWidget { get throws { try #require(runs.last) } }

  var card: Card { get throws { try #require(center.page.all.first) } }

  /// Delivers everything that is due now, without advancing the clock.
  func settle() {
    for _ in 0..<1_000 {
      clock.advance(by: .zero)
      // Disks are fast beside virtual time.
      center.store.drain()
      guard runs.count(where: { $0.goOn() }) > 0 else { return }
    }
    Issue.record("the engine does not come to rest")
  }

  /// Waits until long messages have been read off the main actor, and then settles.
  func finishReading() async throws {
    let session = try #require(center.page.controllers.first?.session)
    repeat {
      await eventually("what was said to be read") { session.connection?.reader.isReading != true }
      settle()
    } while session.connection?.reader.isReading == true
  }

  /// Advances the clock in small steps, so that timers and answers occur in order.
  func pass(_ duration: Duration, step: Duration = .milliseconds(10)) {
    let end = clock.now + duration
    while clock.now < end {
      clock.advance(by: min(step, clock.now.duration(to: end)))
      settle()
    }
  }

  /// The cards as they are drawn.
  var drawn: [(card: Card, body: CardBody?)] { center.drawing.cards(at: clock.now) }

  /// The present height of the body.
  var rows: Int { center.drawing.body(of: Self.id, at: clock.now)?.size.rows ?? -1 }

  /// The heights, 100 times per second, until the animation has ended.
  func heights(for duration: Duration = .milliseconds(500)) -> [Int] {
    var heights = [rows]
    let end = clock.now + duration
    while clock.now < end {
      pass(.milliseconds(10))
      heights.append(rows)
    }
    return heights
  }

  /// The text of the picture, row by row.
  var picture: [String] {
    guard let body = center.drawing.body(of: Self.id, at: clock.now) else { return [] }
    var rows: [Int: String] = [:]
    for run in (body.to ?? body.from).runs {
      rows[run.position.row, default: ""] += run.cells.map(\.glyph.text).joined()
    }
    return rows.sorted { $0.key < $1.key }.map { $0.value.trimmingSpaces }
  }

  /// Sends a press with this action to the widget, whatever is on the card.
  func press(_ action: String) {
    center.page[Self.id]?.send(.deliver(.action(action)))
  }

  /// Presses the element with this `id` on the card, as a user would.
  func press(element id: String) throws {
    let body = try #require(center.drawing.body(of: Self.id, at: clock.now))
    let target = try #require((body.to ?? body.from).targets.first { $0.elementID == id })
    center.input.press(target, on: Self.id)
  }

  /// The presses that the last run received.
  var presses: [PerformActionRequest] {
    get throws { try widget.messages(PerformActionRequest.self) }
  }

  /// The snapshots on disk, with their bytes.
  func snapshotFiles() throws -> [String: Data] {
    center.store.drain()
    let root = center.folders.snapshots
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []
    var files: [String: Data] = [:]
    for name in names where name.contains(".snapshot") {
      files[name] = try Data(contentsOf: URL(filePath: "\(root)/\(name)"))
    }
    return files
  }
}

extension CenterConfiguration {
  /// A page of the bundles in `widgets` with a virtual clock, without measurements.
  static func virtual(in folder: BundleFolder, _ clock: VirtualClock) -> CenterConfiguration {
    var configuration = CenterConfiguration(
      // No programs of the desktop, which would be asked for schemes.
      environment: ["HOME": "\(folder.path)/home", "PATH": "\(folder.path)/no-programs"],
      executablePath: "/nowhere/today"
    )
    configuration.widgetFolders = ["\(folder.path)/widgets"]
    configuration.clock = clock
    configuration.resourceMeasure = { _, _ in [:] }
    configuration.storageMeasure = { _, done in done([:]) }
    return configuration
  }
}

extension PressTarget {
  static func action(_ action: String) -> PressTarget {
    PressTarget(
      frame: Rect(column: 0, row: 0, columns: 1, rows: 1),
      elementID: nil,
      action: action,
      link: nil,
      newValue: nil,
      label: SafeText(action)
    )
  }
}

/// The JSON of a stack with a number of rows.
func stack(_ rows: Int, _ word: String = "row") -> String {
  let children = (1...rows).map {
    #"{"type":"text","id":"\#(word)\#($0)","text":"\#(word) \#($0)"}"#
  }
  return #"{"type":"vstack","children":[\#(children.joined(separator: ","))]}"#
}

extension String {
  fileprivate var trimmingSpaces: String {
    String(reversed().drop { $0 == " " }.reversed().drop { $0 == " " })
  }
}
