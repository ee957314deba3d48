import WidgetKitCore
import WidgetPlatform

/// Plugins of xbar, SwiftBar and Argos, also those that go on printing menus (`~~~`).
struct XbarAdapter: ScriptAdapter {
  private let dialect: XbarDialect
  private let follows: Bool
  private var buffer = ScriptBuffer()
  private var stream: XbarStream
  private var folds = XbarFolds()
  private var isDark = true
  private let path: String

  init(_ dialect: XbarDialect, _ script: ScriptProgram) {
    self.dialect = dialect
    path = script.path
    follows = script.follows
    stream = XbarStream(isTrailing: script.options.endsBlocks)
  }

  func variables(_ request: InitializeRequest) -> [String: String] {
    dialect.variables(request, of: path)
  }

  mutating func begin() {
    buffer.begin()
    stream.begin()
  }

  mutating func append(_ bytes: [UInt8]) {
    if follows { stream.append(bytes) } else { buffer.append(bytes) }
  }

  mutating func content(_ end: TerminationStatus?, at now: ContinuousClock.Instant) -> ScriptContent
  {
    // Argos shows what a plugin prints whatever its exit status is.
    if dialect != .argos, let failure = ScriptContent.failure(end) { return failure }
    if end != nil { stream.finish() }
    guard let bytes = follows ? stream.newest : buffer.bytes else { return .nothing }
    var text = String(decoding: bytes, as: UTF8.self)
    // It shows the name of a plugin that prints nothing.
    if dialect == .argos, text.allSatisfy(\.isWhitespace) { text = OwnPath.split(path).name }
    let menu = XbarMenu(text, dialect)
    return .picture(XbarView.picture(of: menu, dialect, isDark: isDark, &folds))
  }

  mutating func appearanceDidChange(isDark: Bool) { self.isDark = isDark }

  mutating func press(_ action: String) -> ScriptPress {
    ScriptCommand(action: action).map { .command($0) } ?? .refresh
  }
}

extension XbarDialect {
  /// The variables that the program of the dialect sets for the plugin at `path`.
  func variables(_ request: InitializeRequest, of path: String) -> [String: String] {
    let isDark = request.appearance.dark
    return switch self {
    case .xbar: ["XBARDarkMode": "\(isDark)", "BitBarDarkMode": isDark ? "1" : "0"]
    case .swiftbar:
      [
        "SWIFTBAR": "1", "SWIFTBAR_VERSION": "2.0.0", "SWIFTBAR_BUILD": "500",
        "SWIFTBAR_PLUGIN_PATH": path, "SWIFTBAR_PLUGINS_PATH": OwnPath.split(path).folder,
        "SWIFTBAR_PLUGIN_CACHE_PATH": request.containers.cache,
        "SWIFTBAR_PLUGIN_DATA_PATH": request.containers.data,
        "OS_APPEARANCE": isDark ? "Dark" : "Light",
      ]
    case .argos: ["ARGOS_VERSION": "2", "ARGOS_MENU_OPEN": "false"]
    }
  }
}

/// What a plugin prints that goes on: menus with a line `~~~` between them.
struct XbarStream {
  /// The bytes of a menu that are kept.
  private static let byteLimit = 256 * 1024

  /// Whether the line ends a menu, which is shown then; otherwise it begins one, which is shown as it grows.
  private let isTrailing: Bool
  private var lines: [UInt8] = []
  private var pending: [UInt8] = []
  private var complete: [UInt8]?

  init(isTrailing: Bool) {
    self.isTrailing = isTrailing
  }

  mutating func begin() {
    lines = []
    pending = []
  }

  mutating func append(_ bytes: [UInt8]) {
    var pieces = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let last = pieces.removeLast()
    for piece in pieces {
      take(pending + piece)
      pending = []
    }
    pending += last.prefix(max(0, Self.byteLimit - pending.count))
  }

  /// Takes the last line, which may have no end.
  mutating func finish() {
    if !pending.isEmpty { take(pending) }
    pending = []
  }

  private mutating func take(_ line: [UInt8]) {
    var plain = line
    if line.first == 0x1B {
      plain = Array(ControlSequence.removed(from: String(decoding: line, as: UTF8.self)).utf8)
    }
    guard plain.starts(with: Array("~~~".utf8)) else {
      if lines.count + line.count < Self.byteLimit { lines += line + [UInt8(ascii: "\n")] }
      return
    }
    if isTrailing { complete = lines }
    lines = []
  }

  /// The menu that is shown; nil if none has begun.
  var newest: [UInt8]? {
    if isTrailing { return complete ?? (lines.isEmpty ? nil : lines) }
    return lines.isEmpty ? nil : lines
  }
}
