import Glibc
import WidgetKitCore

/// One run of a widget: its process, its three streams, and the limits on its messages.
///
/// This is a class because it owns descriptors and the watches on them. Everything runs on the main
/// thread; nothing here ever waits for the widget.
final class WidgetProcess: WidgetConnection {
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
  /// The processes of a sandbox: the one that waits for it, and its first one.
  private static let sandboxProcesses = 2
  /// The largest capacity of a pipe in bytes (pipe(7)).
  private static let pipe = 1 << 20

  private var child: ChildProcess?
  private let input: PipeWriter
  private let output: PipeReader
  private let errors: PipeReader
  private var framer: LineFramer
  private var budget: InputBudget
  private var errorLog = ErrorLog()
  private var errorBudget: InputBudget
  private var status: TerminationStatus?
  private let report: (WidgetReport) -> Void

  private let groupsFolder: String?
  /// Whether the first process only waits for the program.
  private let hasMonitor: Bool
  /// The processes that are not the widget's, but those of its sandbox.
  private let helperCount: Int
  private let sockets: [String]

  var pid: pid_t? { child?.pid }

  var cpu: Duration { max(child?.cpu ?? .zero, measuredTime) }

  var isHeldBack: Bool { budget.isSpent }

  func holdBack(_ isHeld: Bool) {
    if isHeld { output.hold() } else { output.goOn() }
  }

  var isBlocked: Bool {
    guard let run = processRun else { return true }
    return !output.isEmpty
      && ProcessGroups.areWaiting(ProcessGroups.members(of: [run])[run] ?? [])
  }

  var hasReadInput: Bool { input.isRead }

  var isIdle: Bool {
    guard let run = processRun else { return status != nil }
    guard input.isRead, output.isEmpty, errors.isEmpty else { return false }
    return ProcessGroups.isAtRest(run)
  }

  var processRun: ProcessRun? {
    guard status == nil, var run = child?.run else { return nil }
    run.helpers = helperCount
    return run
  }

  /// Starts a program; `report` is called on the main thread.
  init(
    _ description: LaunchDescription,
    limits: HostLimits,
    groupsFolder: String?,
    report: @escaping (WidgetReport) -> Void
  ) throws(HostError) {
    self.groupsFolder = groupsFolder
    hasMonitor = description.hasMonitor
    helperCount = (hasMonitor ? Self.sandboxProcesses : 0) + description.companionCount
    sockets = description.sockets
    var childEnds: [Int32] = []
    let inputs = description.openInputs()
    defer { for end in childEnds + inputs where end >= 0 { Glibc.close(end) } }
    let input = try PipeEnds(nonBlocking: .write)
    childEnds.append(input.read)
    var queue = OutputQueue()
    queue.messageLimit = limits.queuedMessages
    queue.byteLimit = limits.queuedBytes
    self.input = PipeWriter(descriptor: input.write, queue: queue)
    let output = try PipeEnds(nonBlocking: .read)
    childEnds.append(output.write)
    self.output = PipeReader(descriptor: output.read)
    let errors = try PipeEnds(nonBlocking: .read)
    childEnds.append(errors.write)
    self.errors = PipeReader(descriptor: errors.read)
    self.report = report
    framer = LineFramer(byteLimit: limits.lineBytes)
    budget = InputBudget(limits)
    errorBudget = budget
    errorLog.byteLimit = limits.errorRingBytes
    let launch = ChildProcess.Launch(
      executable: description.program,
      arguments: description.arguments,
      environment: description.environment,
      directory: description.folder,
      streams: childEnds,
      inputs: inputs,
      isolation: .widget,
      limits: limits.process.granting(description.addressSpace),
      group: limits.resources.group(helpers: helperCount)
    )
    child = try ChildProcess(launch) { [weak self] in self?.didEnd($0) }
    self.output.start { [weak self] in self?.read() }
    self.errors.start { [weak self] in self?.readErrors() }
  }

  func send(_ line: [UInt8]) {
    guard status == nil else { return }
    if !input.send(line) { report(.violation("not responding: \(input.waiting)")) }
  }

  /// Creates the containers of an extension and of its groups, and starts the program of its bundle, with an environment
  /// derived from the user's.
  ///
  /// `confine` puts the program into a sandbox.
  static func start(
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
    guard hasMonitor, let child, status == nil else { return }
    measuredTime = max(measuredTime, child.presentTime)
  }

  func signal(_ signal: ProcessSignal) {
    if signal != .resume { measureTime() }
    switch signal {
    // A process that only waits for the widget would end before it.
    case .terminate: hasMonitor ? child?.signalFollowers(SIGTERM) : child?.signal(SIGTERM)
    // Processes that have left the group are killed when the leader is collected.
    case .kill: child?.signal(SIGKILL)
    case .resume: child?.resume()
    }
  }

  func suspend() -> String? {
    child?.suspend()
    // The processes are stopped before the check, so that they cannot take a lock after it.
    guard let groupsFolder, let run = processRun, unsafe access(groupsFolder, F_OK) == 0 else {
      return nil
    }
    return GroupLocks.exclusive(
      of: ProcessGroups.members(of: [run])[run] ?? [],
      under: groupsFolder
    )
  }

  func closeInput() {
    measureTime()
    input.closeWhenDrained()
  }

  func release() -> LeavingWidget? {
    guard status == nil, let (child, groupKill) = child?.release() else { return nil }
    status = .unknown
    return LeavingWidget(
      child: child,
      groupKill: groupKill,
      streams: (input.release(), output.release(), errors.release()),
      pending: Array(framer.pending),
      unsent: input.rest
    )
  }

  /// The last lines of standard error.
  var lastErrors: [SafeText] { errorLog.lines }

  private func close() {
    for path in sockets { _ = unsafe unlink(path) }
    input.close()
    output.stop()
    errors.stop()
  }

  private func read() {
    guard let bytes = output.read(atMost: Self.turn) else { return }
    framer.append(bytes)
    var lines = 0
    do throws(LineTooLong) {
      while let line = try framer.next() {
        report(.line(line))
        lines += 1
      }
    } catch {
      output.stop()
      report(.violation("too large: \(error)"))
      return
    }
    switch budget.spend(bytes.count, lines: lines, at: .now) {
    case .readOn: break
    case .pause(let pause): output.pause(for: pause)
    case .exhausted:
      output.stop()
      report(
        .violation(
          "too much output: more than \(Int(budget.rate / 1024)) KiB/s for \(Int(budget.endurance.seconds)) s"
        )
      )
    }
  }

  private func readErrors() {
    guard let bytes = errors.read(atMost: Self.errorTurn) else { return }
    let lines = errorLog.append(bytes)
    if !lines.isEmpty { report(.log(lines)) }
    switch errorBudget.spend(bytes.count, lines: lines.count, at: .now) {
    case .readOn: break
    case .pause(let pause): errors.pause(for: pause)
    // No request waits for standard error, so a flood is only read slowly.
    case .exhausted: errors.pause(for: .seconds(1))
    }
  }

  /// Reads what the pipe of standard error contains, and handles its end.
  private func readLastErrors() {
    var bytes: [UInt8] = []
    while errors.isOpen, bytes.count < Self.pipe, let more = errors.read(atMost: Self.pipe) {
      bytes += more
    }
    let last = bytes.suffix(Self.errorTurn)
    let skipped = bytes.dropLast(last.count).count { $0 == UInt8(ascii: "\n") }
    if skipped > 0 { report(.log(["\(skipped) lines before the end were not read"])) }
    let lines = errorLog.append(last) + errorLog.finish()
    if !lines.isEmpty { report(.log(lines)) }
  }

  private func didEnd(_ reported: TerminationStatus) {
    let status = hasMonitor ? reported.ofMonitoredProgram : reported
    // What the widget wrote before it ended is still used. More than a pipe holds comes from a process
    // that escaped with the other end, and would never stop.
    for _ in 0..<Self.pipe / Self.turn {
      guard output.isOpen, let bytes = output.read(atMost: Self.turn) else { break }
      framer.append(bytes)
      while let line = try? framer.next() { report(.line(line)) }
    }
    readLastErrors()
    if child?.ranOutOfMemory == true { report(.outOfMemory) }
    self.status = status
    close()
    report(.ended(status))
  }
}
