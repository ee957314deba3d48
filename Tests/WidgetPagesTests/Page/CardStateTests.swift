import FoundationEssentials
import Testing
import WidgetKitCore

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetExtensions
@testable import WidgetPlatform
@testable import WidgetSessions

/// A card as a value: events in, effects out, in their order.
@Suite struct CardStateTests {
  /// A card on the screen, whose process runs as far as a test says; nobody performs its effects.
  fileprivate struct World {
    var state = CardState(
      id: CardID("com.example.A"),
      name: "A",
      limits: HostLimits(),
      waitingPresses: 2,
      locale: "en",
      isFollowed: true
    )
    var queries = CardQueries()
    var session = SessionFacts()
    private let folder: BundleFolder
    private let bundle: WidgetBundle
    private let origin = Moment(now: .now, date: Date(timeIntervalSinceReferenceDate: 800_000_000))
    private var passed = 0.0

    init() throws {
      folder = try BundleFolder()
      try folder.widget("A.widget", "com.example.A", attributes: "")
      bundle = try WidgetBundle(path: "\(folder.path)/A.widget")
      session.implements = [WidgetPerformUpdateRequest.method]
    }

    /// A card whose live view has been on the screen for a minute.
    static func live(_ rows: Int = 2) throws -> World {
      var world = try World()
      world.open()
      world.start()
      world.take(.apply(ContentUpdate(view: CardStateTests.view(rows)), .appearance))
      world.take(.becameLive)
      world.pass(60)
      return world
    }

    var date: Date { origin.date.addingTimeInterval(passed) }
    var now: ContinuousClock.Instant { origin.now + .saturated(seconds: passed) }

    mutating func pass(_ seconds: Double) { passed += seconds }

    /// Puts the card on the screen.
    mutating func open() {
      at(.frame(innerWidth: 30, leastRows: nil, showsSnapshot: true))
      at(.attached(bundle, name: "A"))
      at(.visible(true))
    }

    /// A process runs.
    mutating func start() {
      (session.phase, session.appearance) = (.running, .on)
      (session.hasProcess, session.isAtRest) = (true, false)
      at(.launch)
    }

    @discardableResult
    mutating func take(_ report: CardReport) -> [String] { at(.report(report)) }

    /// Handles an event; returns the names of what is to be done, without what only tells the page.
    @discardableResult
    mutating func at(_ event: CardEvent) -> [String] {
      state.widget.session = session
      let moment = Moment(now: now, date: date)
      let context = CardContext(
        moment: moment,
        environment: LayoutEnvironment(now: moment.date)
      )
      return state.handle(event, in: context, queries).compactMap(CardStateTests.name)
    }
  }

  /// The name of an effect; nil if it only tells the page that something may have happened.
  private static func name(_ effect: CardEffect) -> String? {
    switch effect {
    case .mayHaveSettled, .transfer, .log, .didUpdate: nil
    case .session(let event): caseName(event)
    case .keepHistory(_, let releasesLock):
      releasesLock ? "keepHistory and release" : "keepHistory"
    case .quitSession, .requestUpdate, .tryLock, .keepLock, .endKeepingLock, .releaseLock,
      .keepSnapshot, .announce, .keepFolds, .open, .perform, .say, .unsay, .formWasChosen,
      .beginToMove, .didFinish:
      caseName(effect)
    }
  }

  private static func caseName(_ value: Any) -> String { String("\(value)".prefix { $0 != "(" }) }

  private static func view(_ rows: Int, action: String? = nil) -> ViewNode {
    var node = ViewNode(
      .vstack(
        StackContent(
          children: (0..<rows).map {
            ViewNode(.text(TextContent(spans: [TextSpan("row \($0)")])))
          }
        )
      )
    )
    node.id = "all"
    node.action = action
    return node
  }

  private static let good = CompletedUpdate(result: .newData, reason: .appear)

  // MARK: - Updates

  @Test func `an update that ends before the view appears is not made again when it does`() throws {
    var world = try World()
    world.open()
    world.start()
    world.take(.apply(ContentUpdate(view: Self.view(2)), .update))
    #expect(world.take(.updateEnded(Self.good)) == ["keepSnapshot", "keepHistory and release"])
    #expect(!world.take(.becameLive).contains("tryLock"))
    #expect(world.state.display.card.state == .live)
  }

  @Test func `the lock is released by the writing of the result, and not before`() throws {
    var world = try World.live()
    #expect(world.at(.refreshIfDue(.appear)) == ["tryLock"])
    #expect(world.at(.lock(.held, .appear)) == ["requestUpdate"])
    world.session.update = .appear
    #expect(world.at(.updateRequested(.appear)) == [])
    world.take(.apply(ContentUpdate(view: Self.view(3)), .update))
    world.session.update = nil
    #expect(world.take(.updateEnded(Self.good)) == ["keepSnapshot", "keepHistory and release"])
  }

  @Test(arguments: [LockAttempt.busy, .foreign("a shell"), .unavailable])
  func `without the lock an update waits for another host, or is made`(
    attempt: LockAttempt
  ) throws {
    var world = try World.live()
    #expect(world.at(.refreshIfDue(.appear)) == ["tryLock"])
    let effects = world.at(.lock(attempt, .appear))
    #expect(effects == (attempt == .busy ? [] : ["requestUpdate"]))
    guard attempt == .busy else { return }
    world.pass(1)
    #expect(world.at(.timer) == ["tryLock"])
  }

  @Test func `a request that the session does not take releases the lock, and is tried later`()
    throws
  {
    var world = try World.live()
    world.at(.refreshIfDue(.appear))
    world.at(.lock(.held, .appear))
    #expect(world.at(.updateRequested(.appear)) == ["releaseLock", "keepHistory"])
    #expect(world.state.updates.schedule.timer?.reason == .appear)
  }

  @Test func `a lock that is taken for an update that another host has just made is released`()
    throws
  {
    var world = try World.live()
    world.at(.refreshIfDue(.appear))
    var other = RefreshHistory()
    (other.lastUpdate, other.lastGood) = (world.date, world.date)
    world.queries.history = { [other] in other }
    let effects = world.at(.lock(.held, .appear))
    #expect(effects.contains { $0.hasSuffix("release") || $0 == "releaseLock" }, "\(effects)")
    #expect(!effects.contains("update"), "\(effects)")
    #expect(world.state.updates.schedule.history.lastUpdate == world.date)
  }

  @Test func `an update of another host is taken over while the result of ours is awaited`() throws
  {
    var world = try World.live()
    world.session.update = .schedule
    world.session.awaitsUpdate = true
    world.at(.updateChanged)
    let key = world.state.display.snapshotKey
    let (made, view) = (world.date, Self.view(4))
    world.queries.snapshot = { _, _ in
      Snapshot(
        key: key,
        made: made,
        contentDate: made,
        view: view,
        preferredHeight: nil,
        timeline: nil
      )
    }
    var other = RefreshHistory()
    (other.lastUpdate, other.lastGood) = (made, made)
    world.at(.madeElsewhere(other))
    #expect(world.state.display.card.bodySize.rows == 4)
    #expect(world.state.updates.schedule.history.lastUpdate == made)
    world.pass(1)
    world.take(.apply(ContentUpdate(view: Self.view(3)), .update))
    world.session.update = nil
    world.session.awaitsUpdate = false
    #expect(
      world.take(.updateEnded(Self.good)).filter { $0.hasPrefix("keep") } == [
        "keepSnapshot", "keepHistory and release",
      ]
    )
    #expect(world.state.updates.schedule.history.lastUpdate == world.date)
  }

  @Test func `a lock that cannot be kept is released after what it was to be kept for`() throws {
    var world = try World.live()
    world.at(.refreshIfDue(.appear))
    world.at(.lock(.held, .appear))
    world.session.update = .appear
    world.at(.updateRequested(.appear))
    world.session.update = nil
    var outcome = Self.good
    outcome.refreshAfter = .seconds(1)
    world.queries.policy = { Self.fast }
    #expect(world.take(.updateEnded(outcome)) == ["keepLock", "keepSnapshot", "keepHistory"])
    #expect(world.at(.lockNotKept) == ["endKeepingLock", "keepHistory and release"])
  }

  private static let fast: RefreshPolicy = {
    var policy = RefreshPolicy()
    policy.floor = .seconds(1)
    return policy
  }()

  // MARK: - Transitions

  @Test func `content that comes during a transition ends it before the next one begins`() throws {
    var world = try World.live()
    world.at(.deliver(.action("more")))
    let first = world.take(.apply(ContentUpdate(view: Self.view(6)), .action))
    #expect(first == ["transition", "beginToMove"])
    world.pass(0.1)
    let second = world.take(.apply(ContentUpdate(view: Self.view(9)), .action))
    #expect(second == ["transitionEnded", "transition", "beginToMove"])
    world.pass(1)
    #expect(world.at(.timer).contains("transitionEnded"))
    #expect(world.state.display.card.bodySize.rows == 9)
  }

  @Test func `the page is hidden during a transition: it ends before the widget is told`() throws {
    var world = try World.live()
    world.at(.deliver(.action("more")))
    world.take(.apply(ContentUpdate(view: Self.view(6)), .action))
    #expect(world.at(.host(.background)).prefix(2) == ["transitionEnded", "host"])
  }

  // MARK: - Presses

  @Test func `a press waits while the process is started again, and is delivered to its view`()
    throws
  {
    var world = try World.live()
    world.take(.apply(ContentUpdate(view: Self.view(2, action: "go")), .push))
    let target = try #require(world.targets().first)
    (world.session.phase, world.session.hasProcess) = (.pausing, false)
    world.take(.health(.failed, message: "it has crashed"))
    #expect(world.at(.press(target)) == [])
    #expect(world.state.display.card.pressCue == "waiting")
    world.start()
    world.session.appearance = .appearing
    let content = ContentUpdate(view: Self.view(2, action: "go"))
    #expect(!world.take(.apply(content, .appearance)).contains("press"))
    world.session.appearance = .on
    #expect(world.take(.becameLive).contains("press"))
    #expect(world.state.display.card.pressCue == nil)
  }

  @Test func `a press that waits is dropped with a view that has no such element`() throws {
    var world = try World()
    world.open()
    #expect(world.at(.press(.action("go"))) == [])
    world.start()
    world.take(.apply(ContentUpdate(view: Self.view(2)), .appearance))
    #expect(!world.take(.becameLive).contains("press"))
    #expect(world.state.display.card.pressCue == "press dropped")
  }

  // MARK: - What is drawn

  @Test func `the files of pictures are looked for once when content comes`() throws {
    var world = try World.live()
    let looks = Looks()
    world.queries.image = { _, _ throws(ImageFault) in
      looks.count += 1
      return FoundImage(number: 1, pixels: Size(columns: 8, rows: 8))
    }
    let picture = ViewNode(.image(ImageContent(path: "a.png", alt: "a")))
    world.take(.apply(ContentUpdate(view: picture), .push))
    #expect(looks.count == 1)
    world.take(.apply(ContentUpdate(view: picture), .push))
    #expect(looks.count == 2)
    world.at(.toggleForm)
    world.at(.environmentChanged)
    #expect(looks.count == 2)
  }

  private final class Looks {
    var count = 0
  }

  @Test func `its revision changes with what is drawn of it, and with nothing else`() throws {
    var world = try World.live()
    let first = world.state.revision
    world.take(.apply(ContentUpdate(view: Self.view(2)), .push))
    world.at(.checkAge)
    world.at(.visible(true))
    world.at(.hostIsTheSame)
    #expect(world.state.revision == first)
    for event in [
      CardEvent.report(.apply(ContentUpdate(view: Self.view(3)), .push)),
      .deliver(.action("go")), .span(2), .cover(Self.view(1)), .environmentChanged,
    ] {
      let before = world.state.revision
      world.at(event)
      #expect(world.state.revision != before)
    }
  }
}

extension CardEvent {
  /// The page stays as it is.
  fileprivate static var hostIsTheSame: CardEvent { .host(.active) }
}

extension CardStateTests.World {
  /// The elements of the card that can be pressed.
  fileprivate mutating func targets() -> [PressTarget] {
    let context = CardContext(
      moment: Moment(now: now, date: date),
      environment: LayoutEnvironment(now: date)
    )
    return state.display.body(context).from.targets
  }
}
