import Glibc
import WidgetKitCore

/// A command of a script while it runs, without a terminal.
///
/// What it has started goes on after it, as with a command at a prompt; the command itself ends with the page, also
/// if the program is killed.
final class CommandRun {
  /// The time that a command may take.
  static let timeLimit = Duration.seconds(60)
  /// From SIGTERM to SIGKILL.
  private static let grace = Duration.seconds(1)
  private static let turn = 16 * 1024
  /// How long nothing is read of a command that prints a lot.
  private static let floodPause = Duration.milliseconds(100)

  private var process: ChildProcess?
  private var output: PipeReader?
  /// Keeps standard input open for as long as it runs, where its end would end the command.
  private var input: PipeWriter?
  private var lines = ErrorLog()
  private var lastLine: SafeText?
  private var deadline: (any HostTimer)?
  private var isTooSlow = false
  private let completion: (Result<SafeText?, CommandRefusal>) -> Void

  /// Starts a command; `completion` is called once, later, with its last line if it exits with 0.
  ///
  /// - Parameters:
  ///   - launch: How it is started.
  ///   - isElsewhere: Whether it runs on another machine, which takes the end of standard input for that of
  ///     this program.
  ///   - clock: The clock of its time limit.
  ///   - completion: Takes the result.
  /// - Throws: ``HostError`` if it cannot be started.
  init(
    _ launch: ChildProcess.Launch,
    isElsewhere: Bool = false,
    clock: any HostClock,
    completion: @escaping (Result<SafeText?, CommandRefusal>) -> Void
  ) throws(HostError) {
    self.completion = completion
    lines.byteLimit = Self.turn
    let source: Int32
    if isElsewhere {
      let ends = try PipeEnds(nonBlocking: .write)
      input = PipeWriter(descriptor: ends.write, queue: OutputQueue())
      source = ends.read
    } else {
      source = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
    }
    defer { if source >= 0 { close(source) } }
    let ends = try PipeEnds(nonBlocking: .read)
    defer { close(ends.write) }
    let output = PipeReader(descriptor: ends.read)
    self.output = output
    var launch = launch
    launch.streams = [source, ends.write, ends.write]
    launch.isolation = .command
    process = try ChildProcess(launch) { [weak self] in self?.didEnd($0) }
    output.start { [weak self] in self?.read() }
    deadline = clock.schedule(after: Self.timeLimit) { [weak self] in
      guard let self else { return }
      isTooSlow = true
      end(clock)
    }
  }

  /// Ends the command; what does not end in time is killed, at the latest with the program.
  func end(_ clock: any HostClock) {
    process?.signal(SIGTERM)
    deadline = clock.schedule(after: Self.grace) { [weak self] in self?.process?.signal(SIGKILL) }
  }

  private func read() {
    guard let bytes = output?.read(atMost: Self.turn) else { return }
    note(lines.append(bytes))
    if bytes.count == Self.turn { output?.pause(for: Self.floodPause) }
  }

  private func note(_ lines: [SafeText]) {
    lastLine = lines.last { line in line.string.contains { !$0.isWhitespace } } ?? lastLine
  }

  private func didEnd(_ status: TerminationStatus) {
    deadline?.cancel()
    for _ in 0..<64 {
      guard let bytes = output?.read(atMost: Self.turn) else { break }
      note(lines.append(bytes))
    }
    note(lines.finish())
    output?.stop()
    input?.close()
    process = nil
    if isTooSlow { return completion(.failure(.tooSlow(Self.timeLimit))) }
    guard status == .exited(0) else {
      return completion(.failure(.failed(status, lastLine: lastLine)))
    }
    completion(.success(lastLine))
  }
}
