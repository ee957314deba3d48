import WidgetPlatform

/// The reason why a URL was not opened, for the footer and the log.
public enum URLRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text is not a URL, or contains a character that is not allowed in one.
  case notURL(String)
  /// It exceeds the limit on bytes.
  case tooLong(bytes: Int, limit: Int)
  /// Nothing opens URLs with this scheme.
  case forbiddenScheme(String)
  /// A widget may open files only if its settings name them.
  case fileNotGranted
  /// The user has not permitted the app of the widget to open URLs with this scheme.
  case notPermitted(scheme: String)
  /// A widget of another machine may open addresses of the web alone.
  case ofOtherMachine(scheme: String)
  /// The user does not open it now; nothing is said, as the user knows.
  case notNow
  /// Another question to the user is open.
  case busy
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
  /// There is no program with which the desktop opens URLs.
  case noDesktop(scheme: String)
  /// The program that the user or the desktop has set is not installed.
  case missing(program: String)
  /// It is for the program itself, which cannot do what it asks for; the words say why.
  case notAnswered(String)
  /// Nothing opens it here, and the user has been shown its address instead.
  case shownInstead
  /// There is a handler, but it could not be started.
  case didNotStart(handler: String)

  /// Whether the user has been told, or has decided it, so that nothing more is said.
  package var isKnownToUser: Bool { self == .notNow || self == .shownInstead }

  /// Whether nothing on this machine opens such a URL.
  package var isForWantOfHandler: Bool {
    switch self {
    case .noHandler, .noDesktop, .missing, .didNotStart: true
    default: false
    }
  }

  /// A short description of the problem.
  public var description: String {
    switch self {
    case .notURL(let text): "“\(text.prefix(80))” is not a valid URL"
    case .tooLong(let bytes, let limit): "the URL has \(bytes) bytes, the limit is \(limit)"
    case .forbiddenScheme(let scheme): "“\(scheme):” is never opened"
    case .fileNotGranted: "it is not one of the files that the widget's settings name"
    case .notPermitted(let scheme): "the widget is not permitted to open “\(scheme.prefix(40)):”"
    case .ofOtherMachine(let scheme):
      "“\(scheme.prefix(40)):” is not opened for a page of another machine, only http and https"
    case .notNow: "the user chose not to open it now"
    case .busy: "another question is open"
    case .noHandler(let scheme): "no app opens “\(scheme.prefix(40)):”"
    case .noScreen: "no screen to open it on"
    case .tooManyHops(let count): "\(count) handlers have passed it on, the limit"
    case .tooSoon(let pause): "more than one in \(Int(pause.seconds)) s"
    case .nobodyPressed: "nobody pressed anything in the 10 s before"
    case .locked: "the page is locked"
    case .noDesktop(let scheme):
      "nothing opens “\(scheme.prefix(40)):”; install xdg-utils, or set openers in config.json"
    case .missing(let program): "there is no program “\(program.prefix(80))”"
    case .notAnswered(let words): words
    case .shownInstead: "nothing opens it here; its address was shown"
    case .didNotStart(let handler): "\(handler) could not be started"
    }
  }
}
