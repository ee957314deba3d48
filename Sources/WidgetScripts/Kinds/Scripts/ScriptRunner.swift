import Glibc
import WidgetKitCore
import WidgetPlatform

/// What a ``ScriptRunner`` works for.
@MainActor protocol ScriptRunnerOwner: AnyObject {
  /// What the script has to show; with `isEnd` when a run has ended.
  func scriptHas(_ content: ScriptContent, isEnd: Bool)
  /// The script has written these lines on standard error.
  func scriptLogs(_ lines: [SafeText])
  /// No run is left, after the runner was told to end.
  func scriptHasEnded()
  /// The page is to do something; `completion` is called when it has, or will not.
  func scriptWants(_ wish: ScriptWish, completion: @escaping () -> Void)
}

/// Runs a script in its turn, and makes views of what it prints.
@MainActor final class ScriptRunner: ScriptRunning {
  private unowned let owner: any ScriptRunnerOwner
  private let script: ScriptProgram
  private let launch: LaunchDescription
  private let group: ControlGroup.Limits
  private let starts: ScriptStarts
  /// Where it runs; nil on this machine.
  private let remote: RemoteScript?
  private var isConnecting = false
  private var adapter: any ScriptAdapter
  /// The run in progress.
  private var run: ChildRun?
  /// The run that waits for its turn, with its variables.
  private var waiting: (any HostTimer)?
  private var variables: [String: String] = [:]
  private var isEnding = false
  /// Whether what the last run has printed is being read on another thread.
  private var isWorking = false
  /// Shows the newest lines of a script that keeps printing.
  private var showing: (any HostTimer)?
  private var hasPrinted = false
  private var mark = ByteOrderMark()
  private var spentTime = Duration.zero
  var traits = ScriptTraits() {
    didSet { adapter.appearanceDidChange(isDark: traits.isDark) }
  }

  /// The bytes that a script may print in a run.
  private static let outputBytes = 256 * 1024
  /// From new lines to the picture with them.
  private static let showPause = Duration.milliseconds(50)
  /// How long an update waits for the first line of a script that keeps printing.
  private static let firstLinePatience = Duration.seconds(2)

  init(
    _ script: ScriptProgram,
    owner: any ScriptRunnerOwner,
    launch: LaunchDescription,
    group: ControlGroup.Limits,
    starts: ScriptStarts,
    remote: RemoteScript? = nil
  ) {
    self.owner = owner
    self.script = script
    self.launch = launch
    self.group = group
    self.starts = starts
    self.remote = remote
    adapter = script.adapter
  }

  isolated deinit { run?.closeStreams() }

  var processRun: ProcessRun? { run?.processRun }
  /// CPU time of the runs that have ended.
  var cpu: Duration { spentTime }
  /// Whether a run is in progress.
  var isRunning: Bool { run != nil }

  /// What has been printed in this run as parts; nil if nothing was, or it has no parts.
  var parts: [ScriptPart]? { adapter.parts }

  /// What a press with this action does.
  func press(_ action: String) -> ScriptPress { adapter.press(action) }

  /// Runs the script when it is its turn, unless it runs; the schedule of its card decides whether that is wanted.
  func queue(adding variables: [String: String], isWanted: Bool) {
    self.variables.merge(variables) { $1 }
    guard run == nil, waiting == nil, !isConnecting, !isWorking, !isEnding else { return }
    waiting = starts.take { [weak self] in self?.start() }
  }

  /// Shows what a script that goes on has printed so far.
  func show() {
    showing?.cancel()
    showing = nil
    guard !isEnding else { return }
    owner.scriptHas(adapter.content(nil, at: .now), isEnd: false)
  }

  /// Writes to the standard input of a script that goes on; false if nobody reads.
  func write(_ bytes: [UInt8]) -> Bool { run?.input?.send(bytes) ?? false }

  func suspend() { run?.suspend(with: adapter.pauseSignals?.stop ?? SIGSTOP) }
  func resume() { run?.resume(with: adapter.pauseSignals?.resume ?? SIGCONT) }
  func kill() { run?.kill() }

  /// Ends the run; ``ScriptRunnerOwner/scriptHasEnded()`` follows.
  func end() {
    guard !isEnding else { return }
    isEnding = true
    waiting?.cancel()
    waiting = nil
    showing?.cancel()
    guard let run else { return owner.scriptHasEnded() }
    resume()
    run.signal(SIGTERM)
  }

  private func start() {
    waiting = nil
    guard !isEnding else { return }
    let added = traits.environment.merging(variables) { $1 }
    variables = [:]
    guard let remote else {
      var launch = launch
      launch.environment.merge(added) { $1 }
      return start(launch)
    }
    isConnecting = true
    remote.prepare(launch, variables: added) { [weak self] result in
      guard let self else { return }
      isConnecting = false
      guard !isEnding else { return }
      switch result {
      case .success(let prepared): start(prepared.launch, input: prepared.input)
      case .failure(let failure): owner.scriptHas(.failure(failure.description), isEnd: true)
      }
    }
  }

  /// Starts a process; `input` is the beginning of its standard input, which stays open behind it.
  private func start(_ launch: LaunchDescription, input: [UInt8]? = nil) {
    adapter.begin()
    mark = ByteOrderMark()
    hasPrinted = false
    do throws(HostError) {
      run = try ChildRun(
        launch,
        ChildRun.Terms(
          input: script.readsClicks || input != nil ? .pipe(OutputQueue()) : .nothing,
          output: script.follows
            ? .passed { [weak self] in self?.follow($0) }
            : .kept(byteLimit: Self.outputBytes),
          errors: .lines { [weak self] in self?.owner.scriptLogs($0) },
          // Making one for each of many short runs would cost more than it is worth.
          group: script.follows ? group : nil,
          time: script.follows ? nil : .seconds(script.timeout),
          teardown: [.terminate]
        )
      ) { [weak self] in self?.didEnd($0) }
      if let input, !input.isEmpty { _ = write(input) }
      if script.follows { show(after: Self.firstLinePatience) }
    } catch {
      owner.scriptHas(.failure(error.description), isEnd: true)
    }
  }

  /// Takes what a script that keeps printing has printed; the pipe holds back one that prints faster than anybody
  /// reads.
  private func follow(_ bytes: [UInt8]) -> Duration? {
    if !hasPrinted {
      showing?.cancel()
      showing = nil
    }
    hasPrinted = true
    append(bytes)
    if showing == nil { show(after: Self.showPause) }
    return bytes.count == ChildRun.turn ? ChildRun.floodPause : nil
  }

  /// Gives the format what was printed, without the byte order mark that some programs of Windows begin with.
  private func append(_ bytes: [UInt8]) {
    guard let rest = mark.rest(of: bytes) else { return }
    adapter.append(rest)
  }

  private func show(after pause: Duration) {
    showing?.cancel()
    showing = EventLoop.main.schedule(after: pause) { [weak self] in self?.show() }
  }

  /// The last line that a run has printed which has failed by itself, as many programs give their reason there.
  private static func lastLine(_ outcome: ChildRun.End) -> SafeText? {
    guard case .exited(let status) = outcome.status, status != 0 else { return nil }
    let lines = outcome.output.suffix(1_024).split(separator: UInt8(ascii: "\n"))
    let line = lines.last { !$0.allSatisfy { $0 == 0x20 || $0 == 0x0D || $0 == 0x09 } }
    return line.map { SafeText(String(decoding: $0, as: UTF8.self)) }
  }

  private func didEnd(_ outcome: ChildRun.End) {
    spentTime += run?.cpu ?? .zero
    run = nil
    let hasNewLines = showing != nil && hasPrinted
    showing?.cancel()
    showing = nil
    guard !isEnding else { return owner.scriptHasEnded() }
    if !script.follows { append(outcome.output) }
    adapter.appendErrors(outcome.lines)
    guard let task = adapter.task(outcome.status) else {
      return finish(outcome, adapter.content(outcome.status, at: .now), hasNewLines: hasNewLines)
    }
    isWorking = true
    Worker.queries.async { [weak self] in
      let content = task()
      MainQueue.perform {
        guard let self else { return }
        self.isWorking = false
        guard !self.isEnding else { return }
        self.finish(outcome, content, hasNewLines: hasNewLines)
      }
    }
  }

  /// Shows what a run has yielded that has ended.
  private func finish(
    _ outcome: ChildRun.End,
    _ content: ScriptContent,
    hasNewLines: Bool
  ) {
    var content = content
    let failure = outcome.failure?.words ?? remote?.failure(outcome)
    if let failure { content = .failure(failure) }
    if case .failure = content, script.follows, hasNewLines {
      // The last rows stay below the words.
      owner.scriptHas(adapter.content(nil, at: .now), isEnd: false)
    }
    let reason = outcome.lines.last ?? (failure == nil ? Self.lastLine(outcome) : nil)
    if case .failure(let words) = content, let last = reason {
      content = .failure("\(words): \(last.string)")
    }
    owner.scriptHas(content, isEnd: true)
  }
}
