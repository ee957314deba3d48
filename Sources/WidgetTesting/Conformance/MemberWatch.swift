import WidgetKitCore
package import WidgetPlatform

/// Finds members of the messages of widgets that no host reads, while an author works on them.
///
/// A class because the connections of all widgets share it.
package final class MemberWatch {
  /// A sentence for each, the newest last.
  package private(set) var sentences: [String] = []

  /// The most sentences that are kept.
  private static let limit = 20

  package init() {}

  /// Forgets what was found, as the programs are others now.
  package func forget() { sentences = [] }

  /// Makes what starts a widget of what would start it, whose messages are watched.
  package func interpose(_ usual: @escaping WidgetLauncher) -> WidgetLauncher {
    { bundle, id, report throws(HostError) in
      let watched = WatchedWidget(self)
      watched.base = try usual(bundle, id) { [weak watched] message in
        watched?.take(message)
        report(message)
      }
      return watched
    }
  }

  fileprivate func check(_ message: HarnessMessage) {
    for member in UnknownMembers.members(of: message) where !sentences.contains(member.sentence) {
      sentences = (sentences + [member.sentence]).suffix(Self.limit)
    }
  }
}

/// A widget whose messages are watched: passes everything on.
private final class WatchedWidget: WidgetConnection {
  var base: (any WidgetConnection)?
  private let watch: MemberWatch
  /// The methods of the requests of the host that are open.
  private var open: [MessageID: String] = [:]

  init(_ watch: MemberWatch) { self.watch = watch }

  func take(_ report: WidgetReport) {
    switch report {
    case .line(let bytes): check(Array(bytes))
    case .message(let message): check(Array(message.line.dropLast()))
    case .ended, .log, .violation, .outOfMemory, .away: break
    }
  }

  private func check(_ bytes: [UInt8]) {
    var message = HarnessMessage(bytes, run: 1, isFromWidget: true)
    if case .result(let id) = message.kind { message.method = open.removeValue(forKey: id) }
    watch.check(message)
  }

  func send(_ message: any ConnectionMessage) {
    if exchangesLines, let kind = (try? IncomingLine(message.line.dropLast()))?.kind,
      case .request(let id, let method) = kind
    {
      open[id] = method
    }
    base?.send(message)
  }

  var exchangesLines: Bool { base?.exchangesLines ?? true }
  func holdBack(_ isHeld: Bool) { base?.holdBack(isHeld) }
  var isBlocked: Bool { base?.isBlocked ?? true }
  func closeInput() { base?.closeInput() }
  func signal(_ signal: ProcessSignal) { base?.signal(signal) }
  func suspend() -> String? { base?.suspend() }
  func release() -> LeavingWidget? { base?.release() }
  var processRun: ProcessRun? { base?.processRun }
  var isHeldBack: Bool { base?.isHeldBack ?? false }
  var hasReadInput: Bool { base?.hasReadInput ?? true }
  var isIdle: Bool { base?.isIdle ?? true }
  var cpu: Duration { base?.cpu ?? .zero }
}
