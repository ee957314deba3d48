import Glibc
import WidgetKitCore

/// One run of a script, from its start until it was collected with all that it has started.
final class ScriptRun {
  /// How a run has ended.
  struct Outcome {
    /// What it printed.
    var output: [UInt8] = []
    /// Its last lines on standard error that are not empty.
    var errors: [SafeText] = []
    var lastError: SafeText? { errors.last }
    /// How it has ended.
    var status = TerminationStatus.unknown
    /// Why it was ended by the host; nil if it has ended by itself.
    var failure: String?
  }

  /// The bytes that a script may print in a run.
  static let outputBytes = 256 * 1024
  /// From SIGTERM to SIGKILL for a script that takes too long.
  private static let grace = Duration.seconds(1)
  private static let turn = 16 * 1024
  /// The lines on standard error that are kept for the card.
  private static let errorLines = 20
  /// How long nothing is read of a script that ends.
  ///
  /// Most end before, and what they have printed waits in the pipe; each is then one wake-up instead of three.
  private static let readingDelay = Duration.milliseconds(100)
  /// How long nothing is read of a script that keeps printing, after a whole turn.
  private static let floodPause = Duration.milliseconds(100)

  /// What a run is besides its program.
  struct Terms {
    /// The time that it may take; nil for a script that keeps printing.
    var timeout: Duration?
    /// Whether it reads clicks on standard input; else there is nothing.
    var hasInput = false
    /// The bytes of standard error that are kept.
    var errorBytes: Int
    /// The limits of its control group; nil if it gets none.
    var group: ControlGroup.Limits?
    /// The signals that it wants in place of SIGSTOP and SIGCONT.
    var pauseSignals: PauseSignals?
  }

  private var terms: Terms
  /// Whether the first process only waits for the program, as that of a sandbox does.
  private let hasMonitor: Bool
  /// Takes what such a script prints.
  private let onOutput: (([UInt8]) -> Void)?
  private let onLog: ([SafeText]) -> Void
  private let onEnd: (Outcome) -> Void
  private var process: ChildProcess?
  private var input: PipeWriter?
  private var output: PipeReader?
  private var errors: PipeReader?
  private var errorLog = ErrorLog()
  private var deadline: (any HostTimer)?
  /// Begins to read the pipes.
  private var readingStart: (any HostTimer)?
  private var outcome = Outcome()
  /// CPU time of all its processes, when it has ended.
  var cpu: Duration { process?.cpu ?? .zero }
  /// All its processes; nil if it has ended.
  private(set) var processRun: ProcessRun?

  /// Starts a script; `onEnd` is called once, later, when it has ended.
  ///
  /// - Throws: ``HostError`` if it cannot be started.
  init(
    _ launch: LaunchDescription,
    _ terms: Terms,
    onOutput: (([UInt8]) -> Void)? = nil,
    onLog: @escaping ([SafeText]) -> Void,
    onEnd: @escaping (Outcome) -> Void
  ) throws(HostError) {
    self.terms = terms
    hasMonitor = launch.hasMonitor
    self.onOutput = onOutput
    self.onLog = onLog
    self.onEnd = onEnd
    errorLog.byteLimit = terms.errorBytes
    let readEnd: Int32
    if terms.hasInput {
      let ends = try PipeEnds(nonBlocking: .write)
      input = PipeWriter(descriptor: ends.write, queue: OutputQueue())
      readEnd = ends.read
    } else {
      readEnd = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
    }
    defer { if readEnd >= 0 { close(readEnd) } }
    let inputs = launch.openInputs()
    defer { for end in inputs where end >= 0 { close(end) } }
    let outputEnds = try PipeEnds(nonBlocking: .read)
    defer { close(outputEnds.write) }
    output = PipeReader(descriptor: outputEnds.read)
    let errorEnds = try PipeEnds(nonBlocking: .read)
    defer { close(errorEnds.write) }
    errors = PipeReader(descriptor: errorEnds.read)
    process = try ChildProcess(
      ChildProcess.Launch(
        executable: launch.program,
        arguments: launch.arguments,
        environment: launch.environment,
        directory: launch.folder,
        streams: [readEnd, outputEnds.write, errorEnds.write],
        inputs: inputs,
        isolation: .widget,
        group: terms.group
      )
    ) { [weak self] in self?.didEnd($0) }
    processRun = process?.run
    if onOutput != nil {
      startReading()
    } else {
      readingStart = EventLoop.main.schedule(after: Self.readingDelay) { [weak self] in
        self?.startReading()
      }
    }
    armDeadline()
  }

  private func startReading() {
    output?.start { [weak self] in self?.read() }
    errors?.start { [weak self] in self?.readErrors() }
  }

  /// Asks it to end; ``kill()`` follows if it does not.
  func terminate() {
    // A process that only waits for the script would end before it.
    if hasMonitor { process?.signalFollowers(SIGTERM) } else { process?.signal(SIGTERM) }
  }

  /// Ends it at once.
  func kill() { process?.signal(SIGKILL) }

  /// Writes something to its standard input; false if it has none, or does not read.
  func write(_ bytes: [UInt8]) -> Bool { input?.send(bytes) ?? false }

  /// Uses other signals to pause it, as it has said.
  func setPauseSignals(_ signals: PauseSignals?) { terms.pauseSignals = signals }

  /// Stops all its processes, and its time.
  func suspend() {
    deadline?.cancel()
    guard let stop = terms.pauseSignals?.stop, stop != SIGSTOP else {
      return process?.suspend() ?? ()
    }
    if Self.signals ~= stop { process?.signal(stop) }
  }

  /// Continues after ``suspend()``, with the whole time again.
  func resume() {
    if let stop = terms.pauseSignals?.stop, stop != SIGSTOP {
      let number = terms.pauseSignals?.resume ?? SIGCONT
      if Self.signals ~= number { process?.signal(number) }
    } else {
      process?.resume()
    }
    if processRun != nil { armDeadline() }
  }

  /// The signals that a program can want.
  private static let signals: ClosedRange<Int32> = 1...64

  private func armDeadline() {
    guard let timeout = terms.timeout else { return }
    deadline?.cancel()
    deadline = EventLoop.main.schedule(after: timeout) { [weak self] in
      guard let self else { return }
      outcome.failure = "did not end within \(timeout.components.seconds) s"
      terminate()
      deadline = EventLoop.main.schedule(after: Self.grace) { [weak self] in self?.kill() }
    }
  }

  private func read() {
    guard let bytes = output?.read(atMost: Self.turn) else { return }
    take(bytes)
    // The pipe holds back a script that prints faster than anybody reads.
    if onOutput != nil, bytes.count == Self.turn { output?.pause(for: Self.floodPause) }
  }

  private func take(_ bytes: [UInt8]) {
    if let onOutput { return onOutput(bytes) }
    outcome.output += bytes.prefix(max(0, Self.outputBytes + 1 - outcome.output.count))
    guard outcome.output.count > Self.outputBytes, outcome.failure == nil else { return }
    outcome.failure = "printed more than \(Self.outputBytes / 1024) KiB"
    output?.stop()
    kill()
  }

  private func readErrors() {
    guard let bytes = errors?.read(atMost: Self.turn) else { return }
    note(errorLog.append(bytes))
    // A flood of errors is read slowly; the pipe holds the script back, and its time ends it.
    if bytes.count == Self.turn { errors?.pause(for: .milliseconds(100)) }
  }

  private func note(_ lines: [SafeText]) {
    guard !lines.isEmpty else { return }
    onLog(lines)
    let visible = lines.filter { line in line.string.contains { !$0.isWhitespace } }
    outcome.errors = (outcome.errors + visible).suffix(Self.errorLines)
  }

  private func didEnd(_ status: TerminationStatus) {
    deadline?.cancel()
    readingStart?.cancel()
    // A pipe holds at most 1 MiB (pipe(7)); more comes from a process that is about to be killed.
    for _ in 0..<64 {
      guard let bytes = output?.read(atMost: Self.turn) else { break }
      take(bytes)
    }
    if let bytes = errors?.read(atMost: Self.turn) { note(errorLog.append(bytes)) }
    note(errorLog.finish())
    output?.stop()
    errors?.stop()
    processRun = nil
    outcome.status = hasMonitor ? status.ofMonitoredProgram : status
    input?.close()
    onEnd(outcome)
  }
}
