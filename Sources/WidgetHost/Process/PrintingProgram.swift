import Glibc

/// A program that the host runs for what it prints.
///
/// It gets nothing on its standard input, its errors are discarded, and it ends with the host.
final class PrintingProgram {
  /// The limits of a run.
  struct Limits {
    var bytes: Int
    var time: Duration
  }

  /// Why there is no output.
  enum Failure: Error, Equatable {
    /// It could not be started; the reason names it.
    case notStarted(String)
    case tooLong(bytes: Int)
    case tooSlow(Duration)
    case failed(TerminationStatus)

    /// What happened, to follow the name of the program.
    var words: String {
      switch self {
      case .notStarted(let reason): "was not started: \(reason)"
      case .tooLong(let bytes): "printed more than \(bytes) bytes"
      case .tooSlow(let time): "did not end within \(time.components.seconds) s"
      case .failed(let status): "failed: \(status)"
      }
    }
  }

  private let clock: any HostClock
  private let limits: Limits
  private var process: ChildProcess?
  private var reader: PipeReader?
  private var deadline: (any HostTimer)?
  private var output: [UInt8] = []
  private var completion: ((Result<[UInt8], Failure>) -> Void)?

  init(_ limits: Limits, clock: any HostClock) {
    self.limits = limits
    self.clock = clock
  }

  /// Runs a program once; `completion` is called once, with what it printed if it exits with 0.
  func start(
    _ path: String,
    _ arguments: [String],
    _ environment: [String: String],
    completion: @escaping (Result<[UInt8], Failure>) -> Void
  ) {
    self.completion = completion
    let nowhere = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { if nowhere >= 0 { close(nowhere) } }
    do throws(HostError) {
      let pipe = try PipeEnds(nonBlocking: .read)
      defer { close(pipe.write) }
      let reader = PipeReader(descriptor: pipe.read)
      self.reader = reader
      let launch = ChildProcess.Launch(
        executable: path,
        arguments: arguments,
        environment: environment,
        streams: [nowhere, pipe.write, nowhere],
        isolation: .widget
      )
      process = try ChildProcess(launch) { [weak self] in self?.ended($0) }
      reader.start { [weak self] in self?.take() }
    } catch {
      return finish(.failure(.notStarted("\(error)")))
    }
    deadline = clock.schedule(after: limits.time) { [weak self] in
      guard let self else { return }
      process?.signal(SIGKILL)
      finish(.failure(.tooSlow(limits.time)))
    }
  }

  /// Ends the program and all its descendants; what it has printed counts as a failure.
  func stop() {
    process?.signal(SIGKILL)
  }

  private func take() {
    while let bytes = reader?.read(atMost: 16 * 1024) {
      output += bytes
      guard output.count > limits.bytes else { continue }
      process?.signal(SIGKILL)
      return finish(.failure(.tooLong(bytes: limits.bytes)))
    }
  }

  private func ended(_ status: TerminationStatus) {
    take()
    finish(status == .exited(0) ? .success(output) : .failure(.failed(status)))
  }

  private func finish(_ result: Result<[UInt8], Failure>) {
    deadline?.cancel()
    reader?.stop()
    let completion = completion
    self.completion = nil
    output = []
    completion?(result)
  }
}
