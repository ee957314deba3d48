import Testing
import WidgetKitCore

@testable import WidgetExtensions
@testable import WidgetSessions

/// The state of a session with a simulated clock: events at given seconds in, effects out.
///
/// A class, because `#expect` takes no mutating calls.
final class SessionScript {
  private(set) var state: SessionState
  let start = ContinuousClock.now

  init(_ policy: SessionPolicy = SessionPolicy()) {
    state = SessionState(policy: policy)
  }

  /// A session that is running and visible.
  static func live(_ implements: [String] = []) -> SessionScript {
    let script = SessionScript()
    script.launch(implements)
    return script
  }

  /// Handles an event at the start.
  @discardableResult
  func at(_ event: SessionEvent) -> [SessionEffect] { at(0, event) }

  /// Handles an event, `seconds` after the start.
  @discardableResult
  func at(_ seconds: Double, _ event: SessionEvent) -> [SessionEffect] {
    state.handle(event, at: start + .seconds(seconds))
  }

  /// Shows the card and starts the process, with `initialize` answered.
  @discardableResult
  func launch(
    _ implements: [String] = [],
    content: ContentUpdate = ContentUpdate(),
    at seconds: Double = 0
  ) -> [SessionEffect] {
    at(seconds, .appear(size: .sample, animated: false))
    at(seconds, .launched(.sample))
    return initialize(implements, content: content, at: seconds)
  }

  /// Answers `initialize`.
  @discardableResult
  func initialize(
    _ implements: [String] = [],
    content: ContentUpdate = ContentUpdate(),
    at seconds: Double = 0
  ) -> [SessionEffect] {
    let reply = InitializeRequest.Reply(implements: implements, content: content)
    return at(seconds, .replied(.initialize(reply)))
  }
}

extension Size {
  nonisolated static let sample = Size(columns: 36, rows: 4)
}

extension InitializeRequest {
  /// A first message like a dashboard's.
  nonisolated static let sample = InitializeRequest(
    host: HostInfo(name: "today", version: "0"),
    bundleIdentifier: "com.example.Sample",
    reason: .appear,
    activeDisplayMode: .compact,
    maximumSize: Size(columns: 36, rows: 100),
    marginInsets: .proposed,
    locale: "en_GB",
    timeZone: "UTC",
    appearance: Appearance(colors: 256, dark: true),
    containers: Containers(data: "/nowhere", cache: "/nowhere")
  )
}

extension ContentUpdate {
  /// A view of a few words.
  nonisolated static func words(_ text: SafeText) -> ContentUpdate {
    ContentUpdate(view: .words(text))
  }
}

extension ViewNode {
  nonisolated static func words(_ text: SafeText) -> ViewNode {
    ViewNode(.text(TextContent(spans: [TextSpan(text)])))
  }
}

/// The effects on the card without `card`, so that a list of them is short.
extension SessionEffect {
  nonisolated static func apply(_ content: ContentUpdate, _ source: ContentSource) -> Self {
    .card(.apply(content, source))
  }
  nonisolated static var becameLive: Self { .card(.becameLive) }
  nonisolated static var disappeared: Self { .card(.disappeared) }
  nonisolated static func health(_ state: CardStatus, message: String?) -> Self {
    .card(.health(state, message: message))
  }
  nonisolated static func marginInsets(_ insets: EdgeInsets) -> Self {
    .card(.marginInsets(insets))
  }
  nonisolated static func largestDisplayMode(_ mode: DisplayMode) -> Self {
    .card(.largestDisplayMode(mode))
  }
  nonisolated static func alongside(transition: Int, _ view: ViewNode?) -> Self {
    .card(.alongside(transition: transition, view))
  }
  nonisolated static func updateEnded(_ outcome: CompletedUpdate) -> Self {
    .card(.updateEnded(outcome))
  }
  nonisolated static func open(url: String, id: MessageID?) -> Self {
    .card(.open(url: url, id: id))
  }
  nonisolated static var pressDropped: Self { .card(.pressDropped) }
  nonisolated static func pressEnded(action: String, failure: String?) -> Self {
    .card(.pressEnded(action: action, failure: failure))
  }
  nonisolated static func listEnded(_ change: ListChange, _ outcome: ListOutcome) -> Self {
    .card(.listEnded(change, outcome))
  }
  nonisolated static func edited(_ isEdited: Bool) -> Self { .card(.edited(isEdited)) }
  nonisolated static var leaving: Self { .card(.leaving) }
  nonisolated static var finished: Self { .card(.finished) }
}

extension [SessionEffect] {
  /// The sent messages, in order.
  var sent: [HostMessage] {
    compactMap { if case .process(.send(let message)) = $0 { message } else { nil } }
  }

  /// The lines for the log.
  var log: [String] {
    compactMap { if case .process(.log(let line, _)) = $0 { line } else { nil } }
  }

  /// The message in the heading.
  var healths: [SessionEffect] {
    filter { if case .card(.health) = $0 { true } else { false } }
  }

  /// How often the session reported its end.
  var finishes: Int { count { $0 == .finished } }
}
