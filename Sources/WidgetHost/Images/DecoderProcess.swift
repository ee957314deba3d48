import FoundationEssentials
import Glibc
import WidgetKitCore

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

  private let input: PipeWriter
  private let output: PipeReader
  private var child: ChildProcess?
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
    var childEnds: [Int32] = []
    defer { for end in childEnds { Glibc.close(end) } }
    let input = try PipeEnds(nonBlocking: .write)
    childEnds.append(input.read)
    var queue = OutputQueue()
    queue.byteLimit = ImageLimits.largestFileBytes + 4_096
    self.input = PipeWriter(descriptor: input.write, queue: queue)
    let output = try PipeEnds(nonBlocking: .read)
    childEnds.append(output.write)
    self.output = PipeReader(descriptor: output.read)
    let nowhere = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
    guard nowhere >= 0 else { throw .system("open /dev/null", errno) }
    childEnds.append(nowhere)
    var limits = ProcessLimits()
    limits.fileBytes = 1
    limits.descriptors = 64
    let launch = ChildProcess.Launch(
      executable: program,
      environment: ["LC_ALL": "C.UTF-8", "GIO_MODULE_DIR": "/nonexistent"],
      directory: "/",
      streams: childEnds,
      isolation: .widget,
      limits: limits
    )
    // It stays until the process was collected.
    child = try ChildProcess(launch) { self.didExit($0) }
    self.output.start { [weak self] in self?.read() }
  }

  /// Asks for a picture; there must be no request without an answer.
  func ask(_ request: ImageRequest, _ bytes: [UInt8]) {
    self.request = request
    received = []
    head = nil
    _ = input.send(DecoderMessage.request(request, byteCount: bytes.count) + bytes)
  }

  /// Ends it without a report.
  func end() {
    onAnswer = { _ in }
    onEnd = { _ in }
    input.close()
    output.stop()
    child?.signal(SIGKILL)
  }

  private func didExit(_ status: TerminationStatus) {
    child = nil
    // What it has answered before is in the pipe.
    while output.isOpen, request != nil { if !readPart() { break } }
    onEnd(.exited(status))
  }

  private func read() { _ = readPart() }

  /// Reads what is there; false if there is nothing.
  private func readPart() -> Bool {
    guard let bytes = output.read(atMost: Self.turnBytes) else { return false }
    guard let request else {
      refuse()
      return false
    }
    received += bytes
    if head == nil, received.count >= DecoderMessage.headBytes {
      head = DecoderMessage.head(received[..<DecoderMessage.headBytes], of: request)
      guard head != nil else {
        refuse()
        return false
      }
    }
    guard let head else { return true }
    let rest = received[DecoderMessage.headBytes...]
    guard rest.count >= head.byteCount else { return true }
    guard rest.count == head.byteCount else {
      refuse()
      return false
    }
    self.request = nil
    onAnswer(DecoderMessage.result(head, rest, of: request))
    return true
  }

  private func refuse() {
    let report = onEnd
    end()
    report(.wrongAnswer)
  }
}
