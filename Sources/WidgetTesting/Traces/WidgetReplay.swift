import FoundationEssentials
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// Plays the recorded widget of a trace against the page: the same messages at the same times, and what a person
/// did between them.
///
/// The page has a clock of its own, which follows the times of the trace. What it says without being led to it
/// (updates that are due, suspension, deadlines) it says by itself; where the trace has more, it is led to it: a
/// press, another width, another form. What cannot be led to is a ``differences`` entry.
public final class WidgetReplay {
  /// The page; its card is what the trace ends with.
  public let harness: WidgetHarness
  /// Where the page said something other than what was recorded.
  public private(set) var differences: [String] = []

  private let trace: Trace
  private let widget: String
  /// The runs of the widget, shared with the launcher.
  private let runs: Runs
  private var time = 0.0

  /// How much later than in the trace the page may say something.
  private static let moment: Duration = .milliseconds(5)

  private final class Runs {
    var current: RecordedWidget?
  }

  /// Prepares a replay.
  ///
  /// - Parameters:
  ///   - trace: The trace.
  ///   - widget: One of its widgets.
  ///   - environment: The user's environment.
  /// - Throws: ``HarnessFailure`` if the trace does not have the start of the widget.
  public init(
    _ trace: Trace,
    _ widget: String,
    environment: [String: String]
  ) throws(HarnessFailure) {
    self.trace = trace
    self.widget = widget
    let first = trace.parameters(of: InitializeRequest.method, widget)
    guard let first, let identifier = first["bundleIdentifier"]?.string,
      InfoPlist.isIdentifier(identifier)
    else { throw HarnessFailure("the trace has no start of \(widget)") }
    var options = HarnessOptions(environment: environment)
    options.now = trace.date
    options.timeZone = first["timeZone"]?.string ?? "UTC"
    options.locale = first["locale"]?.string ?? options.locale
    let runs = Runs()
    self.runs = runs
    let name = Trace.name(in: trace.entries(of: widget)) ?? widget
    let folders = try HarnessFolders(environment)
    let mark = Trace.mark(in: trace.entries(of: widget))
    let bundle = try StandInBundle.make(name, identifier: identifier, in: folders.path, mark)
    harness = try WidgetHarness(bundle, options, folders) { _ in
      { _, _, report in
        let run = RecordedWidget(report: report)
        runs.current = run
        return run
      }
    }
  }

  /// Plays everything up to the end of the page, or to the picture that was made of it.
  public func run() async {
    let entries = trace.entries(of: widget).filter { !$0.isOfTest }
    await appear(entries)
    let end = entries.suffix(Self.endCount(entries))
    for entry in entries.dropLast(end.count) {
      await advance(to: entry.time)
      await play(entry)
    }
    let picture = end.first { if case .event("picture", _) = $0.content { true } else { false } }
    if let last = picture ?? end.first { await advance(to: last.time) }
    await turn()
  }

  /// How many entries are the end of the page, which takes nothing from the cards.
  private static func endCount(_ entries: [Trace.Entry]) -> Int {
    let ending = [
      ViewWillDisappearRequest.method, ViewDidDisappearNotification.method,
      ShutdownNotification.method, HostWillResignActiveNotification.method,
      HostDidEnterBackgroundNotification.method,
    ]
    var isEnd = false
    let end = entries.reversed().prefix { entry in
      switch entry.content {
      // A card that goes is not on the page any more.
      case .event(let name, _): return name != "hide"
      case .message(true, _): return isEnd
      case .message(false, _):
        switch entry.content.kind {
        // Before anything else that the page says, it may tell the time.
        case .notification(ClockDidChangeNotification.method): return true
        case .request(_, let method), .notification(let method):
          isEnd = ending.contains(method)
          return isEnd
        default: return false
        }
      }
    }
    // An answer before the first message of the end belongs to what was before.
    return end.count
      - end.reversed().prefix { if case .message(true, _) = $0.content { true } else { false } }
      .count
  }

  private func appear(_ entries: [Trace.Entry]) async {
    let size =
      Trace.parameters(of: ViewWillAppearRequest.method, in: entries)?["size"]
      ?? Trace.parameters(of: InitializeRequest.method, in: entries)?["maximumSize"]
    harness.page.setDark(trace.isDark)
    try? await harness.appear(width: RecordedPerson.width(size) ?? 40, settles: false)
    await turn()
  }

  // MARK: - Time

  private func advance(to target: Double) async {
    guard target > time else { return }
    let delta = min(target - time, 366 * 86_400)
    time = target
    let end = harness.clock.now + .seconds(delta)
    while harness.clock.now < end {
      let left = harness.clock.now.duration(to: end)
      let step = max(.milliseconds(1), min(harness.clock.timeToNextTimer ?? left, left))
      harness.clock.advance(by: min(step, left))
      await StepWait.turn(after: .zero)
    }
  }

  /// Lets the page do what follows from what has happened.
  private func turn() async {
    for _ in 0..<4 {
      harness.clock.advance(by: .zero)
      harness.page.drainStorage()
      await StepWait.turn(after: .zero)
    }
  }

  // MARK: - Entries

  private func play(_ entry: Trace.Entry) async {
    guard entry.widget != nil else { return }
    switch entry.content {
    case .event("exit", let details):
      runs.current?.end(Trace.status(details["status"]?.string ?? ""))
      await turn()
    case .event(let name, let details):
      if RecordedPerson(harness).act(name, details) { await turn() }
    case .message(true, let bytes):
      if runs.current?.say(bytes) != true {
        note(entry, "an answer was recorded to a request that the page has not made")
      }
      await turn()
    case .message(false, let bytes):
      switch entry.content.kind {
      case .request(let id, let method): await expect(method, id, bytes, entry)
      case .notification(let method): await expect(method, nil, bytes, entry)
      case .result, .error, nil: break
      }
    }
  }

  private func expect(
    _ method: String,
    _ id: MessageID?,
    _ bytes: [UInt8],
    _ entry: Trace.Entry
  ) async {
    if runs.current?.take(method, recordedAs: id) == true { return }
    if await takeSoon(method, id) { return }
    if method == ClockDidChangeNotification.method {
      // Before whatever else the page says, it tells the time; led to a message, it may have done so already.
      harness.page.tellTime()
      _ = runs.current?.take(method, recordedAs: id)
      return
    }
    time += await RecordedPerson(harness).lead(to: bytes) / .seconds(1)
    await turn()
    if runs.current?.take(method, recordedAs: id) == true { return }
    note(entry, "\(method) was recorded, and the page does not send it")
  }

  /// Whether the page says something a moment later: the times of a trace are those of its messages, which are some
  /// microseconds from when a timeline, say, has its next entry.
  private func takeSoon(_ method: String, _ id: MessageID?) async -> Bool {
    let end = harness.clock.now + Self.moment
    while let next = harness.clock.timeToNextTimer, harness.clock.now + next <= end {
      harness.clock.advance(by: next)
      time += next / .seconds(1)
      await turn()
      if runs.current?.take(method, recordedAs: id) == true { return true }
    }
    return false
  }

  private func note(_ entry: Trace.Entry, _ words: String) {
    let time = "\(Int(min(entry.time, 1e9) * 1_000)) ms"
    differences.append("\(widget) after \(time): \(words)")
  }
}
