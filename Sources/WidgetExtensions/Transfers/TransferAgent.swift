import FoundationEssentials
import Glibc
import WidgetPlatform

/// A process of the program that transfers one file, and what it reports.
///
/// It reports on a pipe and ends when nobody reads that.
@MainActor final class TransferAgent {
  /// What it reports.
  enum Report: Hashable {
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
  private var run: ChildRun?
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
    run = try ChildRun(
      LaunchDescription(program: program, environment: Self.environment(environment)),
      ChildRun.Terms(
        isolation: .detached,
        input: .bytes(Array(Self.request(record, credential: credential).utf8)),
        output: .passed(turn: Self.lineLimit) { [weak self] in self?.take($0) },
        files: [part.number] + (source.map { [$0] } ?? [])
      )
    ) { [weak self] in self?.take(.ended($0.status)) }
  }

  isolated deinit { run?.closeStreams() }

  /// Ends it without a report.
  func stop() {
    hasEnded = true
    run?.closeStreams()
    run?.kill()
  }

  nonisolated private static func environment(_ user: [String: String]) -> [String: String] {
    let names: Set<String> = [
      "http_proxy", "https_proxy", "all_proxy", "no_proxy", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
      "SSL_CERT_FILE", "SSL_CERT_DIR", "TZ",
    ]
    return user.filter { names.contains($0.key) }.merging(["LC_ALL": "C.UTF-8"]) { $1 }
  }

  private func take(_ bytes: [UInt8]) -> Duration? {
    rest += bytes
    while let end = rest.firstIndex(of: 0x0A) {
      let line = String(decoding: rest[..<end], as: UTF8.self)
      rest.removeSubrange(...end)
      if let report = Self.report(line) { take(report) }
    }
    if rest.count > Self.lineLimit { rest = [] }
    return nil
  }

  private func take(_ report: Report) {
    guard !hasEnded else { return }
    switch report {
    case .done, .failed, .ended: hasEnded = true
    case .progress, .validator: break
    }
    onReport(report)
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
