import FoundationEssentials
import WidgetHost
import WidgetKitCore

/// `today refresh`: asks widgets for new data now and keeps what comes.
struct RefreshCommand: Command {
  var options: CommonOptions
  var identifiers: [String] = []
  /// How long a widget is waited for; nil for longer than its own deadlines together.
  var timeout: Duration?
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
    var report = Report(start: start)
    center.onUpdate = { report.add($0, $1, $2) }
    let ids = isDueOnly ? chosen.filter { begin($0, center) } : chosen
    if !isDueOnly { for id in ids { center.refresh(id) } }
    let deadlines = headless.deadlines
    // A widget's own deadline ends its update first, in its own words.
    let limit =
      timeout ?? deadlines.initialize + deadlines.widgetMarginInsets
      + deadlines.widgetPerformUpdate + .seconds(2)
    await headless.settle(ids, within: limit)
    center.onUpdate = nil
    for card in center.allCards where ids.contains(card.id) {
      finish(card, center, limit: limit, &report)
    }
    headless.complainAboutProblems()
    await headless.shutdown()
    return report.hasFailed ? .failure : .success
  }

  /// What was printed of whom.
  private struct Report {
    var start: ContinuousClock.Instant
    var answered: Set<CardID> = []
    var hasFailed = false

    /// Prints the line of one widget, and what is wrong with it on standard error.
    mutating func add(_ id: CardID, _ result: UpdateResult, _ error: String?) {
      let milliseconds = Int(start.duration(to: .now) / .milliseconds(1))
      StandardStreams.writeLine(SafeText("\(id) \(result.rawValue) \(milliseconds)"))
      answered.insert(id)
      if result == .failed { fail(id, error ?? "the update failed") }
    }

    mutating func fail(_ id: CardID, _ trouble: String) {
      hasFailed = true
      StandardStreams.complain("\(id): \(trouble)")
    }
  }

  /// Prints what has come of a widget that has not answered, or has ended since it did.
  private func finish(_ card: Card, _ center: WidgetCenter, limit: Duration, _ report: inout Report)
  {
    let trouble = trouble(of: card, center, limit: limit)
    if report.answered.contains(card.id) {
      if card.state == .stopped, let trouble { report.fail(card.id, trouble) }
    } else if card.state == .hidden {
      // Nobody asked it; who names it wants to know, and the rest of the page is asked all the same.
      if !identifiers.isEmpty, !isDueOnly { report.fail(card.id, "has nothing to show") }
    } else if trouble == nil, center.hasNothingToUpdate(card.id) {
      // It takes no part in updates; what it shows by itself is kept.
      report.add(card.id, center.hasOwnView(card.id) ? .newData : .noData, nil)
    } else {
      report.add(card.id, .failed, trouble ?? "it ended without an answer")
    }
  }

  /// Begins an update that is due; false where none is, or another host is at it.
  private func begin(_ id: CardID, _ center: WidgetCenter) -> Bool {
    guard center.isDue(id) else { return false }
    return center.refreshIfDue(id, reason: isUsers ? .user : .schedule)
  }

  private func trouble(of card: Card, _ center: WidgetCenter, limit: Duration) -> String? {
    if !center.isSettled(card.id) { return "timed out after \(limit.inSeconds)" }
    switch card.state {
    case .failed, .stopped: return card.message.map(\.string) ?? "it failed"
    case .live, .snapshot, .starting, .hidden: return nil
    }
  }
}
