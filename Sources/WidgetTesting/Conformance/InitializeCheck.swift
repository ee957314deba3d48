import WidgetKitCore
import WidgetSessions

/// The answer to `initialize`, of an extension of any point.
struct InitializeCheck {
  /// What was exchanged.
  let record: HarnessRecord
  /// How long was waited for the answer, in real time.
  let patience: Duration
  /// What the extension may list under `implements`.
  let methods: Set<String>
  /// What these are methods of, such as `the protocol`.
  let noun: String

  /// Makes the checks.
  ///
  /// - Parameters:
  ///   - report: Gets the results.
  ///   - refuse: Called with what is none of the protocol.
  /// - Returns: Whether the answer came, so that other checks can be made.
  func run(_ report: inout TestReport, refuse: (String) -> Void) -> Bool {
    let limit = SessionPolicy().initialize
    let problem = record.problem(with: InitializeRequest.self, within: limit, patience: patience)
    let malformation = record.malformation(of: InitializeRequest.self)
    report.check(
      "initialize is answered within \(limit.words)",
      problem: malformation == nil ? problem : nil
    )
    if let malformation { refuse("the answer to initialize: \(malformation)") }
    guard problem == nil, let answer = record.answer(to: InitializeRequest.method),
      let line = try? IncomingLine(answer.bytes[...]),
      let reply = try? line.decode(InitializeRequest.Reply.self)
    else { return false }
    report.check(
      "uses protocol version \(ProtocolVersion.current)",
      problem: reply.protocolVersion == ProtocolVersion.current
        ? nil : "it answered protocolVersion \(reply.protocolVersion)"
    )
    let unknown = Set(reply.implements).subtracting(methods).sorted()
    report.check(
      "implements lists only methods of \(noun)",
      problem: unknown.isEmpty ? nil : "not in \(noun): \(unknown.joined(separator: ", "))"
    )
    return true
  }
}
