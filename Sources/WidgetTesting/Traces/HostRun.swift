import ExtensionContent
import FoundationEssentials
import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform
import WidgetRequests

/// One process of a ``HostReplay``.
final class HostRun {
  /// What is different, in words.
  private(set) var differences: [String] = []
  /// How many answers and messages were compared.
  private(set) var comparedCount = 0

  private let entries: [Trace.Entry]
  private let line: Line
  private let start: Start
  /// The files of the content of a request, which a trace does not have.
  private let contents: [[UInt8]]
  /// The numbers of requests of the widget: those in the trace, and those of now.
  private var numbers: [MessageID: MessageID] = [:]
  /// The attachments that were loaded, by the numbers of the requests in the trace.
  private var loads: [MessageID: String] = [:]
  /// What the widget has said, and was not compared.
  private var said: [HarnessMessage] { line.said }

  /// How long an answer may take, in real time.
  private static let patience: Duration = .seconds(10)
  /// How long it may take to end.
  private static let lastMoments: Duration = .seconds(2)
  /// How many differences of one message are named.
  private static let differenceLimit = 5

  /// The connection to the process, and what the page would have said first.
  private final class Line: WidgetConnection {
    var base: (any WidgetConnection)?
    /// The page, which hears of the end alone.
    var page: (WidgetReport) -> Void = { _ in }
    var said: [HarnessMessage] = []
    var initialize: JSONTree?
    var status: TerminationStatus?

    func take(_ report: WidgetReport) {
      switch report {
      case .line(let bytes):
        said.append(HarnessMessage(Array(bytes), run: 1, isFromWidget: true))
      case .message(let message):
        said.append(HarnessMessage(message.line.dropLast(), run: 1, isFromWidget: true))
      case .ended(let end):
        status = end
        page(report)
      case .log, .violation, .outOfMemory, .away: break
      }
    }

    func send(_ message: any ConnectionMessage) {
      if initialize == nil { initialize = try? JSONTree(message.line.dropLast()) }
    }

    func closeInput() { base?.closeInput() }
    func signal(_ signal: ProcessSignal) { base?.signal(signal) }
    func suspend() -> String? { nil }
    var processRun: ProcessRun? { base?.processRun }
  }

  /// What starts the process, and ends its host.
  private struct Start {
    var begin: () async throws(HarnessFailure) -> Void
    /// Why there is no process.
    var obstacle: () -> String?
    var finish: () async -> Void
    /// The folder of the process for files.
    var folder: String
  }

  /// Prepares the replay of one process of a widget.
  ///
  /// - Parameters:
  ///   - entries: What was recorded of it.
  ///   - bundle: The widget.
  ///   - options: The time at which it was started.
  ///   - folders: The folders of all processes of the replay.
  /// - Throws: ``HarnessFailure`` if the widget cannot be shown.
  init(
    _ entries: [Trace.Entry],
    _ bundle: WidgetBundle,
    _ options: HarnessOptions,
    _ folders: HarnessFolders
  ) throws(HarnessFailure) {
    self.entries = entries
    contents = []
    let line = Line()
    self.line = line
    let harness = try WidgetHarness(bundle, options, folders, wrap: Self.wrap(line))
    start = Start(
      begin: { () throws(HarnessFailure) in try await harness.appear(settles: false) },
      obstacle: { harness.card?.message?.string },
      finish: { await harness.finish() },
      folder: folders.path
    )
  }

  /// Prepares the replay of one process of a share extension or an action.
  ///
  /// - Parameters:
  ///   - entries: What was recorded of it.
  ///   - target: The extension.
  ///   - table: The types that are known.
  ///   - contents: The attachments of the request, which are needed where they were loaded as files.
  ///   - options: The time at which it was started.
  ///   - folders: The folders of all processes of the replay.
  /// - Throws: ``HarnessFailure`` if the extension cannot be prepared.
  init(
    _ entries: [Trace.Entry],
    _ target: ContentExtension,
    _ table: TypeTable,
    contents: [[UInt8]],
    _ options: HarnessOptions,
    _ folders: HarnessFolders
  ) throws(HarnessFailure) {
    (self.entries, self.contents) = (entries, contents)
    let line = Line()
    self.line = line
    let harness = try RequestHarness(target, table, options, folders, wrap: Self.wrap(line))
    start = Start(
      begin: { () throws(HarnessFailure) in
        try harness.open(.text(""), options: [:]).start()
      },
      obstacle: { harness.outcome?.description },
      finish: { await harness.finish() },
      folder: harness.containers.cache
    )
  }

  private static func wrap(_ line: Line) -> (@escaping WidgetLauncher) -> WidgetLauncher {
    { usual in
      { bundle, id, report throws(HostError) in
        line.page = report
        line.base = try usual(bundle, id) { line.take($0) }
        return line
      }
    }
  }

  /// Plays it.
  ///
  /// - Throws: ``HarnessFailure`` if the widget cannot be started.
  func play() async throws(HarnessFailure) {
    try await start.begin()
    guard await wait(until: { self.line.initialize != nil }) else {
      throw HarnessFailure(start.obstacle() ?? "the widget could not be started")
    }
    for entry in entries {
      guard case .message(let isFromWidget, let bytes) = entry.content else { continue }
      if isFromWidget {
        await compare(bytes, entry)
      } else {
        send(bytes, entry)
      }
      if line.status != nil, line.said.isEmpty { break }
    }
    for message in line.said where message.kind == nil {
      let words = SafeText(String(decoding: message.bytes.prefix(120), as: UTF8.self))
      differences.append("a line that is no message: \(words.onOneLine)")
    }
    line.closeInput()
    // One that has ended by itself has stored what the next one begins with.
    if hasExited { _ = await wait(Self.lastMoments) { self.line.status != nil } }
    line.signal(.kill)
    _ = await wait { self.line.status != nil }
    await start.finish()
  }

  private var hasExited: Bool {
    entries.contains { entry in
      guard case .event("exit", let details) = entry.content else { return false }
      return details["status"]?.string?.hasPrefix("exit") == true
    }
  }

  private func wait(_ limit: Duration = HostRun.patience, until isDone: () -> Bool) async -> Bool {
    var waited = WaitedTime()
    while !isDone() {
      guard waited.total < limit else { return false }
      await StepWait.turn(after: .milliseconds(1))
      waited.takeTurn()
    }
    return true
  }

  // MARK: - To the widget

  private func send(_ bytes: [UInt8], _ entry: Trace.Entry) {
    guard let message = try? JSONTree(bytes) else { return }
    var members = message.members ?? []
    switch entry.content.kind {
    case .request(_, InitializeRequest.method):
      guard var inner = members["params"]?.members else { break }
      for name in ["containers", "denied"] { inner[name] = line.initialize?["params"]?[name] }
      members["params"] = .object(inner)
    case .result(let id), .error(.some(let id)):
      guard let own = numbers[id] else { return }
      if let loaded = loads[id], let result = members["result"], result["path"] != nil {
        guard let file = file(of: loaded, result) else {
          return differences.append(
            "\(loaded) was loaded as a file, which a trace does not have; give it with --content FILE"
          )
        }
        var inner = result.members ?? []
        inner["path"] = .string(file)
        members["result"] = .object(inner)
      }
      members["id"] =
        switch own {
        case .number(let number): .number(Double(number))
        case .string(let text): .string(text)
        }
    default: break
    }
    line.base?.send(SentMessage(line: JSONTree.object(members).json + [UInt8(ascii: "\n")]))
  }

  /// A file with the content of an attachment, where the extension can read it; nil if it was not given.
  private func file(of attachment: String, _ result: JSONTree) -> String? {
    guard let number = Int(attachment.dropFirst()), contents.indices.contains(number - 1) else {
      return nil
    }
    let name = result["path"]?.string?.split(separator: "/").last.map(String.init) ?? "content"
    let folder = "\(start.folder)/\(attachment)"
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data(contents[number - 1]).write(to: URL(filePath: "\(folder)/\(name)"))
    } catch {
      return nil
    }
    return "\(folder)/\(name)"
  }

  // MARK: - From the widget

  private func compare(_ bytes: [UInt8], _ entry: Trace.Entry) async {
    let recorded = HarnessMessage(bytes, run: 1, isFromWidget: true)
    let name = name(of: recorded)
    let isThere = await wait { self.match(recorded) != nil || self.line.status != nil }
    guard isThere, let index = match(recorded) else {
      let end = line.status.map { " (the process has ended: \($0))" } ?? ""
      return differences.append("\(name) was recorded, but did not arrive\(end)")
    }
    let found = line.said.remove(at: index)
    comparedCount += 1
    if case .request(let id, let method) = recorded.kind, case .request(let own, _) = found.kind {
      numbers[id] = own
      if method == LoadItemRequest.method, let tree = try? JSONTree(recorded.bytes) {
        loads[id] = tree["params"]?["attachment"]?.string
      }
    }
    let (old, new) = (content(withOwnFolders(recorded)), content(found))
    let list = JSONDifference.between(old, new)
    for difference in list.prefix(Self.differenceLimit) {
      differences.append("\(name): \(difference)")
    }
    if list.count > Self.differenceLimit {
      differences.append("\(name): and \(list.count - Self.differenceLimit) more")
    }
  }

  /// The answer to the same request, or the next message of the same method.
  private func match(_ recorded: HarnessMessage) -> Int? {
    line.said.firstIndex { message in
      switch (recorded.kind, message.kind) {
      case (.result(let id), .result(let own)), (.result(let id), .error(.some(let own))),
        (.error(.some(let id)), .error(.some(let own))), (.error(.some(let id)), .result(let own)):
        id == own
      case (.request(_, let method), .request(_, let own)),
        (.notification(let method), .notification(let own)):
        method == own
      case (nil, nil): true
      default: false
      }
    }
  }

  /// What is compared of a message: without its number, and without secrets, which a trace does not have either.
  private func content(_ message: HarnessMessage) -> JSONTree {
    let bytes = Array(SecretMask.recorded(message.bytes[...]))
    guard let tree = try? JSONTree(bytes) else {
      return .string(String(decoding: bytes, as: UTF8.self))
    }
    let members = (tree.members ?? []).filter { !["id", "jsonrpc", "method"].contains($0.name) }
    let isCompletion = tree["method"]?.string == CompleteRequestRequest.method
    // The folder of a request has another name each time.
    return isCompletion ? Self.withoutFolders(.object(members)) : .object(members)
  }

  /// A recorded message in which the folders of the extension are those that it has now.
  private func withOwnFolders(_ recorded: HarnessMessage) -> HarnessMessage {
    let old = Trace.parameters(of: InitializeRequest.method, in: entries)?["containers"]
    guard let old, let new = line.initialize?["params"]?["containers"] else { return recorded }
    var text = String(decoding: recorded.bytes, as: UTF8.self)
    for (old, new) in Self.folders(old, new) where text.contains(old) {
      text = text.replacing(old, with: new)
    }
    return HarnessMessage(Array(text.utf8), run: 1, isFromWidget: true)
  }

  /// The folders in two values of `containers`, in pairs.
  private static func folders(_ old: JSONTree, _ new: JSONTree) -> [(old: String, new: String)] {
    if let old = old.string, let new = new.string { return [(old, new)] }
    return (old.members ?? []).flatMap { member in
      new[member.name].map { folders(member.value, $0) } ?? []
    }
  }

  /// A tree in which the members `path` have the names of files alone.
  private static func withoutFolders(_ tree: JSONTree) -> JSONTree {
    if let elements = tree.items { return .array(elements.map(withoutFolders)) }
    guard let members = tree.members else { return tree }
    return .object(
      members.map { member in
        var value = withoutFolders(member.value)
        if member.name == "path", let path = member.value.string {
          value = .string(path.split(separator: "/").last.map(String.init) ?? path)
        }
        return JSONTree.Member(name: member.name, value: value)
      }
    )
  }

  private func name(of message: HarnessMessage) -> String {
    switch message.kind {
    case .result(let id), .error(.some(let id)):
      let call = entries.lazy.compactMap { entry -> String? in
        guard case .message(false, _) = entry.content,
          case .request(id, let method)? = entry.content.kind
        else { return nil }
        return method
      }.first
      return "the answer to \(call ?? "a request")"
    case .request(_, let method), .notification(let method): return method
    case .error(nil), nil: return "a line"
    }
  }
}
