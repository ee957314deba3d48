import FoundationEssentials
import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetTesting

/// `today replay FILE`: the recorded widgets on the page, or the recorded page with a widget.
struct ReplayCommand: Command {
  static let name = "replay"
  static let syntax = CommandSyntax<ReplayCommand>(
    name,
    "play a trace: its widgets on a page, or its page with a widget",
    expected: "the file of a trace",
    details: """
      Plays the widgets of a trace on a page of their own, with a clock that follows the times of the trace, and
      prints the cards as they are at its end. Nothing is started. Exits with 1, and says why, if the page does
      something other than what was recorded. Requests to share extensions and actions are played with the host of
      share and act; their sheets and views, and how they have ended, are printed as text.
      """,
    operands: [.one("FILE", .path, \.path), .many("ID", .text, \.widgets)],
    options: [
      .choice("--format", \.format): "text, ansi, json, svg or html",
      .value("--width N", .number(1...1_000), \.width):
        "width of the page in columns; that of the recorded screen, or 80, by default",
      .value("--theme NAME", .theme, \.theme): "theme of ansi, svg and html",
      .value("--bundle PATH", .bundle, \.bundle): """
      play the recorded page with the widget at PATH instead: it is sent what was recorded, with \
      temporary folders, and each place where it says something else is printed; exits with 1 \
      then. What depends on the time or on other data differs for that
      """,
      .values("--content FILE", .path, \.contents): """
      an attachment of the recorded request, in their order, where --bundle is a share extension or an action \
      that has loaded it as a file: a trace has texts, and no files
      """,
    ]
  )

  var options = CommonOptions()
  private var path = ""
  private var widgets: [String] = []
  private var bundle: String?
  private var contents: [String] = []
  private var format = PageFormat.text
  private var width: Int?
  private var theme: ThemeDefinition?

  func validate() throws(CommandError) {
    guard bundle == nil || widgets.isEmpty else {
      throw .usage("--bundle says which widget of the trace is meant; give no other")
    }
    guard bundle != nil || contents.isEmpty else { throw .usage("--content needs --bundle") }
  }

  func run() async throws(CommandError) -> ExitCode {
    let trace = try Trace.read(path)
    if let bundle { return try await playHost(of: trace, bundle) }
    var chosen: [String] = []
    for name in widgets { chosen.append(try trace.widget(name, options)) }
    return try await play(chosen, of: trace)
  }

  // MARK: - The recorded page

  private func playHost(of trace: Trace, _ path: String) async throws(CommandError) -> ExitCode {
    let extensions = try NamedBundles.extensions([path], environment: options.environment)
    let recorded = extensions.first { found in
      trace.widgets.contains { $0.hasPrefix(found.identifier) }
    }
    guard let recorded else {
      throw .missing(
        "\(path) is not in the trace; there is \(trace.widgets.joined(separator: ", "))"
      )
    }
    let replay: HostReplay
    do throws(HarnessFailure) {
      replay = try self.replay(of: trace, with: recorded)
      try await replay.run()
    } catch {
      throw .failure(error.description)
    }
    for difference in replay.differences {
      StandardStreams.writeLine(SafeText(difference).onOneLine)
    }
    let count = replay.comparedCount
    StandardStreams.writeLine(
      SafeText("\(count) messages compared, \(replay.differences.count) differences")
    )
    return replay.differences.isEmpty ? .success : .failure
  }

  private func replay(
    of trace: Trace,
    with found: NamedBundles.Extension
  ) throws(HarnessFailure) -> HostReplay {
    switch found {
    case .widget(let bundle):
      return try HostReplay(trace, bundle, environment: options.environment)
    case .content(let target, let table):
      var bytes: [[UInt8]] = []
      for path in contents { bytes += try HarnessContent.file(path).items.joined().map(\.data) }
      return try HostReplay(
        trace,
        target,
        table,
        contents: bytes,
        environment: options.environment
      )
    }
  }

  // MARK: - The recorded requests

  /// Plays requests, and prints how they were at their ends.
  ///
  /// - Returns: Where the host did something else.
  private func playRequests(_ widget: String, of trace: Trace) async throws(CommandError)
    -> [String]
  {
    guard format == .text else {
      throw .usage("\(widget) was sent requests, which are printed as text alone")
    }
    let replay = RequestReplay(trace, widget, environment: options.environment)
    let columns = width ?? trace.screen?.columns ?? 80
    let results: [RequestReplay.Result]
    do throws(HarnessFailure) {
      results = try await replay.run(width: columns)
    } catch {
      throw .failure(error.description)
    }
    for result in results {
      StandardStreams.writeLine("# \(SafeText(result.name).onOneLine)")
      for row in result.rows { StandardStreams.writeLine(SafeText(row).onOneLine) }
      StandardStreams.writeLine("# \(SafeText(result.outcome ?? "goes on").onOneLine)")
    }
    return replay.differences
  }

  // MARK: - The recorded widgets

  private func play(
    _ widgets: [String],
    of trace: Trace
  ) async throws(CommandError) -> ExitCode {
    var replays: [WidgetReplay] = []
    var differences: [String] = []
    var hasRequests = false
    for widget in trace.widgets where widgets.isEmpty || widgets.contains(widget) {
      if RequestReplay.isOfRequests(widget, in: trace) {
        hasRequests = true
        differences += try await playRequests(widget, of: trace)
        continue
      }
      do throws(HarnessFailure) {
        let replay = try WidgetReplay(trace, widget, environment: options.environment)
        await replay.run()
        replays.append(replay)
      } catch {
        StandardStreams.writeError("\(widget): \(error)")
      }
    }
    guard !replays.isEmpty || hasRequests else {
      throw .failure("there is no widget in the trace")
    }
    if !replays.isEmpty { await print(replays, trace) }
    differences += replays.flatMap(\.differences)
    for difference in differences { StandardStreams.writeError(difference) }
    for replay in replays { await replay.harness.finish() }
    return differences.isEmpty ? .success : .failure
  }

  private func print(_ replays: [WidgetReplay], _ trace: Trace) async {
    var renderer = PageRenderer(
      width: width ?? trace.screen?.columns ?? 80,
      date: trace.date,
      showsHeader: false
    )
    var screen = options.readSettings().screen
    if let theme { screen.definition = theme }
    renderer.adopt(screen, isUTF8: StandardStreams.isUTF8 || !format.followsLocale)
    // The width of a card on the page decides about its columns, and these about the width.
    for _ in 0..<3 {
      let (cards, bodies) = shown(replays)
      let widths = renderer.widths(cards, bodies: bodies)
      var hasChanged = false
      for replay in replays where replay.harness.center.screen.setWidths(widths) {
        hasChanged = true
      }
      guard hasChanged else { break }
    }
    let (cards, bodies) = shown(replays)
    renderer.date = replays.map(\.harness.clock.date).max() ?? trace.date
    StandardStreams.write(renderer.render(cards, bodies: bodies, as: format), as: format)
  }

  private func shown(_ replays: [WidgetReplay]) -> ([Card], [CardID: CardBody]) {
    let harnesses = replays.map(\.harness)
    let cards = harnesses.compactMap(\.card)
    var bodies: [CardID: CardBody] = [:]
    for harness in harnesses { if let card = harness.card { bodies[card.id] = harness.body } }
    return (cards, bodies)
  }
}
