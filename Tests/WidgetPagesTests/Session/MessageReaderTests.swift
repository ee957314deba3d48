import Testing
import WidgetKitCore
import WidgetTesting

@testable import WidgetExtensions
@testable import WidgetPlatform
@testable import WidgetSessions

/// A reader without a session: lines in, events out.
@Suite struct MessageReaderTests {
  /// What the reader reported, in words.
  private final class Owner: MessageReaderOwner {
    private(set) var reports: [String] = []

    func handle(_ event: SessionEvent) {
      switch event {
      case .replied(.performAction(let action, _)): reports.append("answer to \(action)")
      case .replied(.refused(let call, let error)):
        reports.append("\(call.method): \(error.code.rawValue)")
      case .received(.setView): reports.append("view")
      case .received(.setPreferredContentSize): reports.append("height")
      case .strayReply: reports.append("stray")
      case .violation(let words): reports.append(words)
      default: reports.append("something else")
      }
    }

    func note(_ line: ArraySlice<UInt8>, isJSON: Bool) {}
    func note(_ message: SaidMessage) {}

    func refuse(_ error: WireError, id: MessageID?) {
      reports.append("refused: \(error.code.rawValue)")
    }

    func processDidEnd(_ status: TerminationStatus) {
      reports.append("ended: \(status)")
    }
  }

  private let owner = Owner()
  private let clock = VirtualClock()

  private func reader(lastRequestID: Int = 0) -> MessageReader {
    let clock = clock
    let services = SessionServices(
      clock: clock,
      limits: HostLimits(),
      policy: SessionPolicy(),
      launcher: { _, _, _ throws(HostError) in FakeWidget(answers: [:]) { _ in } },
      resources: ResourceWatch(
        clock: clock,
        limits: MemoryLimits(),
        measure: { _, _ in [:] },
        measureStorage: { _, _ in },
        trim: {}
      ),
      secrets: { SecretAccess($0, SecretStorage(files: StateFolders(environment: [:]))) },
      sharedData: SharedDataWatch(clock: clock, folders: StateFolders(environment: [:])),
      log: { _ in WidgetLog(path: "/nowhere", clock: clock) },
      runsPath: { _ in "/nowhere" }
    )
    let log = WidgetLog(path: "/nowhere", clock: clock)
    return MessageReader(
      owner: owner,
      id: EngineWorld.id,
      services: services,
      log: log,
      types: UnknownTypes(limits: ViewLimits(), log: log),
      lastRequestID: lastRequestID
    )
  }

  private func receive(_ reader: MessageReader, _ json: String) {
    reader.receive(.line(Array(json.utf8)[...]))
  }

  @Test("a request is answered once")
  func answers() {
    let reader = reader(lastRequestID: 7)
    #expect(reader.expectAnswer(to: .performAction("go")) == 8)
    for _ in 0..<2 { receive(reader, #"{"jsonrpc":"2.0","id":8,"result":null}"#) }
    receive(reader, #"{"jsonrpc":"2.0","id":1,"result":null}"#)
    #expect(owner.reports == ["answer to go", "stray", "stray"])
    #expect(!reader.awaitsAnswers)
  }

  @Test("an answer that cannot be read ends the wait for it")
  func unreadable() {
    let reader = reader()
    let id = reader.expectAnswer(to: .widgetMarginInsets)
    receive(reader, #"{"jsonrpc":"2.0","id":\#(id),"result":oops}"#)
    #expect(owner.reports == ["refused: -32700", "widgetMarginInsets: -32700"])
    #expect(!reader.awaitsAnswers)
  }

  @Test("the last view precedes the end of the process, and is not shown again")
  func end() {
    let reader = reader()
    receive(reader, #"{"jsonrpc":"2.0","method":"setView","params":{"view":"first"}}"#)
    receive(reader, #"{"jsonrpc":"2.0","method":"setView","params":{"view":"last"}}"#)
    reader.receive(.ended(.exited(0)))
    clock.advance(by: .seconds(1))
    #expect(owner.reports == ["view", "ended: exit 0"])
  }

  @Test("a forgotten update is not answered")
  func forgottenUpdate() {
    let reader = reader()
    let update = reader.expectAnswer(to: .widgetPerformUpdate(.user))
    _ = reader.expectAnswer(to: .performAction("go"))
    reader.forgetUpdate()
    #expect(reader.awaitsAnswers)
    receive(reader, #"{"jsonrpc":"2.0","id":\#(update),"result":{"result":"noData"}}"#)
    #expect(owner.reports == ["stray"])
  }

  @Test("a request of the widget is open until it is closed")
  func openRequests() {
    let reader = reader()
    reader.open(.number(1))
    #expect(reader.close(.number(1)))
    #expect(!reader.close(.number(1)))
  }
}
