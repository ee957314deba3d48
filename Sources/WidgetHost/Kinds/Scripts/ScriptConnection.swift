import Dispatch
import WidgetKitCore

/// Answers the host in the place of a script, and runs the script once for each update.
///
/// To the session it looks like a widget whose process lives between two runs. A class because runs, timers
/// and the main queue call it.
final class ScriptConnection: WidgetConnection {
  private let script: ScriptProgram
  private let launch: LaunchDescription
  private let limits: HostLimits
  private let starts: ScriptStarts
  private let report: (WidgetReport) -> Void
  /// The run in progress.
  private var run: ScriptRun?
  /// The run that waits for its turn.
  private var waiting: (any HostTimer)?
  /// The update that is not answered.
  private var update: MessageID?
  /// The press that waits for a run.
  private var press: MessageID?
  /// The view that the host has.
  private var view: ViewNode?
  /// The columns of the body.
  private var columns: Int?
  /// How the connection ends when no run is left; nil while it is used.
  private var end: TerminationStatus?
  private var hasEnded = false
  private var spentTime = Duration.zero
  /// The last lines of a script that goes on printing.
  private var tail: ScriptTail
  /// Whether the next output is the first of a run.
  private var isFresh = true
  /// Shows the newest lines.
  private var showing: (any HostTimer)?

  /// From new lines to the picture with them.
  private static let showPause = Duration.milliseconds(50)
  /// How long an update waits for the first line of a script that goes on printing.
  private static let firstLinePatience = Duration.seconds(2)

  init(
    _ script: ScriptProgram,
    launch: LaunchDescription,
    limits: HostLimits,
    starts: ScriptStarts,
    report: @escaping (WidgetReport) -> Void
  ) {
    self.script = script
    tail = ScriptTail(limit: Int(clamping: script.lines.magnitude))
    self.launch = launch
    self.limits = limits
    self.starts = starts
    self.report = report
  }

  var processRun: ProcessRun? { run?.processRun }
  var cpu: Duration { spentTime }

  // MARK: - From the host

  func send(_ line: [UInt8]) {
    guard end == nil, let line = try? IncomingLine(line.dropLast()) else { return }
    guard case .request(let id, let method) = line.kind else { return }
    do throws(WireError) {
      try handle(method, line, id)
    } catch {
      reply(OutgoingLine.error(error, id: id))
    }
  }

  private func handle(_ method: String, _ line: IncomingLine, _ id: MessageID) throws(WireError) {
    switch method {
    case InitializeRequest.method:
      columns = try line.decode(InitializeRequest.self).maximumSize.columns
      let methods = [
        ViewWillAppearRequest.method, ViewWillTransitionToSizeRequest.method,
        WidgetPerformUpdateRequest.method, PerformActionRequest.method,
      ]
      reply(OutgoingLine.result(InitializeRequest.Reply(implements: methods), id: id))
    case ViewWillAppearRequest.method:
      columns = try line.decode(ViewWillAppearRequest.self).size.columns
      reply(OutgoingLine.result(ContentUpdate(), id: id))
    case ViewWillTransitionToSizeRequest.method:
      columns = try line.decode(ViewWillTransitionToSizeRequest.self).size.columns
      reply(OutgoingLine.result(ViewWillTransitionToSizeRequest.Reply(alongside: nil), id: id))
    case WidgetPerformUpdateRequest.method:
      // The host has given up the update before; its run goes on for this one.
      update = id
      if script.follows, run != nil { return show() }
      queue()
    case PerformActionRequest.method:
      // The only action that views of scripts have: to run again.
      if let press { reply(OutgoingLine.result(PerformActionRequest.Reply(), id: press)) }
      press = id
      queue()
    default: throw .methodNotFound(method)
    }
  }

  func closeInput() { finish(.exited(0)) }

  func signal(_ signal: ProcessSignal) {
    switch signal {
    case .terminate: finish(.exited(0))
    case .kill:
      finish(.signaled(9))
      run?.kill()
    case .resume: run?.resume()
    }
  }

  func suspend() -> String? {
    run?.suspend()
    return nil
  }

  // MARK: - Runs

  /// Runs the script when it is its turn, unless it runs.
  private func queue() {
    guard run == nil, waiting == nil else { return }
    waiting = starts.take { [weak self] in self?.start() }
  }

  private func start() {
    waiting = nil
    guard end == nil, update != nil || press != nil else { return }
    var launch = launch
    if let columns { launch.environment["COLUMNS"] = "\(columns)" }
    do throws(HostError) {
      run = try ScriptRun(
        launch,
        timeout: script.follows ? nil : .seconds(script.timeout),
        errorBytes: limits.errorRingBytes,
        onOutput: script.follows ? { [weak self] in self?.follow($0) } : nil,
        onLog: { [weak self] in self?.report(.log($0)) },
        onEnd: { [weak self] in self?.didEnd($0) }
      )
      guard script.follows else { return }
      isFresh = true
      show(after: Self.firstLinePatience)
    } catch {
      answer(.init(.failed, error: SafeText(error.description)))
    }
  }

  /// Takes what a script that goes on printing has printed.
  private func follow(_ bytes: [UInt8]) {
    if isFresh {
      tail = ScriptTail(limit: Int(clamping: script.lines.magnitude))
      isFresh = false
      showing?.cancel()
      showing = nil
    }
    tail.append(bytes)
    if showing == nil { show(after: Self.showPause) }
  }

  private func show(after pause: Duration) {
    showing?.cancel()
    showing = EventLoop.main.schedule(after: pause) { [weak self] in self?.show() }
  }

  /// Shows the last lines, as the answer to the update if there is one.
  private func show() {
    showing?.cancel()
    showing = nil
    guard end == nil else { return }
    let shown = ScriptText.view(of: tail.output, lines: -Int(clamping: script.lines.magnitude))
    let isNew = shown != view
    view = shown
    if update != nil {
      answer(isNew ? .init(.newData, content: ContentUpdate(view: shown)) : .init(.noData))
    } else if isNew {
      reply(OutgoingLine.notification(SetViewNotification(view: shown)))
    }
  }

  private func didEnd(_ outcome: ScriptRun.Outcome) {
    spentTime += run?.cpu ?? .zero
    run = nil
    guard end == nil else { return reportEnd() }
    if let failure = outcome.failure {
      let words = SafeText(failure + (outcome.lastError.map { ": \($0.string)" } ?? ""))
      if update == nil { report(.log([words])) }
      showing?.cancel()
      showing = nil
      return answer(.init(.failed, error: words))
    }
    if script.follows { return show() }
    let shown = ScriptOutput.view(of: outcome.output, script)
    guard shown != view else { return answer(.init(.noData)) }
    view = shown
    answer(.init(.newData, content: ContentUpdate(view: shown)))
  }

  /// Answers the update and the press that wait.
  private func answer(_ result: WidgetPerformUpdateRequest.Reply) {
    if let id = update { reply(OutgoingLine.result(result, id: id)) }
    if let id = press {
      if result.result == .failed {
        let words = result.error?.string ?? "failed"
        reply(OutgoingLine.error(WireError(code: .internalError, message: words), id: id))
      } else {
        let answer = PerformActionRequest.Reply(content: result.content, result: result.result)
        reply(OutgoingLine.result(answer, id: id))
      }
    }
    (update, press) = (nil, nil)
  }

  // MARK: - To the host

  /// Reports a line in the next turn of the loop, as the lines of a process come.
  private func reply(_ line: [UInt8]) {
    later { connection in
      guard !connection.hasEnded else { return }
      connection.report(.line(line.dropLast()))
    }
  }

  /// Ends the connection when the present run has ended, which is told to.
  private func finish(_ status: TerminationStatus) {
    guard end == nil else { return }
    end = status
    waiting?.cancel()
    waiting = nil
    guard let run else { return later { $0.reportEnd() } }
    run.resume()
    run.terminate()
  }

  private func reportEnd() {
    guard let end, run == nil, !hasEnded else { return }
    hasEnded = true
    report(.ended(end))
  }

  private func later(_ work: @escaping @MainActor (ScriptConnection) -> Void) {
    DispatchQueue.main.async { MainActor.assumeIsolated { work(self) } }
  }
}
