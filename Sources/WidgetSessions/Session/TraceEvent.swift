package import WidgetKitCore
package import WidgetPlatform

/// What a trace has beside messages: what the host does, and what happens to it.
package enum TraceEvent: Hashable, Sendable {
  /// A process of a widget with this name was started, for a reason.
  case start(name: String, CardMark, reason: String)
  /// It has ended.
  case exit(TerminationStatus)
  /// It was suspended, or runs again.
  case suspend
  case resume
  /// A row of the card is on the page that is shown, or none any more.
  case onScreen
  case offScreen
  /// The page is shown and has the focus, or not.
  case host(HostState)
  /// All widgets are suspended, as on Ctrl-Z, and go on.
  case pause
  case unpause
  /// The card goes, as it has no content.
  case hide
  /// Something did not happen in its time.
  case timeout(String)
  /// The screen has another size.
  case size(Size)
  /// The user has pressed something.
  case input(String)
  /// A picture of the page was made, by `today snapshot`.
  case picture

  /// A value of a member.
  enum Detail: Hashable, Sendable {
    case number(Int)
    case text(String)
  }

  /// The name in the trace.
  var name: String {
    switch self {
    case .start: "start"
    case .exit: "exit"
    case .suspend: "suspend"
    case .resume: "resume"
    case .onScreen: "onScreen"
    case .offScreen: "offScreen"
    case .host: "host"
    case .pause: "pause"
    case .unpause: "unpause"
    case .hide: "hide"
    case .timeout: "timeout"
    case .size: "size"
    case .input: "input"
    case .picture: "picture"
    }
  }

  /// The members beside the name.
  var details: [(String, Detail)] {
    switch self {
    case .start(let name, let mark, let reason):
      [("reason", .text(reason)), ("name", .text(name))]
        + [("glyph", mark.glyph?.string), ("tint", mark.tintText)]
        .compactMap { name, text in text.map { (name, .text($0)) } }
    case .exit(let status): [("status", .text(status.description))]
    case .suspend, .resume, .picture, .onScreen, .offScreen, .pause, .unpause, .hide: []
    case .host(let state): [("state", .text("\(state)"))]
    case .timeout(let deadline): [("deadline", .text(deadline))]
    case .size(let size): [("width", .number(size.columns)), ("height", .number(size.rows))]
    case .input(let element): [("element", .text(element))]
    }
  }
}
