import FoundationEssentials
import WidgetHost
import WidgetKitCore

/// `today refresh`: asks widgets for new data now and keeps what comes.
struct RefreshCommand: Command {
  var options: CommonOptions
  var identifiers: [String] = []
  var timeout: Duration = .seconds(30)
  /// Whether only those are asked whose time has come.
  var isDueOnly = false
  /// Whether a person wants it, also where only those are asked whose time has come.
  var isUsers = false

  init(_ reader: inout ArgumentReader, _ options: CommonOptions) throws(CommandError) {
    self.options = options
    while let argument = reader.next() {
      if try self.options.take(argument, from: &reader) { continue }
      switch argument {
      case "--timeout": timeout = try reader.positiveSeconds(of: argument)
      case "--due": isDueOnly = true
      case "--user": isUsers = true
      default:
        guard !argument.hasPrefix("-") else { throw reader.unknown(argument) }
        identifiers.append(argument)
      }
    }
  }

  func run() async throws(CommandError) -> ExitCode {
    let headless = try HeadlessCenter(options, reason: .update, naming: identifiers)
    let center = headless.center
    center.load()
    let chosen = try headless.choose(identifiers)
    let renderer = PageRenderer(width: 80, date: Date())
    center.setPage(innerWidth: renderer.innerWidth(cardCount: chosen.count))
    let start = ContinuousClock.now
    var failed = false
    var answered: Set<CardID> = []
    center.onUpdate = { id, result, error in
      answered.insert(id)
      let milliseconds = Int(start.duration(to: .now) / .milliseconds(1))
      StandardStreams.writeLine(SafeText("\(id) \(result.rawValue) \(milliseconds)"))
      if result == .failed {
        failed = true
        StandardStreams.complain("\(id): \(error ?? "the update failed")")
      }
    }
    let ids = isDueOnly ? chosen.filter { begin($0, center) } : chosen
    if !isDueOnly { for id in ids { center.refresh(id) } }
    await headless.settle(ids, within: timeout)
    for card in center.allCards where ids.contains(card.id) {
      if let trouble = trouble(of: card, center) {
        failed = true
        StandardStreams.complain("\(card.id): \(trouble)")
      }
    }
    for id in ids where !answered.contains(id) && center.hasNothingToUpdate(id) {
      if !isDueOnly { StandardStreams.writeLine(SafeText("\(id) noData 0")) }
    }
    headless.complainAboutProblems()
    await headless.shutdown()
    return failed ? .failure : .success
  }

  /// Begins an update that is due; false where none is, or another host is at it.
  private func begin(_ id: CardID, _ center: WidgetCenter) -> Bool {
    guard center.isDue(id) else { return false }
    return center.refreshIfDue(id, reason: isUsers ? .user : .schedule)
  }

  private func trouble(of card: Card, _ center: WidgetCenter) -> String? {
    if !center.isSettled(card.id) { return "timed out after \(timeout.components.seconds) s" }
    switch card.state {
    case .failed, .stopped: return card.message.map(\.string)
    // Who asks for one by name wants to know; the rest of the page is asked all the same.
    case .hidden: return identifiers.isEmpty || isDueOnly ? nil : "has nothing to show"
    case .live, .snapshot, .starting: return nil
    }
  }
}
