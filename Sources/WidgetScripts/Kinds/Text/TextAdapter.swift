import WidgetKitCore
import WidgetPlatform

/// Plain text: what was printed, or the last lines of a script that goes on.
///
/// A script that does not say its format prints a menu if there is a line `---`, and a parameter behind a `|`, and a module
/// of Waybar if all of it is a line with an object that has a text, and no member of something else.
struct TextAdapter: ScriptAdapter {
  private let script: ScriptProgram
  private let lines: Int
  private let follows: Bool
  private let path: String
  private let hasFormat: Bool
  private var buffer = ScriptBuffer()
  private var tail: ScriptTail
  private var isFresh = true
  private var folds = XbarFolds()
  private var isDark = true

  init(_ script: ScriptProgram) {
    self.script = script
    lines = script.lines
    follows = script.follows
    path = script.path
    hasFormat = script.options.format != nil
    tail = ScriptTail(limit: Int(clamping: lines.magnitude))
  }

  func variables(_ request: InitializeRequest) -> [String: String] {
    hasFormat ? [:] : XbarDialect.xbar.variables(request, of: path)
  }

  mutating func begin() {
    buffer.begin()
    // The last lines of the run before stay until this one has printed something.
    isFresh = true
  }

  mutating func append(_ bytes: [UInt8]) {
    guard follows else { return buffer.append(bytes) }
    if isFresh { tail = ScriptTail(limit: Int(clamping: lines.magnitude)) }
    isFresh = false
    tail.append(bytes)
  }

  mutating func content(_ end: TerminationStatus?, at now: ContinuousClock.Instant) -> ScriptContent
  {
    if let failure = ScriptContent.failure(end) { return failure }
    if follows {
      let view = ScriptText.view(of: tail.output, lines: -Int(clamping: lines.magnitude))
      return .picture(ScriptPicture(view: view, number: ScriptNumber.first(in: tail.output)))
    }
    if !hasFormat, Self.isMenu(buffer.bytes) {
      let menu = XbarMenu(String(decoding: buffer.bytes, as: UTF8.self), .xbar)
      return .picture(XbarView.picture(of: menu, .xbar, isDark: isDark, &folds))
    }
    if !hasFormat, WaybarModule.isState(buffer.bytes) {
      var module = WaybarAdapter(script)
      module.begin()
      module.append(buffer.bytes)
      return module.content(end, at: now)
    }
    let view = ScriptText.view(of: buffer.bytes, lines: lines)
    return .picture(ScriptPicture(view: view, number: ScriptNumber.first(in: buffer.bytes)))
  }

  mutating func appearanceDidChange(isDark: Bool) { self.isDark = isDark }

  mutating func press(_ action: String) -> ScriptPress {
    ScriptCommand(action: action).map { .command($0) } ?? .refresh
  }

  /// Whether a line is `---`, whatever blanks are behind it.
  private static func isSeparator(_ line: ArraySlice<UInt8>) -> Bool {
    line.starts(with: "---".utf8)
      && line.dropFirst(3).allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
  }

  private static func isMenu(_ output: [UInt8]) -> Bool {
    let lines = output.split(separator: UInt8(ascii: "\n"), maxSplits: 1_000)
    guard lines.contains(where: isSeparator) else { return false }
    // A table has bars, too.
    return lines.contains { line in
      guard let bar = line.firstIndex(of: UInt8(ascii: "|")) else { return false }
      let rest = line[(bar + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
      return XbarParameters.beginsParameter(
        String(decoding: rest.prefix(100), as: UTF8.self).unicodeScalars[...]
      )
    }
  }
}
