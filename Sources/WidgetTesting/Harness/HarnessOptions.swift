public import FoundationEssentials

/// In which world a widget is tested.
public nonisolated struct HarnessOptions: Sendable {
  /// The environment of the author; its folders are replaced by temporary ones.
  public var environment: [String: String]
  /// The time at which the test begins.
  public var now: Date
  /// The user's zone, a tz database name.
  public var timeZone = "UTC"
  /// The user's locale, such as `en_GB`.
  public var locale = "en"
  /// The settings of the widget, as JSON: an object as in `widgets` of config.json.
  public var configuration = "{}"
  /// Whether changes of height are animated.
  public var animates = false
  /// How long the widget may take for a step, in real time.
  public var patience: Duration = .seconds(10)
  /// What goes wrong in the test.
  public var faults: Set<HarnessFault> = []
  /// The file to which all messages are written; nil for none.
  public var tracePath: String?
  /// Where each page of a test of several has a trace of its own; it comes before the one file.
  package var traces: TraceSeries?
  /// What the next page is for, in the name of its trace.
  var part = "page"

  /// A test at 2031-02-03T04:05:06Z.
  ///
  /// - Parameter environment: The environment of the author.
  public init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.environment = environment
    now = Date(timeIntervalSince1970: 1_927_857_906)
  }
}
