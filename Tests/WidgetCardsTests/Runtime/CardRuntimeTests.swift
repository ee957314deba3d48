import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetExtensions
@testable import WidgetPlatform
@testable import WidgetSessions

/// A card on a page that only takes notes: without an engine, a process, or other cards.
@Suite struct CardRuntimeTests {
  private final class NotingPage: CardPage, CardPageServices {
    func unsay(_ words: SafeText) {}
    var animates = true
    func host(of id: CardID) -> RemoteDestination? { nil }
    var isGatheringFirstContent = false
    private(set) var changes = 0
    private(set) var opened: [String] = []
    private let clock: VirtualClock

    init(clock: VirtualClock) {
      self.clock = clock
    }

    var environment: LayoutEnvironment { LayoutEnvironment(now: clock.date) }

    func cardDidChange() { changes += 1 }
    func cardDidBeginToMove() {}
    func cardFormWasChosen() {}
    func say(_ words: SafeText) {}
    func cardDidUpdate(_ id: CardID, _ outcome: CompletedUpdate) {}
    func cardDidFinish() {}
    func cardMayHaveSettled() {}
    var services: any CardPageServices { self }
    func refusal(of request: SetHasContentRequest, from id: CardID) -> WireError? { nil }
    func setHasContent(_ request: SetHasContentRequest, from id: CardID) {}
    func isGranted(_ entitlement: Entitlement, to id: CardID) -> Bool { false }
    func searchScripts(completion: @escaping () -> Void) { completion() }
    func transfer(_ event: CardTransferEvent, of id: CardID) {}

    func run(
      _ request: RunCommandRequest,
      _ call: ServiceCall,
      of id: CardID,
      sincePress: Duration?
    ) {}
    func alert(_ request: AlertRequest, _ call: ServiceCall, of id: CardID) {}
    func notice(
      _ request: NoticeRequest,
      _ call: ServiceCall,
      of id: CardID,
      sincePress: Duration?
    ) {}
    func configure(
      _ request: SetConfigurationRequest,
      _ call: ServiceCall,
      of id: CardID,
      sincePress: Duration?
    ) {}
    func isTrusted(_ sender: URLSender) -> Bool { false }
    func open(_ url: String, for sender: URLSender, completion: @escaping (URLRefusal?) -> Void) {
      opened.append(url)
      completion(nil)
    }
  }

  private final class World {
    let folder: BundleFolder
    let clock = VirtualClock()
    let store: SnapshotStore
    let page: NotingPage
    let card: CardRuntime

    init() throws {
      folder = try BundleFolder()
      store = SnapshotStore(folder: "\(folder.path)/snapshots", clock: clock)
      page = NotingPage(clock: clock)
      let folders = StateFolders(environment: ["HOME": folder.path])
      let services = CardServices(
        clock: clock,
        limits: HostLimits(),
        refreshPolicy: CurrentRefreshPolicy(RefreshPolicy()),
        waitingPresses: 2,
        localeIdentifier: "en",
        schedulesUpdates: { _ in true },
        store: store,
        histories: SharedHistories(
          histories: RefreshHistories(folders),
          locks: RefreshLocks(folder: folders.locks),
          afterWriting: { [store] in store.afterWriting($0) }
        ),
        images: ImageLibrary(drawer: ImageDecoder(program: nil, clock: clock)),
        folders: folders
      )
      card = CardRuntime(id: CardID("com.example.A"), name: "A", services: services, page: page)
    }

    /// Stores a view as another host does, made `age` seconds ago.
    func keep(_ words: SafeText, age: Double, timeline: Timeline? = nil) {
      let made = clock.date.addingTimeInterval(-age)
      let view = ViewNode(.text(TextContent(spans: [TextSpan(words)])))
      store.keep(
        Snapshot(
          key: card.state.display.snapshotKey,
          made: made,
          contentDate: made,
          view: view,
          preferredHeight: 2,
          timeline: timeline
        )
      )
      store.drain()
    }

    /// The first row of the card.
    var words: String {
      card.body(at: clock.now).from.runs.filter { $0.position.row == 0 }
        .flatMap { $0.cells.map(\.glyph.text) }.joined()
    }
  }

  @Test func `the stored view is shown at the width of the page, without a widget`() throws {
    let world = try World()
    world.keep("stored", age: 60)
    world.card.send(.frame(innerWidth: 30, leastRows: nil, showsSnapshot: true))
    #expect(world.card.card.state == .snapshot)
    #expect(world.words == "stored")
    #expect(world.card.card.bodySize == Size(columns: 28, rows: 2))
  }

  @Test func `a newer view of another host replaces it, an older one does not`() throws {
    let world = try World()
    world.keep("stored", age: 60)
    world.card.send(.frame(innerWidth: 30, leastRows: nil, showsSnapshot: true))
    world.keep("newer", age: 30)
    let changes = world.page.changes
    world.card.send(.madeElsewhere(nil))
    #expect(world.words == "newer")
    #expect(world.page.changes > changes)
    world.keep("older", age: 90)
    world.card.send(.madeElsewhere(nil))
    #expect(world.words == "newer")
  }

  @Test func `entries of a timeline are shown at their times without a widget`() throws {
    let world = try World()
    let entry = TimelineEntry(
      date: world.clock.date.addingTimeInterval(10),
      content: ContentUpdate(view: ViewNode(.text(TextContent(spans: [TextSpan("later")]))))
    )
    world.keep("now", age: 5, timeline: Timeline(entries: [entry], policy: .never))
    world.card.send(.frame(innerWidth: 30, leastRows: nil, showsSnapshot: true))
    world.clock.advance(by: .seconds(9))
    #expect(world.words == "now")
    world.clock.advance(by: .seconds(1))
    #expect(world.words == "later")
  }

  @Test func `a card that is hidden looks for no picture and takes no press`() throws {
    let world = try World()
    world.keep("stored", age: 60)
    world.card.send(.hidden(true))
    world.card.send(.frame(innerWidth: 30, leastRows: nil, showsSnapshot: true))
    let target = PressTarget(
      frame: .zero,
      elementID: "a",
      action: "a",
      link: nil,
      newValue: nil,
      label: "a"
    )
    world.card.send(.press(target))
    #expect(world.card.card.view == nil)
    #expect(world.card.card.pressCue == nil)
  }
}
