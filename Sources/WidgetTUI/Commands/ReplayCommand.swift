import FoundationEssentials
import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetTesting

/// `today replay FILE`: the recorded widgets on the page, or the recorded page with a widget.
struct ReplayCommand: Command {
  static let syntax = CommandSyntax<ReplayCommand>(
    "replay",
    "play a trace: its widgets on a page, or its page with a widget",
    expected: "the file of a trace",
    details: """
      Plays the widgets of a trace on a page of their own, with a clock that follows the times of the trace, and
      prints the cards as they are at its end. Nothing is started. Exits with 1, and says why, if the page does
      something other than what was recorded.
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
    ]
  )

  var options = CommonOptions()
  private var path = ""
  private var widgets: [String] = []
  private var bundle: String?
  private var format = PageFormat.text
  private var width: Int?
  private var theme: ThemeDefinition?

  func validate() throws(CommandError) {
    guard bundle == nil || widgets.isEmpty else {
      throw .usage("--bundle says which widget of the trace is meant; give no other")
    }
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
    guard
      let widget = try NamedBundles.read([path], environment: options.environment).first(where: {
        bundle in trace.widgets.contains { $0.hasPrefix(bundle.bundleIdentifier) }
      })
    else {
      throw .missing(
        "\(path) is not in the trace; there is \(trace.widgets.joined(separator: ", "))"
      )
    }
    let replay: HostReplay
    do throws(HarnessFailure) {
      replay = try HostReplay(trace, widget, environment: options.environment)
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

  // MARK: - The recorded widgets

  private func play(
    _ widgets: [String],
    of trace: Trace
  ) async throws(CommandError) -> ExitCode {
    var replays: [WidgetReplay] = []
    for widget in trace.widgets where widgets.isEmpty || widgets.contains(widget) {
      do throws(HarnessFailure) {
        let replay = try WidgetReplay(trace, widget, environment: options.environment)
        await replay.run()
        replays.append(replay)
      } catch {
        StandardStreams.writeError("\(widget): \(error)")
      }
    }
    guard !replays.isEmpty else { throw .failure("there is no widget in the trace") }
    await print(replays, trace)
    for difference in replays.flatMap(\.differences) { StandardStreams.writeError(difference) }
    for replay in replays { await replay.harness.finish() }
    return replays.allSatisfy(\.differences.isEmpty) ? .success : .failure
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
      for replay in replays where replay.harness.setPage(widths) { hasChanged = true }
      guard hasChanged else { break }
    }
    let (cards, bodies) = shown(replays)
    renderer.date = replays.map(\.harness.date).max() ?? trace.date
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
