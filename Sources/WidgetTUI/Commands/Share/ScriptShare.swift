import ExtensionContent
import WidgetKitCore
import WidgetPlatform
import WidgetRequests

/// A share script that gets content: each source in a run of its own.
///
/// A class because it owns the present run, which a signal ends.
final class ScriptShare {
  /// How sharing has ended.
  enum Outcome {
    /// What the runs have printed.
    case completed([RequestSpool])
    /// The reason is for the user.
    case cancelled(SafeText)
  }

  private let target: ContentExtension
  private let environment: [String: String]
  private let limits: HostLimits
  private let table: TypeTable
  private var run: FilterRun?

  init(
    _ target: ContentExtension,
    environment: [String: String],
    limits: HostLimits,
    table: TypeTable
  ) {
    (self.target, self.environment) = (target, environment)
    (self.limits, self.table) = (limits, table)
  }

  /// Ends the present run.
  func cancel() { run?.cancel() }

  /// Gives the script all content.
  ///
  /// - Parameters:
  ///   - content: The content.
  ///   - options: The values of options by their names.
  /// - Returns: What it has returned, or why it has not.
  func post(_ content: SharedContent, options: [String: String]) async -> Outcome {
    let attachments = content.items.flatMap(\.attachments)
    var results: [RequestSpool] = []
    let sources = zip(content.sources, content.representations)
    for ((source, representations), attachment) in zip(sources, attachments) {
      let type = target.accepted(attachment.types, table)
      let request = FilterRun.Request(
        type: type,
        name: source.name,
        options: options
      )
      switch await outcome(representations.content(as: type) ?? source.content, request) {
      case .completed(let result): results.append(result)
      case .cancelled(let reason): return .cancelled(reason)
      }
    }
    return .completed(results)
  }

  private func outcome(
    _ content: RequestSpool,
    _ request: FilterRun.Request
  ) async -> FilterRun.Outcome {
    defer { run = nil }
    return await withCheckedContinuation { continuation in
      do throws(HostError) {
        run = try FilterRun(
          target,
          content,
          request,
          environment: environment,
          limits: limits
        ) { continuation.resume(returning: $0) }
      } catch {
        continuation.resume(returning: .cancelled(SafeText(error.description)))
      }
    }
  }
}
