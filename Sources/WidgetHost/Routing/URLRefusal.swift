/// Why a URL was not opened, for the footer and the log.
public nonisolated enum URLRefusal: Hashable, Sendable, CustomStringConvertible {
  /// The text is no URL, or has a character that a URL cannot have.
  case notURL(String)
  /// It has more bytes than one may have.
  case tooLong(bytes: Int, limit: Int)
  /// No app registered its scheme, and the desktop is not asked for it.
  case noHandler(scheme: String)
  /// There is no screen that a handler could have.
  case noScreen
  /// Handlers have passed it on too often.
  case tooManyHops(Int)
  /// Another one was opened shortly before.
  case tooSoon(pause: Duration)
  /// A widget asked for it although nobody had pressed anything.
  case nobodyPressed
  /// There is a handler, and it could not be started.
  case didNotStart(handler: String)

  /// What is wrong, in a few words.
  public var description: String {
    switch self {
    case .notURL(let text): "“\(text.prefix(80))” is not a valid URL"
    case .tooLong(let bytes, let limit): "the URL has \(bytes) bytes, the limit is \(limit)"
    case .noHandler(let scheme): "no app opens “\(scheme.prefix(40)):”"
    case .noScreen: "no screen to open it on"
    case .tooManyHops(let count): "\(count) handlers have passed it on, the limit"
    case .tooSoon(let pause): "more than one in \(Int(pause.seconds)) s"
    case .nobodyPressed: "nobody pressed anything in the 10 s before"
    case .didNotStart(let handler): "\(handler) could not be started"
    }
  }
}
