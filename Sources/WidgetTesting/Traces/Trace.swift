public import FoundationEssentials
public import WidgetKitCore
import WidgetPlatform

/// A trace that `--trace FILE` has written, read back.
public nonisolated struct Trace: Sendable {
  /// A line of the trace.
  struct Entry: Sendable {
    /// Seconds since the beginning of the trace.
    var time: Double
    /// `ID` or `ID:NAME`; nil for what concerns all widgets.
    var widget: String?
    /// Which process of the widget it was, from 1.
    var run: Int
    /// Whether it is between the widget and a test, and the page does not know of it.
    var isOfTest = false
    /// What has happened.
    var content: Content
  }

  /// What a line is about.
  enum Content: Sendable {
    /// A message to the widget, or from it.
    case message(isFromWidget: Bool, bytes: [UInt8])
    /// Something that the host has done or found.
    case event(String, details: JSONTree)
  }

  /// The time of the wall clock at the beginning.
  public let date: Date
  /// The last columns and rows of the screen; nil without one.
  public let screen: Size?
  /// Whether the theme was dark.
  let isDark: Bool
  /// Whether the widgets could write nothing.
  let isDiskFull: Bool
  let entries: [Entry]
  /// Lines that cannot be read, by their numbers: the end of a trace may be cut off.
  public let unreadable: [Int]

  /// The largest trace that is read.
  private static let byteLimit = 1 << 28

  /// Reads a file.
  ///
  /// - Throws: ``HarnessFailure`` if it is not a trace.
  public init(path: String) throws(HarnessFailure) {
    guard let bytes = UserFile.bytes(path, byteLimit: Self.byteLimit) else {
      throw HarnessFailure(unreadable: path, name: path, byteLimit: Self.byteLimit)
    }
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    guard let first = lines.first, let header = try? JSONTree(Array(first)),
      header["trace"]?.number == 1,
      let date = header["date"]?.string.flatMap(InternetDate.init)?.date
    else {
      throw HarnessFailure("\(path) is not a trace of this version; “--trace FILE” writes one")
    }
    self.date = date
    isDark = header["theme"]?.string != "light"
    isDiskFull = header["disk"]?.string == "full"
    let start = header["t"]?.number
    var entries: [Entry] = []
    var unreadable: [Int] = []
    for (index, line) in lines.enumerated().dropFirst() {
      if let entry = Self.entry(line, from: start ?? entries.first?.time ?? 0) {
        entries.append(entry)
      } else {
        unreadable.append(index + 1)
      }
    }
    let sizes = entries.compactMap { entry in
      if case .event("size", let details) = entry.content { Self.size(details) } else { nil }
    }
    screen = sizes.last ?? Self.size(header)
    self.entries = entries
    self.unreadable = unreadable
  }

  /// The widgets, in the order in which they were started.
  public var widgets: [String] {
    var seen: Set<String> = []
    // One that was never started has no process.
    return entries.filter { $0.run != 0 }.compactMap(\.widget).filter { seen.insert($0).inserted }
  }

  /// What happened to one widget, and to all of them.
  func entries(of widget: String) -> [Entry] {
    entries.filter { $0.widget == widget || $0.widget == nil }
  }

  private static func size(_ members: JSONTree) -> Size? {
    guard let width = members["width"]?.number, let height = members["height"]?.number else {
      return nil
    }
    return Size(columns: whole(width), rows: whole(height))
  }

  private static func whole(_ number: Double) -> Int {
    Int(min(max(number, 1), Double(Size.limit.upperBound)))
  }

  private static func entry(_ line: ArraySlice<UInt8>, from start: Double) -> Entry? {
    guard let tree = try? JSONTree(Array(line)), let time = tree["t"]?.number,
      let direction = tree["direction"]?.string
    else { return nil }
    let content: Content
    switch direction {
    case "to", "from":
      guard let message = message(tree, line) else { return nil }
      content = .message(isFromWidget: direction == "from", bytes: message)
    case "host":
      guard let name = tree["event"]?.string else { return nil }
      content = .event(name, details: tree)
    default: return nil
    }
    let run = tree["run"]?.number.flatMap { Int(exactly: $0) } ?? 1
    return Entry(
      time: max(0, time - start),
      widget: tree["widget"]?.string,
      run: run,
      isOfTest: tree["test"]?.flag == true,
      content: content
    )
  }

  /// The bytes of the message as they were; a line that was not JSON is a string.
  private static func message(_ tree: JSONTree, _ line: ArraySlice<UInt8>) -> [UInt8]? {
    guard let message = tree["message"] else { return nil }
    if let text = message.string { return Array(text.utf8) }
    // It is the last member of the line.
    let mark = Array("\"message\":".utf8)
    var index = line.startIndex
    while index + mark.count <= line.endIndex {
      if line[index..<(index + mark.count)].elementsEqual(mark) {
        return Array(line[(index + mark.count)..<(line.endIndex - 1)])
      }
      index += 1
    }
    return nil
  }
}

extension Trace.Content {
  /// What kind of message it is; nil for an event, and for a line that is not a message.
  nonisolated var kind: IncomingLine.Kind? {
    guard case .message(_, let bytes) = self else { return nil }
    return (try? IncomingLine(bytes[...]))?.kind
  }
}

extension Trace {
  /// The parameters of the first message of a method that one program was sent; nil if there is none.
  nonisolated func parameters(of method: String, _ widget: String) -> JSONTree? {
    Self.parameters(of: method, in: entries(of: widget))
  }

  nonisolated static func parameters(of method: String, in entries: [Entry]) -> JSONTree? {
    for entry in entries {
      guard case .message(false, let bytes) = entry.content,
        let tree = try? JSONTree(bytes), tree["method"]?.string == method
      else { continue }
      return tree["params"]
    }
    return nil
  }

  /// The name with which a program was started; nil without a start.
  nonisolated static func name(in entries: [Entry]) -> String? {
    start(in: entries)?["name"]?.string
  }

  /// The sign before the name, as attributes of a property list; empty without one.
  nonisolated static func mark(in entries: [Entry]) -> String {
    guard let start = start(in: entries) else { return "" }
    let attributes = [("TodayGlyph", "glyph"), ("TodayTint", "tint")].map { key, member in
      start[member]?.string.map { "<key>\(key)</key><string>\(MarkupText.escaped($0))</string>" }
    }
    return attributes.compactMap(\.self).joined()
  }

  private nonisolated static func start(in entries: [Entry]) -> JSONTree? {
    for entry in entries {
      if case .event("start", let details) = entry.content { return details }
    }
    return nil
  }

  /// The status that an `exit` event has in words.
  nonisolated static func status(_ words: String) -> TerminationStatus {
    guard words.hasPrefix("exit "), let code = Int32(words.dropFirst(5)) else {
      return .signaled(9)
    }
    return .exited(code)
  }
}
