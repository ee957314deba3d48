import ExtensionContent
import WidgetKitCore
import WidgetPlatform
import WidgetRequests

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
  private let title: String?
  private let host: RequestHost?
  /// Where actions with a view are shown; nil if there is none of them.
  private let pane: SharePane?
  /// Ends the command on a signal; while the pane is open, the pane does.
  var interruption: Interruption?
  /// Whether an action has returned something in place of its content.
  private(set) var hasReturned = false
  private var run: FilterRun?
  /// The requests to bundles, of which processes may be left.
  private var requests: [ExtensionRequest] = []

  init(
    _ actions: [ContentExtension],
    options: [String: String],
    environment: [String: String],
    limits: HostLimits,
    table: TypeTable,
    charset: TextCharset?,
    title: String?,
    host: RequestHost?,
    pane: SharePane?
  ) {
    (self.host, self.pane, self.title) = (host, pane, title)
    (self.actions, self.options) = (actions, options)
    (self.environment, self.limits) = (environment, limits)
    (self.table, self.charset) = (table, charset)
  }

  /// The identifiers of the actions in their order.
  var identifiers: [String] { actions.map(\.identifier) }

  /// Ends the present run.
  func cancel() {
    run?.cancel()
    for request in requests { request.cancel() }
  }

  /// Ends what is left of the processes, or lets them work on without this program.
  func finish() async { await host?.finish(requests) }

  /// Passes a content through all actions; each must accept what the one before has returned.
  ///
  /// - Parameters:
  ///   - source: The content; the first action is told the name of its file.
  ///   - declared: The type that the user has named.
  /// - Returns: What the last action has returned, or why nothing has changed.
  func pass(_ source: ActSource, declared: UniformType?) async -> Outcome {
    // It may be open since the action was chosen on it.
    defer { pane?.close() }
    var present = source
    var declared = declared
    for action in actions {
      let representations = present.representations(declared: declared, charset, table)
      let types = representations.allTypes
      let attachment = ItemAttachment(id: "a1", types: types, size: present.content.size)
      let item = ExtensionItem(attachments: [attachment])
      if case .refused(let words) = action.verdict(on: [item], table) {
        let type = types[0].identifier
        return .cancelled(
          CommandError(
            exitCode: .dataRefused,
            description: "\(action.bundle.displayName) does not accept \(type): \(words)"
          )
        )
      }
      declared = nil
      switch await outcome(of: action, representations, present) {
      case .completed(let result, let type):
        // A viewer shows the content and returns none.
        guard action.role == .editor else { continue }
        if result != nil { hasReturned = true }
        present = ActSource(origin: .text, content: result ?? present.content, name: nil)
        declared = type
      case .cancelled(let reason):
        return .cancelled(.failure("\(action.bundle.displayName): \(reason)"))
      case .abandoned: return .cancelled(.cancelled)
      }
    }
    return .completed(present.content)
  }

  /// How one action has ended.
  private enum Step {
    /// It has returned this, whose type it says if it is a bundle.
    ///
    /// Without a result the content stays as it is.
    case completed(RequestSpool?, UniformType?)
    case cancelled(SafeText)
    /// A person has cancelled it.
    case abandoned
  }

  private func outcome(
    of action: ContentExtension,
    _ representations: [ActSource.Representation],
    _ source: ActSource
  ) async -> Step {
    let type = action.accepted(representations.allTypes, table)
    guard action.script != nil, let content = representations.content(as: type) else {
      return await request(to: action, representations, source)
    }
    let request = FilterRun.Request(
      type: type,
      name: source.name,
      options: options
    )
    defer { run = nil }
    return await withCheckedContinuation { continuation in
      do throws(HostError) {
        run = try FilterRun(
          action,
          content,
          request,
          environment: environment,
          limits: limits
        ) { outcome in
          switch outcome {
          case .completed(let result): continuation.resume(returning: .completed(result, nil))
          case .cancelled(let reason): continuation.resume(returning: .cancelled(reason))
          }
        }
      } catch {
        continuation.resume(returning: .cancelled(SafeText(error.description)))
      }
    }
  }

  /// Passes a content through a bundle, over the protocol.
  private func request(
    to action: ContentExtension,
    _ representations: [ActSource.Representation],
    _ source: ActSource
  ) async -> Step {
    let content = representations[0].content
    guard let host else { return .cancelled("it cannot be started") }
    var all = RequestContent(table, charset: charset)
    let provided = representations.map { one in
      ItemProvider.Representation(types: one.types, source: .spool(one.content))
    }
    all.add(
      ExtensionItem(title: title),
      [
        ItemProvider(
          provided,
          size: content.size,
          suggestedName: source.name,
          inPlace: source.file
        )
      ]
    )
    let pane = action.hasView ? pane : nil
    let request: ExtensionRequest
    do throws(HostError) {
      let settings = Set(WidgetBundle(action.bundle).settings.map(\.name))
      request = try host.request(
        action,
        all,
        size: pane.map { RequestPane.size(of: action, on: $0) } ?? RequestHost.usualSize,
        options: options.filter { settings.contains($0.key) }
      )
    } catch {
      return .cancelled(SafeText(error.description))
    }
    requests.append(request)
    guard let pane else { return await step(of: request) {} }
    let attachments = all.items.flatMap(\.attachments)
    let preview = ContentPreview(
      attachments,
      [content.beginning(ContentSample.byteLimit)],
      table,
      charset: charset ?? .ofLocale
    )
    let shown = RequestPane(request, on: pane, preview, text: nil)
    interruption?.pause()
    pane.onInterruption = { [interruption] in interruption?.cleanUp() }
    let step = await step(of: request) { shown.open() }
    shown.end()
    pane.close()
    interruption?.resume()
    return step
  }

  /// Starts a request, and waits for its end.
  private func step(
    of request: ExtensionRequest,
    _ prepare: () -> Void
  ) async -> Step {
    await withCheckedContinuation { continuation in
      request.onEnd = { outcome in
        switch outcome {
        case .completed(let items):
          let result = items.lazy.compactMap(\.first).first
          continuation.resume(returning: .completed(result?.content, result?.type))
        case .cancelled: continuation.resume(returning: .abandoned)
        case .failed(let reason): continuation.resume(returning: .cancelled(reason))
        }
      }
      prepare()
      request.start()
    }
  }
}
