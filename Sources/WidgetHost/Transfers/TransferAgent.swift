import FoundationEssentials
import Glibc

/// A process of the program that transfers one file, and what it reports.
///
/// It reports on a pipe and ends when nobody reads that.
final class TransferAgent {
  /// What it reports.
  nonisolated enum Report: Hashable {
    /// The bytes that were transferred, and all of them if that is known.
    case progress(bytes: Int, total: Int?)
    /// What identifies the content that comes; nil if a part of it is of no use later.
    case validator(String?)
    /// The file is whole.
    case done(status: Int)
    /// It has failed, for a reason in one word and in words.
    case failed(reason: String, status: Int?, words: String)
    /// The process has ended without a word, as one does that was killed.
    case ended(TerminationStatus)
  }

  private let onReport: (Report) -> Void
  private var child: ChildProcess?
  private var reader: PipeReader?
  private var rest: [UInt8] = []
  private var hasEnded = false

  private static let lineLimit = 16 * 1024

  /// Creates one that is not started; the last report is that it is done or has failed.
  init(onReport: @escaping (Report) -> Void) {
    self.onReport = onReport
  }

  /// The request as the program reads it.
  nonisolated static func request(_ record: TransferRecord, credential: String? = nil) -> String {
    var lines = [
      "method \(record.method)", "url \(record.url)", "limit \(record.byteLimit)", "attempts 16",
    ]
    if let validator = record.validator { lines.append("validator \(validator)") }
    lines += record.headers.sorted { $0.key < $1.key }.map { "header \($0.key): \($0.value)" }
    if let credential { lines.append(credential) }
    if record.kind == .upload { lines.append("body") }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Starts to transfer.
  ///
  /// - Parameters:
  ///   - record: What is transferred.
  ///   - credential: The line for its secret; nil if it has none.
  ///   - program: The program.
  ///   - part: The file that is filled.
  ///   - source: The file that is sent.
  ///   - environment: The user's environment, from which it gets the proxies.
  /// - Throws: ``HostError`` if it cannot be started.
  func start(
    _ record: TransferRecord,
    credential: String?,
    _ program: String,
    part: borrowing Descriptor,
    source: Int32?,
    environment: [String: String]
  ) throws(HostError) {
    let nowhere = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
    guard nowhere >= 0 else { throw .system("open /dev/null", errno) }
    defer { close(nowhere) }
    let request = MemoryFile.open(Array(Self.request(record, credential: credential).utf8))
    guard request >= 0 else { throw .system("open a file in memory", errno) }
    defer { close(request) }
    let pipe = try PipeEnds(nonBlocking: .read)
    defer { close(pipe.write) }
    let reader = PipeReader(descriptor: pipe.read)
    let launch = ChildProcess.Launch(
      executable: program,
      environment: Self.environment(environment),
      directory: "/",
      streams: [request, pipe.write, nowhere],
      inputs: [part.number, source ?? nowhere],
      isolation: .detached
    )
    child = try ChildProcess(launch) { [weak self] in self?.didExit($0) }
    self.reader = reader
    reader.start { [weak self] in self?.read() }
  }

  /// Ends it without a report.
  func stop() {
    hasEnded = true
    reader?.stop()
    child?.signal(SIGKILL)
  }

  nonisolated private static func environment(_ user: [String: String]) -> [String: String] {
    let names: Set<String> = [
      "http_proxy", "https_proxy", "all_proxy", "no_proxy", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
      "SSL_CERT_FILE", "SSL_CERT_DIR", "TZ",
    ]
    return user.filter { names.contains($0.key) }.merging(["LC_ALL": "C.UTF-8"]) { $1 }
  }

  private func read() {
    while !hasEnded, let bytes = reader?.read(atMost: Self.lineLimit) {
      rest += bytes
      while let end = rest.firstIndex(of: 0x0A) {
        let line = String(decoding: rest[..<end], as: UTF8.self)
        rest.removeSubrange(...end)
        if let report = Self.report(line) { take(report) }
      }
      if rest.count > Self.lineLimit { rest = [] }
    }
  }

  private func take(_ report: Report) {
    guard !hasEnded else { return }
    switch report {
    case .done, .failed, .ended: hasEnded = true
    case .progress, .validator: break
    }
    onReport(report)
  }

  private func didExit(_ status: TerminationStatus) {
    read()
    reader?.stop()
    take(.ended(status))
  }

  /// Reads a line of the program; nil for one that says nothing new.
  nonisolated static func report(_ line: String) -> Report? {
    let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
    switch words.first {
    case "progress" where words.count == 3:
      guard let bytes = Int(words[1]), let total = Int(words[2]), bytes >= 0 else { return nil }
      return .progress(bytes: bytes, total: total < 0 ? nil : total)
    case "validator":
      let text = line.dropFirst("validator ".count)
      return .validator(text.isEmpty ? nil : String(text))
    case "done" where words.count >= 2:
      return Int(words[1]).map { .done(status: $0) }
    case "failed" where words.count == 4:
      let status = Int(words[2]).flatMap { $0 > 0 ? $0 : nil }
      return .failed(reason: String(words[1]), status: status, words: String(words[3]))
    default: return nil
    }
  }
}
