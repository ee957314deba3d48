import Testing
import WidgetKitCore

@testable import WidgetHost

/// A session's state with a clock in hand: events at given seconds, effects out.
///
/// A class, because `#expect` takes no mutating calls.
final class SessionScript {
  private(set) var state: SessionState
  let start = ContinuousClock.now

  init(_ policy: SessionPolicy = SessionPolicy()) {
    state = SessionState(policy: policy)
  }

  /// A session that is running and on the screen.
  static func live(_ implements: [String] = []) -> SessionScript {
    let script = SessionScript()
    script.launch(implements)
    return script
  }

  /// Takes an event at the start.
  @discardableResult
  func at(_ event: SessionEvent) -> [SessionEffect] { at(0, event) }

  /// Takes an event, `seconds` after the start.
  @discardableResult
  func at(_ seconds: Double, _ event: SessionEvent) -> [SessionEffect] {
    state.handle(event, at: start + .seconds(seconds))
  }

  /// Brings the card on the screen and the process up, with `initialize` answered.
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
  /// What is sent, in order.
  var sent: [HostMessage] {
    compactMap { if case .process(.send(let message)) = $0 { message } else { nil } }
  }

  /// What the log is told.
  var log: [String] {
    compactMap { if case .process(.log(let line, _)) = $0 { line } else { nil } }
  }

  /// What the heading says.
  var healths: [SessionEffect] {
    filter { if case .card(.health) = $0 { true } else { false } }
  }

  /// How often the session said that it is over.
  var finishes: Int { count { $0 == .finished } }
}
