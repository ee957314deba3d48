import Testing
import WidgetKitCore

@testable import WidgetHost

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
