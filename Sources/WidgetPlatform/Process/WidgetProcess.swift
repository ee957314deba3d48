import Glibc
package import WidgetKitCore

/// One run of a widget: its process, and the limits on its messages.
///
/// Everything runs on the main thread; nothing here ever waits for the widget.
@MainActor package final class WidgetProcess: WidgetConnection {
  /// The most bytes that are read from one widget in one turn of the loop.
  ///
  /// That many bytes of short messages are processed within some milliseconds, so that keys are handled
  /// in between.
  private static let turn = 16 * 1024
  /// The same limit for standard error.
  private static let errorTurn = 8 * 1024
  /// The CPU time of all processes when the end began; the kernel does not count that of daemons which
  /// it kills with a sandbox.
  private var measuredTime = Duration.zero

  private var run: ChildRun?
  private var framer: LineFramer
  private var budget: InputBudget
  private var errorLog = ErrorLog()
  private var errorBudget: InputBudget
  private let report: (WidgetReport) -> Void

  private let groupsFolder: String?
  /// Whether the first process only waits for the program.
  private let hasMonitor: Bool

  var pid: pid_t? { run?.pid }

  package var cpu: Duration { max(run?.cpu ?? .zero, measuredTime) }

  package var isHeldBack: Bool { budget.isSpent }

  package func holdBack(_ isHeld: Bool) {
    if isHeld { run?.output?.hold() } else { run?.output?.goOn() }
  }

  package var isBlocked: Bool {
    guard let processes = processRun else { return true }
    return run?.output?.isEmpty == false
      && ProcessGroups.areWaiting(ProcessGroups.members(of: [processes])[processes] ?? [])
  }

  package var hasReadInput: Bool { run?.input?.isRead ?? true }

  package var isIdle: Bool {
    guard let processes = processRun else { return true }
    guard hasReadInput, run?.output?.isEmpty != false, run?.errors?.isEmpty != false else {
      return false
    }
    return ProcessGroups.isAtRest(processes)
  }

  package var processRun: ProcessRun? { run?.processRun }

  /// Starts a program; `report` is called on the main thread.
  package init(
    _ description: LaunchDescription,
    limits: HostLimits,
    groupsFolder: String?,
    report: @escaping (WidgetReport) -> Void
  ) throws(HostError) {
    self.groupsFolder = groupsFolder
    hasMonitor = description.hasMonitor
    self.report = report
    framer = LineFramer(byteLimit: limits.lineBytes)
    budget = InputBudget(limits)
    errorBudget = budget
    errorLog.byteLimit = limits.errorRingBytes
    var queue = OutputQueue()
    queue.messageLimit = limits.queuedMessages
    queue.byteLimit = limits.queuedBytes
    run = try ChildRun(
      description,
      ChildRun.Terms(
        input: .pipe(queue),
        output: .passed(turn: Self.turn) { [weak self] in self?.take($0) },
        errors: .passed(turn: Self.errorTurn) { [weak self] in self?.takeErrors($0) },
        limits: limits.process.granting(description.addressSpace),
        group: limits.resources.group(helpers: description.helperCount)
      )
    ) { [weak self] in self?.didEnd($0.status) }
  }

  isolated deinit { run?.closeStreams() }

  package func send(_ message: any ConnectionMessage) {
    guard let run, !run.hasEnded, let input = run.input else { return }
    if !input.send(message.line) { report(.violation("not responding: \(input.waiting)")) }
  }

  /// Creates the containers of an extension and of its groups, and starts the program of its bundle, with an environment
  /// derived from the user's.
  ///
  /// `confine` puts the program into a sandbox.
  package static func start(
    _ bundle: WidgetBundle,
    _ id: ExtensionIdentity,
    userEnvironment: [String: String],
    limits: HostLimits,
    confine: (LaunchDescription) throws(HostError) -> LaunchDescription = {
      (launch) throws(HostError) in launch
    },
    report: @escaping (WidgetReport) -> Void
  ) throws(HostError) -> WidgetProcess {
    let folders = StateFolders(environment: userEnvironment)
    let containers = folders.containers(of: id, bundle)
    StateFolders.make(containers)
    var launch = LaunchDescription(
      bundle,
      userEnvironment: userEnvironment,
      containers: containers
    )
    if limits.process.isDiskFull { launch.fillDisk() }
    return try WidgetProcess(
      confine(launch),
      limits: limits,
      groupsFolder: folders.groups,
      report: report
    )
  }

  private func measureTime() {
    guard hasMonitor, let run, !run.hasEnded else { return }
    measuredTime = max(measuredTime, run.presentTime)
  }

  package func signal(_ signal: ProcessSignal) {
    if signal != .resume { measureTime() }
    switch signal {
    case .terminate: run?.signal(SIGTERM)
    case .kill: run?.kill()
    case .resume: run?.resume()
    }
  }

  package func suspend() -> String? {
    run?.suspend()
    // The processes are stopped before the check, so that they cannot take a lock after it.
    guard let groupsFolder, let processes = processRun, unsafe access(groupsFolder, F_OK) == 0
    else { return nil }
    return GroupLocks.exclusive(
      of: ProcessGroups.members(of: [processes])[processes] ?? [],
      under: groupsFolder
    )
  }

  package func closeInput() {
    measureTime()
    run?.input?.closeWhenDrained()
  }

  package func release() -> LeavingWidget? {
    var widget = run?.release()
    widget?.pending = Array(framer.pending)
    return widget
  }

  /// The last lines of standard error.
  var lastErrors: [SafeText] { errorLog.lines }

  /// Takes what the widget wrote; what it wrote before it ended is still used.
  private func take(_ bytes: [UInt8]) -> Duration? {
    framer.append(bytes)
    var lines = 0
    do throws(LineTooLong) {
      while let line = try framer.next() {
        report(.line(line))
        lines += 1
      }
    } catch {
      return hasEnded ? nil : refuse("too large: \(error)")
    }
    guard !hasEnded else { return nil }
    switch budget.spend(bytes.count, lines: lines, at: .now) {
    case .readOn: return nil
    case .pause(let pause): return pause
    case .exhausted:
      return refuse(
        "too much output: more than \(Int(budget.rate / 1024)) KiB/s for \(Int(budget.endurance.seconds)) s"
      )
    }
  }

  private var hasEnded: Bool { run?.hasEnded ?? false }

  private func refuse(_ words: String) -> Duration? {
    run?.output?.stop()
    report(.violation(words))
    return nil
  }

  private func takeErrors(_ bytes: [UInt8]) -> Duration? {
    guard !hasEnded else {
      takeLastErrors(bytes)
      return nil
    }
    let lines = errorLog.append(bytes)
    if !lines.isEmpty { report(.log(lines)) }
    return switch errorBudget.spend(bytes.count, lines: lines.count, at: .now) {
    case .readOn: nil
    case .pause(let pause): pause
    // No request waits for standard error, so a flood is only read slowly.
    case .exhausted: .seconds(1)
    }
  }

  /// Takes the last lines of what was left in the pipe of standard error.
  private func takeLastErrors(_ bytes: [UInt8]) {
    let last = bytes.suffix(Self.errorTurn)
    let skipped = bytes.dropLast(last.count).count { $0 == UInt8(ascii: "\n") }
    if skipped > 0 { report(.log(["\(skipped) lines before the end were not read"])) }
    let lines = errorLog.append(last)
    if !lines.isEmpty { report(.log(lines)) }
  }

  private func didEnd(_ status: TerminationStatus) {
    let lines = errorLog.finish()
    if !lines.isEmpty { report(.log(lines)) }
    if run?.ranOutOfMemory == true { report(.outOfMemory) }
    report(.ended(status))
  }
}
