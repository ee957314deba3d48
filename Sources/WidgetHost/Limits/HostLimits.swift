public import WidgetKitCore

/// What a widget may send, be sent, and take.
public nonisolated struct HostLimits: Sendable {
  /// Bytes of one line.
  public var lineBytes = LineFramer.defaultByteLimit
  /// Nesting of one message.
  public var jsonDepth = IncomingLine.defaultDepthLimit
  /// Nodes, depth, rows, columns and text of a view.
  public var view = ViewLimits.standard
  /// Bytes read of a widget in a second, on average.
  public var inputBytesPerSecond = 256.0 * 1024
  /// Bytes read of a widget at once.
  public var inputBurstBytes = 1024.0 * 1024
  /// How long a widget may send more than that.
  public var inputEndurance: Duration = .seconds(10)
  /// Messages that may wait for a widget to read them.
  public var queuedMessages = 64
  /// Bytes that may wait for a widget to read them.
  public var queuedBytes = 256 * 1024
  /// Requests of a widget that may be open at once.
  public var openRequests = 64
  /// Pictures a second; what comes faster is dropped undecoded, the newest wins.
  public var picturesPerSecond = 30.0
  /// Rows of a card's body.
  public var bodyRows = 100
  /// Bytes of standard error that are kept in memory.
  public var errorRingBytes = 64 * 1024
  /// Bytes of a log; a log that is full is kept once more.
  public var logBytes = 1 << 20
  /// Lines of a log in a second; more are dropped and counted.
  public var logLinesPerSecond = 20
  /// Bytes of a URL that is opened.
  public var urlBytes = 2048
  /// How often a URL may be passed on by handlers.
  public var urlHops = 3
  /// From one URL that a widget opens to the next.
  public var openURLPause: Duration = .seconds(1)
  /// From one change of a card's height to the next, where nobody pressed anything.
  public var heightPause: Duration = .seconds(1)
  /// How many bundles are looked at and shown, and how long their property lists may be.
  public var bundles = BundleLimits()
  /// What it may hold of the machine.
  public var resources = ResourceLimits()
  /// What the kernel allows the process.
  public var process = ProcessLimits()

  /// Creates the defaults.
  public init() {}
}
