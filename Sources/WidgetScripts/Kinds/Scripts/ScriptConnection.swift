import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// Answers the host in the place of a script, and has the script run once for each update.
///
/// To the session it looks like a widget whose process lives between two runs.
@MainActor final class ScriptConnection: WidgetConnection {
  private let report: (WidgetReport) -> Void
  private let script: ScriptProgram
  private lazy var runner = makeRunner(self)
  private let makeRunner: (any ScriptRunnerOwner) -> any ScriptRunning
  /// The folder in which commands run.
  private let folder: String
  /// Whether it runs on another machine.
  private let isRemote: Bool
  /// The limits of its views.
  private let limits: ViewLimits
  /// What it received at its start, and has changed since.
  private var start: InitializeRequest?
  /// What surrounded it at its last update; nil if none was asked for before.
  private var traitsOfRun: ScriptTraits?
  /// Runs it again when what surrounds it does not change any more.
  private var settling: (any HostTimer)?
  /// The update that is not answered.
  private var update: MessageID?
  /// The press that waits for a run.
  private var press: Press?
  /// The commands that the host runs, by the number of the request.
  private var commands: [Int: (press: Press, refreshes: Bool)] = [:]
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

  /// A press on an element, which is answered later.
  private struct Press {
    var id: MessageID?
    var action: String
  }

  /// Creates the connection of a script that `runner` runs in `folder`, with views within `limits`.
  init(
    _ script: ScriptProgram,
    folder: String,
    limits: ViewLimits,
    runner: @escaping (_ owner: any ScriptRunnerOwner) -> any ScriptRunning,
    report: @escaping (WidgetReport) -> Void
  ) {
    self.script = script
    self.folder = folder
    self.limits = limits
    isRemote = script.options.host != nil || script.options.topic != nil
    makeRunner = runner
    self.report = report
  }

  var exchangesLines: Bool { false }
  var processRun: ProcessRun? { runner.processRun }
  var cpu: Duration { runner.cpu }

  // MARK: - From the host

  func send(_ message: any ConnectionMessage) {
    guard end == nil, let message = message as? SentMessage else { return }
    switch message.content {
    case .message(let content): take(content, message.id)
    case .answer(let answer):
      guard case .number(let number)? = message.id else { return }
      wishes.removeValue(forKey: number)?()
      commandHasEnded(number, answer.refusal)
    // A test asks what no page asks.
    case .line:
      guard case .request(let id, let method)? = (try? IncomingLine(message.line.dropLast()))?.kind
      else { return }
      say(.refusal(.methodNotFound(method)), id)
    }
  }

  private func take(_ message: HostMessage, _ id: MessageID?) {
    switch message {
    case .initialize(let request):
      begin(request)
      let methods = [
        ViewWillAppearRequest.method, ViewWillTransitionToSizeRequest.method,
        WidgetPerformUpdateRequest.method, PerformActionRequest.method,
        AppearanceDidChangeNotification.method,
      ]
      say(.reply(.initialize(InitializeRequest.Reply(implements: methods))), id)
    case .viewWillAppear(let request):
      traitsDidChange(columns: request.size.columns)
      say(.reply(.viewWillAppear(ContentUpdate())), id)
    case .viewWillTransitionToSize(let request):
      traitsDidChange(columns: request.size.columns)
      let reply = ViewWillTransitionToSizeRequest.Reply(alongside: nil)
      say(.reply(.viewWillTransitionToSize(transition: request.transition, reply)), id)
    case .widgetPerformUpdate(let reason): perform(reason, id)
    case .performAction(let request): perform(request.action, id)
    case .appearanceDidChange(let message):
      start?.appearance = message.appearance
      traitsDidChange(columns: runner.traits.columns)
    // It was not asked for anything else.
    default: break
    }
  }

  private func perform(_ reason: UpdateReason, _ id: MessageID?) {
    // The host has given up the update before; its run goes on for this one.
    update = id
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

  private func perform(_ action: String, _ id: MessageID?) {
    let press = Press(id: id, action: action)
    switch runner.press(action) {
    case .refresh: refresh(for: press)
    case .refreshWith(let variables): refresh(for: press, adding: variables)
    case .input(let bytes): runner.write(bytes) ? answer(press) : refresh(for: press)
    case .command(let command):
      let request = RunCommandRequest(
        words: command.words,
        folder: folder,
        terminal: command.terminal
      )
      commands[ask(.command(request), request)] = (press, command.refresh)
    }
  }

  /// Runs the script again, and answers the press then.
  private func refresh(for press: Press, adding variables: [String: String] = [:]) {
    if let press = self.press { answer(press) }
    self.press = press
    if script.follows, runner.isRunning { return runner.show() }
    runner.queue(adding: script.variablesOfPress.merging(variables) { $1 }, isWanted: true)
  }

  private func commandHasEnded(_ number: Int, _ error: WireError?) {
    guard let command = commands.removeValue(forKey: number) else { return }
    if let error {
      return say(.reply(.refused(.performAction(command.press.action), error)), command.press.id)
    }
    command.refreshes ? refresh(for: command.press) : answer(command.press)
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

  private func answer(_ press: Press, _ reply: PerformActionRequest.Reply = .init()) {
    say(.reply(.performAction(press.action, reply)), press.id)
  }

  /// Answers the update and the press that wait.
  private func answer(_ result: WidgetPerformUpdateRequest.Reply) {
    if let id = update { say(.reply(.widgetPerformUpdate(result)), id) }
    if let press {
      if result.result == .failed {
        let error = WireError(code: .internalError, message: result.error?.string ?? "failed")
        say(.reply(.refused(.performAction(press.action), error)), press.id)
      } else {
        answer(press, PerformActionRequest.Reply(content: result.content, result: result.result))
      }
    }
    (update, press) = (nil, nil)
  }

  /// Requests something of the page; returns the number of the request.
  @discardableResult
  private func ask(_ request: PageRequest, _ message: any RequestMessage) -> Int {
    requestCount += 1
    say(.request(request, message), .number(requestCount))
    return requestCount
  }

  /// Reports a message in the next turn of the loop, as the messages of a process come.
  private func say(_ content: SaidMessage.Content, _ id: MessageID? = nil) {
    later { connection in
      guard !connection.hasEnded else { return }
      connection.report(.message(SaidMessage(content, id: id)))
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
    MainQueue.perform { work(self) }
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
        say(.log(LogNotification(level: "warning", message: words)))
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
      picture.view = FittedView.of(picture.view, limits)
      let isNew = picture.view != view
      view = picture.view
      if isNew, update == nil, press == nil {
        return say(.view(picture.view))
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
    ask(.update(RequestUpdateRequest()), RequestUpdateRequest())
  }

  /// Tells the user that a number is worth it.
  private func alert(_ number: Double) {
    guard let alert = script.options.alert else { return }
    let limit = ScriptNumber.words(alert.limit)
    let text = "\(ScriptNumber.words(number)), which is \(alert.comparison.rawValue) \(limit)"
    ask(.alert(AlertRequest(text: text)), AlertRequest(text: text))
  }

  func scriptWants(_ wish: ScriptWish, completion: @escaping () -> Void) {
    guard end == nil else { return completion() }
    switch wish {
    case .hasContent(let flag, let identifier):
      let request = SetHasContentRequest(flag: flag, bundleIdentifier: identifier)
      wishes[ask(.setHasContent(request), request)] = completion
    case .update:
      askForUpdate()
      completion()
    case .search:
      wishes[ask(.search(SearchScriptsRequest()), SearchScriptsRequest())] = completion
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
