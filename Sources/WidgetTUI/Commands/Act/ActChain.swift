import ExtensionContent
import WidgetHost
import WidgetKitCore

/// Actions that one content passes through in their order.
///
/// A class because it owns the present run, which a signal ends.
final class ActChain {
  /// How a chain has ended.
  enum Outcome {
    case completed(RequestSpool)
    /// Nothing has changed; the status and the reason are the user's.
    case cancelled(CommandError)
  }

  private let actions: [ContentExtension]
  private let options: [String: String]
  private let environment: [String: String]
  private let limits: HostLimits
  private let table: TypeTable
  private let charset: TextCharset?
  private var run: FilterRun?

  init(
    _ actions: [ContentExtension],
    options: [String: String],
    environment: [String: String],
    limits: HostLimits,
    table: TypeTable,
    charset: TextCharset?
  ) {
    (self.actions, self.options) = (actions, options)
    (self.environment, self.limits) = (environment, limits)
    (self.table, self.charset) = (table, charset)
  }

  /// The identifiers of the actions in their order.
  var identifiers: [String] { actions.map(\.identifier) }

  /// Ends the present run.
  func cancel() { run?.cancel() }

  /// Passes a content through all actions; each must accept what the one before has returned.
  ///
  /// - Parameters:
  ///   - content: The content.
  ///   - name: The name of its file, which the first action is told.
  ///   - declared: The type that the user has named.
  /// - Returns: What the last action has returned, or why nothing has changed.
  func pass(_ content: RequestSpool, name: String?, declared: UniformType?) async -> Outcome {
    var present = content
    for (index, action) in actions.enumerated() {
      let isFirst = index == 0
      let types = ActSource.types(
        of: present,
        name: isFirst ? name : nil,
        declared: isFirst ? declared : nil,
        charset,
        table
      )
      let attachment = ItemAttachment(id: "a1", types: types, size: present.size)
      let item = ExtensionItem(attachments: [attachment])
      if case .refused(let words) = action.rule.verdict(on: [item], table) {
        let type = types[0].identifier
        return .cancelled(
          CommandError(
            exitCode: .dataRefused,
            description: "\(action.bundle.displayName) does not accept \(type): \(words)"
          )
        )
      }
      let request = FilterRun.Request(
        type: Self.accepted(types, by: action, table),
        name: isFirst ? name : nil,
        options: options
      )
      switch await outcome(of: action, present, request) {
      case .completed(let result):
        // A viewer shows the content and returns none.
        if action.role == .editor { present = result }
      case .cancelled(let reason):
        return .cancelled(.failure("\(action.bundle.displayName): \(reason)"))
      }
    }
    return .completed(present)
  }

  /// The first of the types that an action accepts.
  static func accepted(
    _ types: [UniformType],
    by action: ContentExtension,
    _ table: TypeTable
  ) -> UniformType {
    let wanted = (action.script?.accepts ?? []).map { UniformType($0) }
    return types.first { type in wanted.contains { table.conforms(type, to: $0) } } ?? types[0]
  }

  private func outcome(
    of action: ContentExtension,
    _ content: RequestSpool,
    _ request: FilterRun.Request
  ) async -> FilterRun.Outcome {
    defer { run = nil }
    return await withCheckedContinuation { continuation in
      do throws(HostError) {
        run = try FilterRun(
          action,
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
