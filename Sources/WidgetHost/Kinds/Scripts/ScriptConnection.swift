import Dispatch
import WidgetKitCore

/// Answers the host in the place of a script, and has the script run once for each update.
///
/// To the session it looks like a widget whose process lives between two runs.
final class ScriptConnection: WidgetConnection {
  private let report: (WidgetReport) -> Void
  private let script: ScriptProgram
  private lazy var runner = makeRunner(self)
  private let makeRunner: (any ScriptRunnerOwner) -> any ScriptRunning
  /// The folder in which commands run.
  private let folder: String
  /// Whether it runs on another machine.
  private let isRemote: Bool
  /// What it received at its start, and has changed since.
  private var start: InitializeRequest?
  /// What surrounded it at its last update; nil if none was asked for before.
  private var traitsOfRun: ScriptTraits?
  /// Runs it again when what surrounds it does not change any more.
  private var settling: (any HostTimer)?
  /// The update that is not answered.
  private var update: MessageID?
  /// The press that waits for a run.
  private var press: MessageID?
  /// The commands that the host runs, by the number of the request.
  private var commands: [Int: (press: MessageID, refreshes: Bool)] = [:]
  /// What was asked of the page, by the number of the request.
  private var wishes: [Int: () -> Void] = [:]
  private var requestCount = 0
  /// The numbers of the script; nil if they are not kept.
  private var history: ScriptHistory?
  /// How a script that keeps printing has failed since the last update.
  private var failure: SafeText?
  /// Whether the next update for an event is the one that the connection has asked for.
  private var hasAskedForUpdate = false
  /// The view that the host has.
  private var view: ViewNode?
  /// What was written to the log when the other machine was last away, once for each reason.
  private var loggedFailure: SafeText?
  /// How the connection ends when no run is left; nil while it is used.
  private var end: TerminationStatus?
  private var hasEnded = false

  /// Creates the connection of a script that `runner` runs in `folder`.
  init(
    _ script: ScriptProgram,
    folder: String,
    runner: @escaping (_ owner: any ScriptRunnerOwner) -> any ScriptRunning,
    report: @escaping (WidgetReport) -> Void
  ) {
    self.script = script
    self.folder = folder
    isRemote = script.options.host != nil
    makeRunner = runner
    self.report = report
  }

  var processRun: ProcessRun? { runner.processRun }
  var cpu: Duration { runner.cpu }

  // MARK: - From the host

  func send(_ line: [UInt8]) {
    guard end == nil, let line = try? IncomingLine(line.dropLast()) else { return }
    switch line.kind {
    case .request(let id, let method):
      do throws(WireError) {
        try handle(method, line, id)
      } catch {
        reply(OutgoingLine.error(error, id: id))
      }
    case .result(.number(let number)):
      wishes.removeValue(forKey: number)?()
      commandHasEnded(number, nil)
    case .error(.number(let number)?):
      wishes.removeValue(forKey: number)?()
      commandHasEnded(
        number,
        (try? line.decode(WireError.self)) ?? WireError(code: .internalError, message: "failed")
      )
    case .notification(AppearanceDidChangeNotification.method):
      guard let message = try? line.decode(AppearanceDidChangeNotification.self) else { return }
      start?.appearance = message.appearance
      traitsDidChange(columns: runner.traits.columns)
    default: break
    }
  }

  private func handle(_ method: String, _ line: IncomingLine, _ id: MessageID) throws(WireError) {
    switch method {
    case InitializeRequest.method:
      begin(try line.decode(InitializeRequest.self))
      let methods = [
        ViewWillAppearRequest.method, ViewWillTransitionToSizeRequest.method,
        WidgetPerformUpdateRequest.method, PerformActionRequest.method,
        AppearanceDidChangeNotification.method,
      ]
      reply(OutgoingLine.result(InitializeRequest.Reply(implements: methods), id: id))
    case ViewWillAppearRequest.method:
      traitsDidChange(columns: try line.decode(ViewWillAppearRequest.self).size.columns)
      reply(OutgoingLine.result(ContentUpdate(), id: id))
    case ViewWillTransitionToSizeRequest.method:
      traitsDidChange(columns: try line.decode(ViewWillTransitionToSizeRequest.self).size.columns)
      reply(OutgoingLine.result(ViewWillTransitionToSizeRequest.Reply(alongside: nil), id: id))
    case WidgetPerformUpdateRequest.method:
      // The host has given up the update before; its run goes on for this one.
      update = id
      let reason = try line.decode(WidgetPerformUpdateRequest.self).reason
      let isOwn = reason == .event && hasAskedForUpdate
      if isOwn { hasAskedForUpdate = false }
      if let failure {
        self.failure = nil
        return answer(.init(.failed, error: failure))
      }
      if script.follows, runner.isRunning { return runner.show() }
      runner.queue(
        adding: script.variables(for: reason, isFirst: traitsOfRun == nil),
        isWanted: reason == .user || reason == .event && !isOwn
      )
      traitsOfRun = runner.traits
    case PerformActionRequest.method:
      perform(try line.decode(PerformActionRequest.self).action, id)
    default: throw .methodNotFound(method)
    }
  }

  private func begin(_ request: InitializeRequest) {
    start = request
    traitsDidChange(columns: request.maximumSize.columns)
    guard script.options.history == true || script.options.alert != nil else { return }
    history = ScriptHistory(folder: request.containers.data, clock: SystemClock())
  }

  /// Has the script run again if that shows something else, when no other change follows.
  private func traitsDidChange(columns: Int?) {
    guard let start else { return }
    runner.traits = ScriptTraits(
      columns: columns,
      isDark: start.appearance.dark,
      variables: script.environment(start)
    )
    settling?.cancel()
    settling = nil
    guard let traitsOfRun, runner.traits.differ(from: traitsOfRun, for: script) else { return }
    settling = EventLoop.main.schedule(after: Self.settlingTime) { [weak self] in
      guard let self, end == nil else { return }
      if script.follows, runner.isRunning { runner.show() } else { askForUpdate() }
    }
  }

  /// From the last change of a window to the run for its new size.
  private static let settlingTime = Duration.milliseconds(300)

  private func perform(_ action: String, _ id: MessageID) {
    switch runner.press(action) {
    case .refresh: refresh(for: id)
    case .refreshWith(let variables): refresh(for: id, adding: variables)
    case .input(let bytes):
      guard runner.write(bytes) else { return refresh(for: id) }
      reply(OutgoingLine.result(PerformActionRequest.Reply(), id: id))
    case .command(let command):
      requestCount += 1
      commands[requestCount] = (id, command.refresh)
      let request = RunCommandRequest(
        words: command.words,
        folder: folder,
        terminal: command.terminal
      )
      reply(OutgoingLine.request(request, id: requestCount))
    }
  }

  /// Runs the script again, and answers the press then.
  private func refresh(for id: MessageID, adding variables: [String: String] = [:]) {
    if let press { reply(OutgoingLine.result(PerformActionRequest.Reply(), id: press)) }
    press = id
    if script.follows, runner.isRunning { return runner.show() }
    runner.queue(adding: script.variablesOfPress.merging(variables) { $1 }, isWanted: true)
  }

  private func commandHasEnded(_ number: Int, _ error: WireError?) {
    guard let command = commands.removeValue(forKey: number) else { return }
    if let error { return reply(OutgoingLine.error(error, id: command.press)) }
    if command.refreshes { return refresh(for: command.press) }
    reply(OutgoingLine.result(PerformActionRequest.Reply(), id: command.press))
  }

  func closeInput() { finish(.exited(0)) }

  func signal(_ signal: ProcessSignal) {
    switch signal {
    case .terminate: finish(.exited(0))
    case .kill:
      finish(.signaled(9))
      runner.kill()
    case .resume: runner.resume()
    }
  }

  func suspend() -> String? {
    runner.suspend()
    return nil
  }

  // MARK: - To the host

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
    history?.write()
    settling?.cancel()
    runner.end()
    let open = wishes.values
    wishes = [:]
    for completion in open { completion() }
  }

  private func later(_ work: @escaping @MainActor (ScriptConnection) -> Void) {
    DispatchQueue.main.async { MainActor.assumeIsolated { work(self) } }
  }
}

extension ScriptConnection: ScriptRunnerOwner {
  func scriptHas(_ content: ScriptContent, isEnd: Bool) {
    switch content {
    case .nothing:
      if isEnd || update != nil || press != nil { answer(.init(.noData)) }
    case .failure(let words):
      let words = SafeText(words)
      if isRemote, words != loggedFailure {
        loggedFailure = words
        reply(OutgoingLine.notification(LogNotification(level: "warning", message: words)))
      }
      // Only an answer can say in the heading what has failed.
      if update == nil, press == nil { return tell(words) }
      answer(.init(.failed, error: words))
    case .picture(var picture):
      loggedFailure = nil
      if let number = picture.number, let history, isEnd || script.follows {
        if history.add(number, alert: script.options.alert) { alert(number) }
      }
      picture = picture.decorated(script.options, past: history?.memory.values ?? [])
      let isNew = picture.view != view
      view = picture.view
      if isNew, update == nil, press == nil {
        return reply(OutgoingLine.notification(SetViewNotification(view: picture.view)))
      }
      let timeline = timeline
      // Only with new data is the time of the next update taken over.
      guard isNew || timeline != nil else { return answer(.init(.noData)) }
      let content = ContentUpdate(view: picture.view)
      answer(.init(.newData, content: content, timeline: timeline))
    }
  }

  /// When the script runs next, if it has a schedule.
  private var timeline: Timeline? {
    guard !script.follows, let schedule = script.options.schedule,
      let next = schedule.next(after: SystemClock().date)
    else { return nil }
    return Timeline(entries: [], policy: .after(next))
  }

  /// Has the host ask for an update, which is answered with a failure.
  private func tell(_ words: SafeText) {
    failure = words
    askForUpdate()
  }

  private func askForUpdate() {
    hasAskedForUpdate = true
    requestCount += 1
    reply(OutgoingLine.request(RequestUpdateRequest(), id: requestCount))
  }

  /// Tells the user that a number is worth it.
  private func alert(_ number: Double) {
    guard let alert = script.options.alert else { return }
    requestCount += 1
    let limit = ScriptNumber.words(alert.limit)
    let text = "\(ScriptNumber.words(number)), which is \(alert.comparison.rawValue) \(limit)"
    reply(OutgoingLine.request(AlertRequest(text: text), id: requestCount))
  }

  func scriptWants(_ wish: ScriptWish, completion: @escaping () -> Void) {
    guard end == nil else { return completion() }
    requestCount += 1
    wishes[requestCount] = completion
    switch wish {
    case .hasContent(let flag, let identifier):
      let request = SetHasContentRequest(flag: flag, bundleIdentifier: identifier)
      reply(OutgoingLine.request(request, id: requestCount))
    case .search: reply(OutgoingLine.request(SearchScriptsRequest(), id: requestCount))
    }
  }

  func scriptLogs(_ lines: [SafeText]) { report(.log(lines)) }

  func scriptHasEnded() {
    later { connection in
      guard let end = connection.end, !connection.hasEnded else { return }
      connection.hasEnded = true
      connection.report(.ended(end))
    }
  }
}
