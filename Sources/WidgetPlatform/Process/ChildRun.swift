import CPlatform
import Glibc
package import WidgetKitCore

/// One run of a child process: its streams, its time, and its end.
///
/// It stays until the process was collected, whoever holds it. Everything runs on the main thread, and nothing
/// here ever waits for the process.
@MainActor package final class ChildRun {
  /// How it has ended.
  package struct End {
    package var status: TerminationStatus
    /// What it has printed on a stream that is kept.
    package var output: [UInt8] = []
    /// Its last lines that are not empty, of a stream that is read in lines.
    package var lines: [SafeText] = []
    /// The limit for which the host has ended it; nil if it has ended by itself.
    package var failure: Failure?

    /// What it has printed, if it has exited with 0 within its limits.
    var result: Result<[UInt8], Failure> {
      if let failure { return .failure(failure) }
      return status == .exited(0) ? .success(output) : .failure(.failed(status))
    }
  }

  /// Why a run was of no use.
  package enum Failure: Error, Equatable {
    /// It could not be started; the reason names it.
    case notStarted(String)
    case tooLong(bytes: Int)
    case tooSlow(Duration)
    case failed(TerminationStatus)

    /// What happened, to follow the name of the program.
    package var words: String {
      switch self {
      case .notStarted(let reason): "was not started: \(reason)"
      case .tooLong(let bytes): "printed more than \(bytes / 1024) KiB"
      case .tooSlow(let time): "did not end within \(time.components.seconds) s"
      case .failed(let status): "failed: \(status)"
      }
    }
  }

  /// The bytes that are read of a stream in one turn of the loop.
  package nonisolated static let turn = 16 * 1024
  /// The largest capacity of a pipe in bytes (pipe(7)); more comes from a process that has escaped with the other end.
  private static let pipe = 1 << 20
  /// How long nothing is read of a process whose output is kept.
  ///
  /// Most end before, and what they have printed waits in the pipe; each is then one wake-up instead of three.
  private static let readingDelay = Duration.milliseconds(100)
  /// How long no lines are read of a process after a whole turn of them, which the pipe then holds back.
  package nonisolated static let floodPause = Duration.milliseconds(100)
  private static let lineCount = 20

  package let input: PipeWriter?
  let output: PipeReader?
  let errors: PipeReader?
  /// Whether the process was collected, or passed on.
  private(set) var hasEnded = false

  private let launch: LaunchDescription
  private let terms: Terms
  private let clock: any HostClock
  private let onEnd: (End) -> Void
  private var process: ChildProcess?
  private var end = End(status: .unknown)
  private var log = ErrorLog()
  private var readingStart: (any HostTimer)?
  /// The end of its time, or the next step of its teardown.
  private var timer: (any HostTimer)?
  private var isEnding = false
  private var stopSignal = SIGSTOP

  /// Starts a program; `onEnd` is called once, later, when it was collected with all that it has started.
  ///
  /// - Throws: ``HostError`` if it cannot be started.
  @discardableResult
  package init(
    _ launch: LaunchDescription,
    _ terms: Terms = Terms(),
    clock: any HostClock = SystemClock(),
    onEnd: @escaping (End) -> Void = { _ in }
  ) throws(HostError) {
    (self.launch, self.terms, self.clock, self.onEnd) = (launch, terms, clock, onEnd)
    var ends = ChildStreams()
    defer { ends.close() }
    input = try ends.add(terms.input)
    output = try ends.add(terms.output)
    errors = try ends.add(terms.errors)
    process = try ChildProcess(
      launch,
      terms.isolation,
      streams: ends.numbers,
      files: terms.files,
      limits: terms.limits,
      group: terms.group
    ) { self.didEnd($0) }
    if case .kept = terms.output {
      readingStart = EventLoop.main.schedule(after: Self.readingDelay) { [weak self] in
        self?.startReading()
      }
    } else {
      startReading()
    }
    startTime()
  }

  /// Runs a program to its end.
  ///
  /// - Parameters:
  ///   - launch: The program.
  ///   - terms: Its streams and limits.
  ///   - clock: The clock of its time.
  ///   - onStart: Called with the run when it was started, for what ends it early.
  /// - Returns: How it has ended, with what its terms keep.
  /// - Throws: ``HostError`` if it cannot be started.
  package static func end(
    of launch: LaunchDescription,
    _ terms: Terms,
    clock: any HostClock = SystemClock(),
    onStart: (ChildRun) -> Void = { _ in }
  ) async throws(HostError) -> End {
    let result: Result<End, HostError> = await withCheckedContinuation { continuation in
      do throws(HostError) {
        let run = try ChildRun(launch, terms, clock: clock) {
          continuation.resume(returning: .success($0))
        }
        onStart(run)
      } catch {
        continuation.resume(returning: .failure(error))
      }
    }
    return try result.get()
  }

  /// Runs a program for what it prints; its errors are discarded.
  ///
  /// - Parameters:
  ///   - launch: The program.
  ///   - byteLimit: The bytes that it may print.
  ///   - time: The time that it may take.
  ///   - clock: The clock of that time.
  ///   - completion: Called once, with what it has printed if it exits with 0.
  /// - Returns: The run; nil if it could not be started.
  @discardableResult
  package static func print(
    _ launch: LaunchDescription,
    byteLimit: Int,
    time: Duration,
    clock: any HostClock,
    completion: @escaping (Result<[UInt8], Failure>) -> Void
  ) -> ChildRun? {
    do throws(HostError) {
      return try ChildRun(
        launch,
        Terms(output: .kept(byteLimit: byteLimit), time: time),
        clock: clock
      ) {
        completion($0.result)
      }
    } catch {
      completion(.failure(.notStarted(error.description)))
      return nil
    }
  }

  // MARK: - The process

  package var pid: Int32? { process?.pid }

  /// CPU time of all its processes, when it has ended.
  package var cpu: Duration { process?.cpu ?? .zero }

  /// CPU time that all its processes have used until now.
  var presentTime: Duration { process?.presentTime ?? .zero }

  /// Whether the kernel has ended it because its control group had no memory left.
  var ranOutOfMemory: Bool { process?.ranOutOfMemory ?? false }

  /// All its processes; nil if it has ended.
  package var processRun: ProcessRun? {
    guard !hasEnded, var run = process?.run else { return nil }
    run.helpers = launch.helperCount
    return run
  }

  /// Sends a signal to its process group; a request to end not to a process that only waits for the program, which
  /// would end before it.
  package func signal(_ number: Int32) {
    if launch.hasMonitor, number == SIGTERM {
      process?.signalFollowers(number)
    } else {
      process?.signal(number)
    }
  }

  /// Stops all its processes, and its time; another signal than SIGSTOP is only sent.
  package func suspend(with number: Int32 = SIGSTOP) {
    if !isEnding { timer?.cancel() }
    stopSignal = number
    if number == SIGSTOP { process?.suspend() } else { sendIfValid(number) }
  }

  /// Continues after ``suspend(with:)``, with the whole time again; the signal is for a program that was not stopped
  /// with SIGSTOP.
  package func resume(with number: Int32 = SIGCONT) {
    if stopSignal == SIGSTOP { process?.resume() } else { sendIfValid(number) }
    stopSignal = SIGSTOP
    startTime()
  }

  /// Sends a signal that a program has chosen.
  private func sendIfValid(_ number: Int32) {
    if (1...64).contains(number) { process?.signal(number) }
  }

  /// Ends it by the steps of its teardown, the last of which is always SIGKILL.
  package func endGently() {
    guard !isEnding else { return }
    isEnding = true
    take(terms.teardown[...])
  }

  /// Ends it at once.
  ///
  /// Processes that have left the group are killed when the leader is collected.
  package func kill() { process?.signal(SIGKILL) }

  private func take(_ steps: ArraySlice<TeardownStep>) {
    timer?.cancel()
    guard let step = steps.first else { return kill() }
    signal(step.signal)
    timer = clock.schedule(after: step.patience) { [weak self] in self?.take(steps.dropFirst()) }
  }

  private func startTime() {
    guard let time = terms.time, !isEnding, !hasEnded else { return }
    timer?.cancel()
    timer = clock.schedule(after: time) { [weak self] in self?.fail(.tooSlow(time)) }
  }

  private func fail(_ failure: Failure) {
    end.failure = end.failure ?? failure
    endGently()
  }

  /// Closes its streams: what it prints from now on is of no use to anybody.
  package func closeStreams() {
    readingStart?.cancel()
    input?.close()
    output?.stop()
    errors?.stop()
  }

  /// Stops following it, and passes it to the caller with the host's ends of its streams; nil if it has ended.
  func release() -> LeavingWidget? {
    guard !hasEnded, let (child, groupKill) = process?.release() else { return nil }
    hasEnded = true
    readingStart?.cancel()
    timer?.cancel()
    return LeavingWidget(
      child: child,
      groupKill: groupKill,
      streams: (
        input?.release() ?? -1, output?.release() ?? -1, errors?.release() ?? -1
      ),
      pending: [],
      unsent: input?.rest ?? []
    )
  }

  // MARK: - What it prints

  private func startReading() {
    start(output, terms.output)
    start(errors, terms.errors)
  }

  private func start(_ reader: PipeReader?, _ use: Output) {
    reader?.start { [weak self, weak reader] in
      guard let self, let reader, let bytes = reader.read(atMost: use.turn) else { return }
      if let pause = take(bytes, use) { reader.pause(for: pause) }
    }
  }

  /// Takes what was read; returns how long nothing more is read.
  private func take(_ bytes: [UInt8], _ use: Output) -> Duration? {
    switch use {
    case .own, .discarded, .withOutput: return nil
    case .kept(let limit):
      end.output += bytes.prefix(limit + 1 - end.output.count)
      guard end.output.count > limit else { return nil }
      output?.stop()
      end.failure = end.failure ?? .tooLong(bytes: limit)
      kill()
      return nil
    case .lines(let report):
      note(log.append(bytes), report)
      return bytes.count == Self.turn ? Self.floodPause : nil
    case .passed(_, let take): return take(bytes)
    }
  }

  private func note(_ lines: [SafeText], _ report: ([SafeText]) -> Void) {
    guard !lines.isEmpty else { return }
    report(lines)
    let visible = lines.filter { line in line.string.contains { !$0.isWhitespace } }
    end.lines = (end.lines + visible).suffix(Self.lineCount)
  }

  /// Reads what it has printed before it ended.
  private func readRest(_ reader: PipeReader?, _ use: Output) {
    var bytes: [UInt8] = []
    while let reader, bytes.count < Self.pipe, let more = reader.read(atMost: Self.turn) {
      bytes += more
    }
    switch use {
    case .lines(let report): note(log.append(bytes.suffix(Self.turn)) + log.finish(), report)
    default: if !bytes.isEmpty { _ = take(bytes, use) }
    }
  }

  private func didEnd(_ status: TerminationStatus) {
    hasEnded = true
    timer?.cancel()
    end.status = launch.hasMonitor ? status.ofMonitoredProgram : status
    readRest(output, terms.output)
    readRest(errors, terms.errors)
    closeStreams()
    for path in launch.sockets { _ = unsafe unlink(path) }
    onEnd(end)
  }
}
