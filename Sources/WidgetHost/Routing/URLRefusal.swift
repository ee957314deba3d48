/// The reason why a URL was not opened, for the footer and the log.
public nonisolated enum URLRefusal: Hashable, Sendable, CustomStringConvertible {
  /// The text is not a URL, or contains a character that is not allowed in one.
  case notURL(String)
  /// It exceeds the limit on bytes.
  case tooLong(bytes: Int, limit: Int)
  /// No app has registered its scheme, and it is not a scheme for the desktop.
  case noHandler(scheme: String)
  /// There is no screen for a handler.
  case noScreen
  /// Handlers have passed it on too often.
  case tooManyHops(Int)
  /// Another URL was opened shortly before.
  case tooSoon(pause: Duration)
  /// A widget requested it although the user had not pressed anything.
  case nobodyPressed
  /// The page is locked.
  case locked
  /// There is a handler, but it could not be started.
  case didNotStart(handler: String)

  /// A short description of the problem.
  public var description: String {
    switch self {
    case .notURL(let text): "“\(text.prefix(80))” is not a valid URL"
    case .tooLong(let bytes, let limit): "the URL has \(bytes) bytes, the limit is \(limit)"
    case .noHandler(let scheme): "no app opens “\(scheme.prefix(40)):”"
    case .noScreen: "no screen to open it on"
    case .tooManyHops(let count): "\(count) handlers have passed it on, the limit"
    case .tooSoon(let pause): "more than one in \(Int(pause.seconds)) s"
    case .nobodyPressed: "nobody pressed anything in the 10 s before"
    case .locked: "the page is locked"
    case .didNotStart(let handler): "\(handler) could not be started"
    }
  }
}
