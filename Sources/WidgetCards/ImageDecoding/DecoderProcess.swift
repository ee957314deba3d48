import FoundationEssentials
import WidgetKitCore
import WidgetPlatform

/// A process that decodes pictures, one at a time.
///
/// It is hostile once a file has taken it over: what it answers is checked, and it ends with the first
/// answer that is not one. A class because it owns a process and its pipes.
final class DecoderProcess {
  /// Why it has ended.
  enum End {
    /// By itself.
    case exited(TerminationStatus)
    /// It has answered something else than it was asked for.
    case wrongAnswer
  }

  private var run: ChildRun?
  private var request: ImageRequest?
  private var received: [UInt8] = []
  private var head: DecoderMessage.Head?

  /// Called with the answer to the last request.
  var onAnswer: (Result<ImageResult, ImageFault>) -> Void = { _ in }
  /// Called when it answers no more; not after ``end()``.
  var onEnd: (End) -> Void = { _ in }

  private static let turnBytes = 256 * 1024

  /// Starts a decoder.
  init(program: String) throws(HostError) {
    var queue = OutputQueue()
    queue.byteLimit = ImageLimits.largestFileBytes + 4_096
    var limits = ProcessLimits()
    limits.fileBytes = 1
    limits.descriptors = 64
    run = try ChildRun(
      LaunchDescription(
        program: program,
        environment: ["LC_ALL": "C.UTF-8", "GIO_MODULE_DIR": "/nonexistent"]
      ),
      ChildRun.Terms(
        input: .pipe(queue),
        output: .passed(turn: Self.turnBytes) { [weak self] in self?.take($0) },
        limits: limits
      )
    ) { [weak self] in self?.onEnd(.exited($0.status)) }
  }

  /// Asks for a picture; there must be no request without an answer.
  func ask(_ request: ImageRequest, _ bytes: [UInt8]) {
    self.request = request
    received = []
    head = nil
    _ = run?.input?.send(DecoderMessage.request(request, byteCount: bytes.count) + bytes)
  }

  /// Ends it without a report.
  func end() {
    onAnswer = { _ in }
    onEnd = { _ in }
    run?.closeStreams()
    run?.kill()
  }

  private func take(_ bytes: [UInt8]) -> Duration? {
    guard let request else { return refuse() }
    received += bytes
    if head == nil, received.count >= DecoderMessage.headBytes {
      head = DecoderMessage.head(received[..<DecoderMessage.headBytes], of: request)
      guard head != nil else { return refuse() }
    }
    guard let head else { return nil }
    let rest = received[DecoderMessage.headBytes...]
    guard rest.count >= head.byteCount else { return nil }
    guard rest.count == head.byteCount else { return refuse() }
    self.request = nil
    onAnswer(DecoderMessage.result(head, rest, of: request))
    return nil
  }

  private func refuse() -> Duration? {
    let report = onEnd
    end()
    report(.wrongAnswer)
    return nil
  }
}
