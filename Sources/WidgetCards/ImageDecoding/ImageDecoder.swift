import Glibc
import WidgetKitCore
package import WidgetPlatform

/// Draws pictures in a process of their own, which starts with the first one and ends when there are no
/// more.
///
/// A picture at which the process crashes, or that takes too long, costs only itself. A class because
/// the process and timers call it.
package final class ImageDecoder: ImageDrawer {
  private struct Job {
    var request: ImageRequest
    var bytes: [UInt8]
    var completion: (Result<ImageResult, ImageFault>) -> Void
  }

  private let program: String?
  private let clock: any HostClock
  private var jobs: [Job] = []
  private var current: Job?
  private var process: DecoderProcess?
  private var deadline: (any HostTimer)?
  private var idle: (any HostTimer)?

  /// Creates a decoder of pictures; no process is started.
  ///
  /// - Parameters:
  ///   - program: The path of the decoder; nil if there is none.
  ///   - clock: The clock for deadlines.
  package init(program: String?, clock: any HostClock) {
    self.program = program
    self.clock = clock
  }

  isolated deinit { process?.end() }

  package func draw(
    _ request: ImageRequest,
    _ bytes: [UInt8],
    completion: @escaping (Result<ImageResult, ImageFault>) -> Void
  ) {
    jobs.append(Job(request: request, bytes: bytes, completion: completion))
    next()
  }

  package func rest() {
    idle?.cancel()
    guard current == nil else { return }
    process?.end()
    process = nil
  }

  private func next() {
    guard current == nil, !jobs.isEmpty else { return }
    idle?.cancel()
    let job = jobs.removeFirst()
    current = job
    guard let process = process ?? start() else { return finish(.failure(.noDecoder)) }
    self.process = process
    deadline = clock.schedule(after: ImageLimits.time) { [weak self] in self?.timeIsUp() }
    process.ask(job.request, job.bytes)
  }

  private func start() -> DecoderProcess? {
    guard let program, let process = try? DecoderProcess(program: program) else { return nil }
    process.onAnswer = { [weak self] in self?.finish($0) }
    process.onEnd = { [weak self] in self?.processDidEnd($0) }
    return process
  }

  private func finish(_ result: Result<ImageResult, ImageFault>) {
    deadline?.cancel()
    guard let job = current else { return }
    current = nil
    job.completion(result)
    guard jobs.isEmpty else { return next() }
    idle = clock.schedule(after: ImageLimits.idleTime) { [weak self] in self?.rest() }
  }

  private func timeIsUp() {
    process?.end()
    process = nil
    finish(
      .failure(ImageFault("takes more than \(ImageLimits.time.components.seconds) s to decode"))
    )
  }

  private func processDidEnd(_ end: DecoderProcess.End) {
    process = nil
    let words =
      switch end {
      case .exited(let status): "the decoder ended (\(status))"
      case .wrongAnswer: "the decoder gave a wrong answer"
      }
    finish(.failure(ImageFault("cannot be decoded: \(words)")))
  }
}
