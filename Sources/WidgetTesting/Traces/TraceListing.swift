import FoundationEssentials
import WidgetKitCore
import WidgetSessions

/// A trace in lines for a person, with the time of each answer, and what breaks a rule marked by `!`.
public nonisolated struct TraceListing {
  private let trace: Trace
  private let policy = SessionPolicy()
  /// The open requests of both sides, with the method and the time: by widget, run, direction and id.
  private var open: [Key: (method: String, time: Double)] = [:]

  private struct Key: Hashable {
    var widget: String
    var run: Int
    var isFromWidget: Bool
    var id: MessageID
  }

  /// Prepares the lines of a trace.
  public init(_ trace: Trace) {
    self.trace = trace
  }

  /// The lines.
  ///
  /// - Parameter widget: The widget; nil for all of them.
  /// - Returns: A line for each message and event, and one for each rule that is broken.
  public mutating func lines(of widget: String?) -> [String] {
    let screen = trace.screen.map { ", \($0.columns) × \($0.rows)" } ?? ""
    var lines = ["\(trace.date.formatted(.iso8601))\(screen), \(trace.isDark ? "dark" : "light")"]
    let entries = widget.map { trace.entries(of: $0) } ?? trace.entries
    let width = entries.reduce(0) { max($0, ($1.widget ?? "").count) }
    var last = 0.0
    for entry in entries {
      // A pause of a second is worth a mark.
      let gap = entry.time - last
      last = entry.time
      let name = entry.widget ?? ""
      let start = "\(Self.seconds(entry.time)) \(gap >= 1 ? "+\(Self.short(gap))" : "     ")"
      let run = entry.widget == nil ? "  " : "#\(entry.run)"
      let padding = String(repeating: " ", count: width - name.count)
      let (sign, words, faults) = describe(entry)
      lines.append("\(start)  \(name)\(padding) \(run) \(sign) \(words)")
      lines += faults.map { "               ! \($0)" }
    }
    for number in trace.unreadable { lines.append("line \(number) cannot be read") }
    return lines
  }

  // MARK: - Lines

  private mutating func describe(_ entry: Trace.Entry) -> (String, String, [String]) {
    switch entry.content {
    case .event(let name, let details):
      let rest = (details.members ?? []).filter {
        !["t", "widget", "run", "direction", "event"].contains($0.name)
      }
      let words = ([name] + rest.map(\.value.words)).joined(separator: " ")
      guard name == "timeout" else { return ("·", words, []) }
      return ("·", words, ["no answer in its time"])
    case .message(let isFromWidget, let bytes):
      let (words, faults) = message(entry, isFromWidget, bytes)
      // What a test asks may be something that is to be refused.
      return (isFromWidget ? "←" : "→", words, entry.isOfTest ? [] : faults)
    }
  }

  private mutating func message(
    _ entry: Trace.Entry,
    _ isFromWidget: Bool,
    _ bytes: [UInt8]
  ) -> (String, [String]) {
    func key(_ id: MessageID, _ side: Bool) -> Key {
      Key(widget: entry.widget ?? "", run: entry.run, isFromWidget: side, id: id)
    }
    guard let kind = entry.content.kind else {
      return (
        "not a message: \(SafeText(String(decoding: bytes.prefix(60), as: UTF8.self)))",
        ["not JSON, or not a JSON-RPC message"]
      )
    }
    let tree = try? JSONTree(bytes)
    switch kind {
    case .request(let id, let method):
      open[key(id, isFromWidget)] = (method, entry.time)
      return (Self.line("\(method) (\(Self.words(id)))", tree?["params"], bytes), [])
    case .notification(let method): return (Self.line(method, tree?["params"], bytes), [])
    case .result(let id):
      guard let call = open.removeValue(forKey: key(id, !isFromWidget)) else {
        let words = "result (\(Self.words(id)))"
        return (Self.line(words, tree?["result"], bytes), ["answers no open request"])
      }
      let took = entry.time - call.time
      let start = "\(call.method) (\(Self.words(id))) in \(Self.short(took))"
      let words = Self.line(start, tree?["result"], bytes)
      guard isFromWidget, let limit = limit(of: call.method), took > limit / .seconds(1) else {
        return (words, [])
      }
      return (words, ["late: \(call.method) is to be answered within \(limit.words)"])
    case .error(let id):
      let method = id.flatMap { open.removeValue(forKey: key($0, !isFromWidget)) }?.method
      let reason = tree?["error"]?["message"]?.string ?? ""
      return (
        [method ?? "error", id.map { "(\(Self.words($0)))" }, "refused"].compactMap(\.self)
          .joined(separator: " "),
        ["\(isFromWidget ? "the widget" : "the host") refuses: \(SafeText(reason))"]
      )
    }
  }

  private func limit(of method: String) -> Duration? {
    switch method {
    case InitializeRequest.method: policy.initialize
    case WidgetMarginInsetsRequest.method: policy.widgetMarginInsets
    case ViewWillAppearRequest.method: policy.viewWillAppear
    case ViewWillDisappearRequest.method: policy.viewWillDisappear
    case WidgetPerformUpdateRequest.method: policy.widgetPerformUpdate
    default: nil
    }
  }

  // MARK: - Words

  private static func words(_ id: MessageID) -> String {
    switch id {
    case .number(let number): "\(number)"
    case .string(let text): "\(SafeText(text))"
    }
  }

  private static func line(_ start: String, _ content: JSONTree?, _ bytes: [UInt8]) -> String {
    let parts = [start, summary(content)].filter { !$0.isEmpty }
    return parts.joined(separator: " ") + ", \(bytes.count) bytes"
  }

  /// The members whose values say most, in few words.
  private static func summary(_ content: JSONTree?) -> String {
    let names = [
      "reason", "result", "error", "action", "url", "field", "text", "mode", "name", "message",
      "success",
    ]
    let words = names.compactMap { name in content?[name].map(\.words) }
    let view = content?["view"] == nil ? [] : ["a view"]
    let size = content?["size"] ?? content?["maximumSize"]
    let extent = size?["width"]?.number.map { ["width \(Int(min(max($0, 0), 1e6)))"] } ?? []
    return SafeText((words + extent + view).joined(separator: " ")).string
  }

  private static func seconds(_ time: Double) -> String {
    let thousandths = Int(min(max(0, time), 1e9) * 1_000)
    let whole = "\(thousandths / 1_000)"
    let part = "\(thousandths % 1_000)"
    return String(repeating: " ", count: max(0, 5 - whole.count)) + whole + "."
      + String(repeating: "0", count: 3 - part.count) + part
  }

  private static func short(_ time: Double) -> String {
    time < 1 ? "\(Int(max(0, time) * 1_000)) ms" : "\(Int(min(time, 1e9))) s"
  }
}
