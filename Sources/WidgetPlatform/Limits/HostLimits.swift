public import WidgetKitCore

/// The limits on what a widget may send, receive, and use.
public struct HostLimits: Sendable {
  /// Bytes of one line.
  public var lineBytes = LineFramer.defaultByteLimit
  /// Nesting depth of one message.
  public var jsonDepth = IncomingLine.defaultDepthLimit
  /// Nodes, depth, rows, columns and text of a view.
  public var view = ViewLimits.standard
  /// Bytes per second that are read from a widget, on average.
  public var inputBytesPerSecond = 256.0 * 1024
  /// Bytes that are read from a widget at once.
  public var inputBurstBytes = 1024.0 * 1024
  /// How long a widget may send more than that.
  public var inputEndurance: Duration = .seconds(10)
  /// Messages that may wait for a widget to read them.
  public var queuedMessages = 64
  /// Bytes that may wait for a widget to read them.
  public var queuedBytes = 256 * 1024
  /// Requests of a widget that may be open at the same time.
  public var openRequests = 64
  /// Pictures per second; if they come faster, older ones are dropped without decoding.
  public var picturesPerSecond = 30.0
  /// Rows of a card's body.
  public var bodyRows = 100
  /// Bytes of standard error that are kept in memory.
  public var errorRingBytes = 64 * 1024
  /// Bytes of a log; one full log is kept in addition to the current one.
  public var logBytes = 1 << 20
  /// Lines of a log per second; further lines are dropped and counted.
  public var logLinesPerSecond = 20
  /// Bytes of the content of a request, and of what is returned for it.
  public var requestBytes = 1 << 30
  /// Bytes of a URL that is opened.
  public var urlBytes = WebLink.byteLimit
  /// How often handlers may pass a URL on.
  public var urlHops = 3
  /// The shortest time between two URLs that a widget opens.
  public var openURLPause: Duration = .seconds(1)
  /// The shortest time between two changes of a card's height, unless the user pressed something.
  public var heightPause: Duration = .seconds(1)
  /// The limits on the number of bundles, and on the length of their property lists.
  public var bundles = BundleLimits()
  /// The limits on pictures.
  public var images = ImageLimits()
  /// The limits on the machine's resources.
  public var resources = ResourceLimits()
  /// The limits that the kernel enforces on the process.
  public var process = ProcessLimits()

  /// Creates the defaults.
  public init() {}
}
