import FoundationEssentials
import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetSessions

/// `today refresh`: requests new data from widgets, and stores it.
struct RefreshCommand: Command {
  static let name = "refresh"
  static let syntax = CommandSyntax<RefreshCommand>(
    name,
    "request new data from widgets",
    details: """
      Requests new data from the widgets of the page, or from those given, and stores it. Prints a
      line for each card: ID or ID:NAME, newData, noData or failed, and milliseconds. Errors are
      printed on standard error. ID means all its instances.
      """,
    operands: [.many("ID", .widget, \.identifiers)],
    options: [
      .flag("--due", \.isDueOnly): """
      ask only widgets whose update is due, or was requested with “today reload”; for cron and \
      systemd. Skips updates that another host is running
      """,
      .flag("--user", \.isUsers):
        "mark the updates as requested by a person (default without --due)",
      .value("--timeout S", .positiveSeconds, \.timeout): """
      wait at most S seconds; by default as long as a widget may take to start and to update, 38 \
      seconds
      """,
    ]
  )

  var options = CommonOptions()
  private var identifiers: [String] = []
  /// How long to wait for a widget; if nil, slightly longer than the sum of its deadlines.
  private var timeout: Duration?
  /// Whether only widgets whose update is due are asked.
  private var isDueOnly = false
  /// Whether the updates are marked as requested by a person, also with `--due`.
  private var isUsers = false

  func run() async throws(CommandError) -> ExitCode {
    let headless = try HeadlessCenter(options, reason: .update, naming: identifiers)
    let center = headless.center
    center.load()
    let chosen = try headless.choose(identifiers, everyInstance: true)
    var renderer = PageRenderer(width: 80, date: Date())
    renderer.adopt(headless.settings.screen)
    center.screen.setWidths(
      renderer.widths(center.page.all.filter { chosen.contains($0.id) }, bodies: [:])
    )
    let start = ContinuousClock.now
    var report = Report(start: start)
    center.onUpdate = { report.add($0, $1, $2) }
    let ids = isDueOnly ? chosen.filter { begin($0, center) } : chosen
    if !isDueOnly { for id in ids { center.updates.refresh(id) } }
    let deadlines = headless.deadlines
    // The deadline of the update expires earlier, and has a more precise message.
    let limit =
      timeout ?? deadlines.initialize + deadlines.widgetMarginInsets
      + deadlines.widgetPerformUpdate + .seconds(2)
    await headless.settle(ids, within: limit)
    center.onUpdate = nil
    for card in center.page.all where ids.contains(card.id) {
      finish(card, center, limit: limit, &report)
    }
    headless.writeProblems()
    await headless.shutdown()
    return report.hasFailed ? .failure : .success
  }

  /// What has been printed so far.
  private struct Report {
    var start: ContinuousClock.Instant
    var answered: Set<CardID> = []
    var hasFailed = false

    /// Prints the line of one widget, and an error on standard error.
    mutating func add(_ id: CardID, _ result: UpdateResult, _ error: String?) {
      let milliseconds = Int(start.duration(to: .now) / .milliseconds(1))
      StandardStreams.writeLine(SafeText("\(id) \(result.rawValue) \(milliseconds)"))
      answered.insert(id)
      if result == .failed { fail(id, error ?? "the update failed") }
    }

    mutating func fail(_ id: CardID, _ trouble: String) {
      hasFailed = true
      StandardStreams.writeError("\(id): \(trouble)")
    }
  }

  /// Prints the result of a widget that has not answered, or was stopped after its answer.
  private func finish(_ card: Card, _ center: WidgetCenter, limit: Duration, _ report: inout Report)
  {
    let trouble = trouble(of: card, center, limit: limit)
    if report.answered.contains(card.id) {
      if card.state == .stopped, let trouble { report.fail(card.id, trouble) }
    } else if card.state == .hidden {
      // It was not asked; this is an error only if it was named.
      if !identifiers.isEmpty, !isDueOnly { report.fail(card.id, "has nothing to show") }
    } else if trouble == nil, center.updates.areUnsupported(by: card.id) {
      // It does not implement updates; the view that it sent by itself is stored.
      report.add(card.id, center.page.hasOwnView(card.id) ? .newData : .noData, nil)
    } else {
      report.add(card.id, .failed, trouble ?? "the widget exited without an answer")
    }
  }

  /// Begins an update; false if none is due, or another host is running it.
  private func begin(_ id: CardID, _ center: WidgetCenter) -> Bool {
    guard center.updates.isDue(id) else { return false }
    return center.updates.refreshIfDue(id, reason: isUsers ? .user : .schedule)
  }

  private func trouble(of card: Card, _ center: WidgetCenter, limit: Duration) -> String? {
    if !center.page.isSettled(card.id) { return "timed out after \(limit.inSeconds)" }
    switch card.state {
    case .failed, .stopped: return card.message.map(\.string) ?? "failed"
    case .live, .snapshot, .starting, .hidden: return nil
    }
  }
}
