import WidgetKitCore

/// What an extension has said that is none of the protocol, over all runs of a test.
///
/// A class because all parts of a test add to it.
final class TalkChecks {
  /// What was written that is not a message, and what exceeds a limit.
  private var faults: [String] = []
  /// Requests and notifications that the host has refused.
  private var refusals: [String] = []

  /// Members of its messages that are not read.
  private var unknown: [String] = []

  /// What the extension is called.
  private let noun: String

  init(_ noun: String = "widget") { self.noun = noun }

  /// The most problems that a report names.
  private static let shownCount = 5

  /// Keeps what was wrong with the messages of a run.
  ///
  /// - Parameters:
  ///   - record: What was exchanged.
  ///   - log: The log of the extension.
  func take(_ record: HarnessRecord, log: [String]) {
    for fault in record.faults { note(fault) }
    for method in record.early {
      refuse("\(SafeText(method).onOneLine) was sent before the answer to initialize")
    }
    for message in record.messages where message.isFromWidget && message.kind == nil {
      let line = SafeText(String(decoding: message.bytes.prefix(120), as: UTF8.self))
      note("not a message: \(Self.parseError(message.bytes) ?? "\(line)")")
    }
    for member in record.messages.flatMap(UnknownMembers.members)
    where !unknown.contains(member.sentence) {
      unknown.append(member.sentence)
    }
    for words in Self.lines(log, with: "refused: ") {
      let words = String(words.dropFirst("refused: ".count))
      if words.contains("params.") || words.hasPrefix("no method") { refuse(words) }
    }
    for message in record.messages where !message.isFromWidget {
      guard case .error = message.kind, let line = try? IncomingLine(message.bytes[...]),
        let error = try? line.decode(WireError.self), error.details?.itemProviderError == nil,
        [.invalidRequest, .invalidParams, .methodNotFound].contains(error.code)
      else { continue }
      refuse("\(message.method.map { "\($0): " } ?? "")\(error.message)")
    }
  }

  /// Notes a message of the extension that is none of the protocol.
  func refuse(_ words: String) {
    if !refusals.contains(words) { refusals.append(words) }
  }

  /// Adds the two checks to a report, and names the members that are not read.
  func check(_ report: inout TestReport) {
    report.check(
      "only messages on standard output",
      problem: faults.isEmpty ? nil : faults.prefix(Self.shownCount).joined(separator: "\n")
    )
    report.check(
      "the messages of the \(noun) are those of the protocol",
      problem: refusals.isEmpty ? nil : refusals.prefix(Self.shownCount).joined(separator: "\n")
    )
    for words in unknown.prefix(Self.shownCount) { report.remark(words) }
  }

  /// The lines of a log that have some words, from these words on.
  static func lines(_ log: [String], with words: String) -> [String] {
    log.compactMap { line in line.firstRange(of: words).map { String(line[$0.lowerBound...]) } }
  }

  private func note(_ fault: String) {
    if !faults.contains(fault) { faults.append(fault) }
  }

  private static func parseError(_ bytes: [UInt8]) -> String? {
    do throws(WireError) {
      _ = try IncomingLine(bytes[...])
      return nil
    } catch {
      return "\(error)"
    }
  }
}
