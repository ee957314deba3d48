public import FoundationEssentials
public import WidgetKitCore

/// All that there is to know of one widget, for who wants to know why.
public nonisolated struct Inspection: Sendable {
  /// Its identifier.
  public var identifier: SafeText
  /// Where its bundle lies.
  public var path: SafeText?
  /// How its card is, and what the heading says.
  public var state: CardState
  /// The heading's words; nil where nothing is wrong.
  public var message: SafeText?
  /// Its process; nil where none runs.
  public var process: Int32?
  /// Whether the process stands still.
  public var isSuspended = false
  /// The run that is under way; nil where none is.
  public var run: RunRecord?
  /// When it was last updated, and when the next update is due.
  public var lastUpdate: Date?
  /// When the schedule has it updated next; nil where nothing is due.
  public var nextUpdate: Date?
  /// The last runs, the oldest first.
  public var runs: [RunRecord] = []
  /// The last lines of its log.
  public var log: [SafeText] = []
}

extension WidgetCenter {
  /// Looks at one widget; nil where there is no such card.
  ///
  /// It reads two small files, the second from its end.
  public func inspection(of id: CardID) -> Inspection? {
    guard let controller = page[id] else { return nil }
    let session = controller.session
    var result = Inspection(
      identifier: SafeText(id.description),
      path: session.map { SafeText($0.bundle.path) },
      state: controller.card.state,
      message: controller.card.message
    )
    result.process = session?.processGroup
    result.isSuspended = session?.state.rest == .suspended
    result.run = session?.run
    result.lastUpdate = controller.updates.history.lastUpdate
    result.nextUpdate = controller.updates.nextUpdate
    result.runs = folders.readRuns(of: id).suffix(8)
    result.log = folders.lastLogLines(of: id)
    return result
  }
}

extension StateFolders {
  /// The last lines of a widget's log, at most 20, each cut at 400 bytes: what fits on a screen, since
  /// they are read once a second while somebody looks.
  func lastLogLines(of id: CardID) -> [SafeText] {
    let limit = (lines: 20, bytes: 16 * 1024)
    var bytes = DurableFile.tail(log(of: id), byteLimit: limit.bytes)
    if bytes.count < limit.bytes {
      bytes = DurableFile.tail(log(of: id) + ".1", byteLimit: limit.bytes - bytes.count) + bytes
    }
    return bytes.split(separator: UInt8(ascii: "\n")).suffix(limit.lines).map {
      SafeText(String(decoding: $0.prefix(400), as: UTF8.self))
    }
  }
}
