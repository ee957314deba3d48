import FoundationEssentials
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// What is shown of a message of a broker, which anybody may have sent.
///
/// With a format, the payload is read as what a script prints. Without one it is, in this order, a snapshot of a card, an
/// object such as `{"title": "WAN", "text": "up", "value": 71, "status": "ok"}`, a number, or text.
struct BrokerContent: Sendable {
  private let script: ScriptProgram
  private let limits: HostLimits

  /// The formats in which a payload can be; others have commands in them, or are of programs that go on.
  private static let formats: Set<ScriptFormat> = [.text, .json, .nagios, .prometheus]
  private static let lineLimit = 20
  private static let textLimit = 4_000

  init(_ script: ScriptProgram, limits: HostLimits) {
    (self.script, self.limits) = (script, limits)
  }

  /// What is shown of a payload; this can take some time.
  func content(of payload: [UInt8]) -> ScriptContent {
    guard !payload.isEmpty else { return .picture(ScriptPicture(view: ScriptWords.nothing)) }
    guard let format = script.options.format else { return found(payload) }
    guard Self.formats.contains(format) else {
      return .failure("messages cannot have the format \(format.rawValue)")
    }
    var adapter = script.adapter
    adapter.begin()
    adapter.append(payload)
    // A message has no exit status, in which plugins of Nagios report their state.
    let text = format == .nagios ? String(decoding: payload, as: UTF8.self) : nil
    let end = TerminationStatus.exited(
      text.map { NagiosState(saidBy: NagiosOutput($0)).status } ?? 0
    )
    let content = adapter.task(end).map { $0() } ?? adapter.content(end, at: .now)
    guard case .picture(var picture) = content else { return content }
    picture.view = HarmlessView.of(picture.view)
    return .picture(picture)
  }

  private func found(_ payload: [UInt8]) -> ScriptContent {
    guard let text = String(validating: payload, as: UTF8.self) else {
      return .failure("the message is not UTF-8 text")
    }
    guard let tree = try? JSONTree(payload) else { return .picture(picture(of: text)) }
    if let members = tree.members { return content(of: members) }
    guard let number = tree.number else { return .picture(picture(of: text)) }
    return .picture(ScriptPicture(view: picture(of: text).view, number: number))
  }

  // MARK: - Objects

  private func content(of members: [JSONTree.Member]) -> ScriptContent {
    // The object of “today snapshot --format json” has one card, or several.
    if let card = members["cards"]?.items?.first?.members { return content(of: card) }
    if let view = members["view"], view.members != nil { return content(of: view) }
    if let error = members["error"]?.string, !error.allSatisfy(\.isWhitespace) {
      return .failure(error)
    }
    return .picture(picture(of: members))
  }

  /// A view as a widget would send it, with its limits.
  private func content(of view: JSONTree) -> ScriptContent {
    var line = Array("{\"jsonrpc\":\"2.0\",\"method\":\"setView\",\"params\":{\"view\":".utf8)
    line += view.json + Array("}}".utf8)
    do {
      let message = try IncomingLine(line[...], depthLimit: limits.jsonDepth)
      let budget = ViewBudget(limits.view)
      let said = try message.decode(SetViewNotification.self, budget: budget)
      return .picture(ScriptPicture(view: HarmlessView.of(said.view)))
    } catch {
      return .failure("the view cannot be shown: \(error)")
    }
  }

  /// The object that is easy to write: `title`, `text`, `value` from 0 to 100, and `status`.
  private func picture(of members: [JSONTree.Member]) -> ScriptPicture {
    var rows: [ViewNode] = []
    let color = Self.color(members["status"]?.string)
    let title = members["title"]?.string.map { SafeText($0).onOneLine }
    if let title, title != script.options.title, !title.isEmpty {
      rows.append(ScriptWords.text(title.string, bold: true))
    }
    if let text = members["text"], text.members == nil { rows += Self.lines(text.words, color) }
    let unit = members["unit"]?.string.map { " \($0.prefix(20))" }
    // Many programs publish numbers as text, which is one with a unit.
    let value = members["value"]
    let number = value.flatMap { $0.number ?? $0.string.flatMap(Self.number) }
    if let number, number.isFinite, value?.number != nil || unit != nil {
      let words = unit ?? " %"
      var gauge = GaugeContent(value: min(max(number, 0), 100), maximum: 100)
      gauge.valueLabel = SafeText(ScriptNumber.words(number) + words)
      var node = ViewNode(.gauge(gauge))
      if let color { node.style = TextStyle(foreground: color) }
      rows.append(node)
    } else if let value {
      rows += Self.lines(value.words + (unit ?? ""), color)
    }
    if let status = members["status"]?.string, members["text"] == nil, number == nil {
      rows += Self.lines(status, color)
    }
    guard rows.isEmpty else { return ScriptPicture(view: ScriptWords.stack(rows), number: number) }
    // Nothing of it is known by name: each member is a row.
    let limit = Self.lineLimit
    for member in members.prefix(limit) {
      let words = SafeText("\(member.name.prefix(60)): \(member.value.words.prefix(200))")
      rows.append(ScriptWords.text(words.onOneLine.string))
    }
    if members.count > limit { rows.append(ScriptWords.more(members.count - limit)) }
    return ScriptPicture(view: rows.isEmpty ? ScriptWords.nothing : ScriptWords.stack(rows))
  }

  /// The number that a text is; nil for any other.
  private static func number(in text: String) -> Double? {
    let scalars = text.unicodeScalars.filter { !$0.properties.isWhitespace }.map(\.self)
    guard let found = WrittenNumber(scalars[...]), found.length == scalars.count else { return nil }
    return found.value
  }

  private static func color(_ status: String?) -> Color? {
    switch status?.lowercased() {
    case "ok", "up", "good": .green
    case "warning", "warn", "degraded": .orange
    case "critical", "error", "down", "failed": .red
    default: nil
    }
  }

  // MARK: - Text

  private func picture(of text: String) -> ScriptPicture {
    ScriptPicture(view: ScriptWords.stack(Self.lines(text, nil)))
  }

  private static func lines(_ text: String, _ color: Color?) -> [ViewNode] {
    let lines = text.prefix(textLimit).split(whereSeparator: \.isNewline)
    var rows = lines.prefix(lineLimit).map { ScriptWords.text(SafeText(String($0)).string, color) }
    if lines.count > lineLimit { rows.append(ScriptWords.more(lines.count - lineLimit)) }
    return rows
  }
}
