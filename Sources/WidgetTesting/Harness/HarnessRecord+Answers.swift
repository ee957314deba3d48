import WidgetKitCore
import WidgetPlatform

// What a check finds in a record: the answers to the requests of the host, and how processes have ended.
extension HarnessRecord {
  /// The first answer of the extension to a method, from the message at `start` on.
  func answer(to method: String, from start: Int = 0) -> HarnessMessage? {
    messages.dropFirst(start).first { $0.isFromWidget && $0.isAnswer && $0.method == method }
  }

  /// What is wrong with the answer to a method; nil if it came in time and has the right form.
  ///
  /// - Parameters:
  ///   - type: The request.
  ///   - limit: How long the answer may take.
  ///   - patience: How long was waited for it.
  ///   - start: The message from which on it is looked for.
  /// - Returns: The problem, in words.
  func problem<Request: RequestMessage>(
    with type: Request.Type,
    within limit: Duration,
    patience: Duration,
    from start: Int = 0
  ) -> String? {
    guard let answer = answer(to: Request.method, from: start) else {
      guard messages.contains(where: { $0.method == Request.method }) else {
        return "it was never asked\(lastWords)"
      }
      if let words = misprint(from: start) {
        return "a line that is no message came in place of the answer: \(words)"
      }
      if let status = ends.last { return ended(status) }
      return "no answer in \(min(limit, patience).words); "
        + "standard output may be buffered: flush it after each line\(lastWords)"
    }
    guard let line = try? IncomingLine(answer.bytes[...]) else {
      return "the answer cannot be read"
    }
    do throws(WireError) {
      if case .error = line.kind { throw try line.decode(WireError.self) }
      if !line.contentBytes.elementsEqual("null".utf8) { _ = try line.decode(Request.Reply.self) }
    } catch {
      return "\(error)"
    }
    guard let took = answer.took, took > limit else { return nil }
    return "it took \(took.words)"
  }

  /// How a process has ended, and why if the host has ended it.
  func ended(_ status: TerminationStatus) -> String {
    let reason = (endReasons.last ?? nil) ?? faults.last
    return "the process ended (\(status)\(reason.map { "; \($0)" } ?? ""))\(lastWords)"
  }

  /// What is wrong with the first line of the extension that is no message, from the message at `start` on; nil if there
  /// is none.
  private func misprint(from start: Int) -> String? {
    messages.dropFirst(start).lazy.filter { $0.isFromWidget && $0.kind == nil }.compactMap {
      message -> String? in
      do throws(WireError) {
        _ = try IncomingLine(message.bytes[...])
        return nil
      } catch {
        return "\(error)"
      }
    }.first
  }

  /// The optional methods that the extension has announced last; the process may have ended since.
  var announced: Set<String> {
    let method = InitializeRequest.method
    let answer = messages.last { $0.isFromWidget && $0.isAnswer && $0.method == method }
    let line = answer.flatMap { try? IncomingLine($0.bytes[...]) }
    return Set((try? line?.decode(InitializeRequest.Reply.self))?.implements ?? [])
  }

  /// What is wrong with the members of the answer to a method; nil if there is no answer, or it is an error.
  func malformation<Request: RequestMessage>(of _: Request.Type) -> String? {
    guard let answer = answer(to: Request.method), case .result = answer.kind,
      let line = try? IncomingLine(answer.bytes[...])
    else { return nil }
    do throws(WireError) {
      _ = try line.decode(Request.Reply.self)
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// The requests that were not answered once, in words; nil if all were.
  var answerProblem: String? {
    var problems = unanswered.map { "\($0) was never answered" }
    // The host starts a widget again that has ended, and asks the same of it.
    let lost = Set(lost).sorted()
    let reason = endReasons.compactMap(\.self).last.map { " (\($0))" } ?? ""
    problems += lost.map { "\($0) was not answered before the process ended\(reason)" }
    let answers = messages.count { $0.isFromWidget && $0.isAnswer && $0.method == nil }
    if answers > 0 {
      problems.append(
        "\(answers) answers without an open request: second ones, late ones, or to unknown ids"
      )
    }
    return problems.isEmpty ? nil : problems.prefix(5).joined(separator: "\n")
  }

  /// The messages that the extension has sent by a method, as values; those that are none are left out.
  func sent<Params: Decodable>(_ method: String, as type: Params.Type) -> [Params] {
    messages.filter { $0.isFromWidget && !$0.isAnswer && $0.method == method }.compactMap {
      try? IncomingLine($0.bytes[...]).decode(type)
    }
  }

  /// The signal by which the host had to end the last process; nil if it has ended by itself.
  var lastSignal: String? {
    switch endings[runs]?.last {
    case .terminate: "SIGTERM"
    case .kill: "SIGKILL"
    case .resume, nil: nil
    }
  }

  /// The last lines of standard error, for a problem.
  var lastWords: String {
    let lines = lastLines(10).map { "  \($0)" }
    return lines.isEmpty
      ? "" : "\nthe last lines on standard error:\n" + lines.joined(separator: "\n")
  }
}
