import ExtensionContent
import Glibc
import WidgetKitCore
import WidgetPlatform
import WidgetRequests

/// A share extension in a bundle that gets content over the protocol.
///
/// A class because it owns the request, which a signal ends.
final class BundleShare {
  private let target: ContentExtension
  private let host: RequestHost
  private let request: ExtensionRequest
  private var hasAppeared = false
  /// The sheet with what a person has typed in it; nil if nobody has.
  private(set) var typedSheet: PaneSheet?
  private var timer: (any HostTimer)?

  /// How long the content may not be valid that is posted without a person.
  private static let patience = Duration.seconds(30)

  /// Prepares the request, of which nothing is started.
  ///
  /// - Parameters:
  ///   - target: The extension.
  ///   - content: What is shared.
  ///   - title: The title of the post; nil for none.
  ///   - text: The text to the content; nil for none.
  ///   - options: Settings that have other values for this request.
  ///   - host: What starts its process.
  ///   - pane: Where its view is shown; nil without a person.
  ///   - types: The types that are known, and the charset of text that is not in UTF-8.
  /// - Throws: ``HostError`` if no folder can be made for it, or an option is none of its settings.
  init(
    _ target: ContentExtension,
    _ content: SharedContent,
    title: String?,
    text: String?,
    options: [String: String],
    _ host: RequestHost,
    on pane: SharePane?,
    types: (table: TypeTable, charset: TextCharset?)
  ) throws(HostError) {
    (self.target, self.host) = (target, host)
    var all = RequestContent(types.table, charset: types.charset)
    var sources = zip(content.sources, content.representations).map { ($0, $1) }[...]
    for item in content.items {
      let own = Array(sources.prefix(item.attachments.count))
      sources = sources.dropFirst(item.attachments.count)
      all.add(
        ExtensionItem(title: title, contentText: text, userInfo: Self.origin(of: own.map(\.0))),
        own.map { source, representations in
          ItemProvider(
            representations.map { one in
              ItemProvider.Representation(types: one.types, source: .spool(one.content))
            },
            size: source.content.size,
            suggestedName: source.name
          )
        }
      )
    }
    let size = pane.map { RequestPane.size(of: target, on: $0) } ?? RequestHost.usualSize
    request = try host.request(target, all, size: size, options: options)
  }

  /// Where content is from, as far as the program knows.
  private static func origin(of sources: [ActSource]) -> [String: String] {
    var origin: [String: String] = [:]
    if let folder = unsafe getcwd(nil, 0) {
      origin["workingDirectory"] = unsafe String(cString: folder)
      unsafe free(folder)
    }
    if sources.count == 1, case .file(_, let path) = sources[0].origin { origin["path"] = path }
    return origin
  }

  /// Ends the request without a change.
  func cancel() { request.cancel() }

  /// Ends its process, or lets it work on for what is left.
  func finish() async { await host.finish([request]) }

  /// Shows the sheet, or the view of the extension, until the request is over.
  func compose(on pane: SharePane, _ preview: ContentPreview, text: String?) async
    -> ExtensionRequest.Outcome
  {
    let shown = RequestPane(request, on: pane, preview, text: text)
    defer { shown.end() }
    let outcome = await run { shown.open() }
    typedSheet = shown.typedSheet
    return outcome
  }

  /// Posts without a sheet, as soon as the content is valid.
  ///
  /// - Parameter text: The text; nil for that of the extension.
  /// - Returns: How the request has ended.
  func post(_ text: String?) async -> ExtensionRequest.Outcome {
    await run { [request] in
      request.onChange = { [weak self] in
        guard let self, request.stage == .ready else { return }
        if !hasAppeared {
          hasAppeared = true
          request.present(text: text)
        }
        if request.compose?.isContentValid != false {
          request.post(text ?? request.compose?.text ?? "")
        }
      }
      timer = SystemClock().schedule(after: Self.patience) { [request] in
        if request.stage == .ready { request.cancel() }
      }
    }
  }

  private func run(_ prepare: () -> Void) async -> ExtensionRequest.Outcome {
    let outcome = await withCheckedContinuation { continuation in
      request.onEnd = { continuation.resume(returning: $0) }
      prepare()
      request.start()
    }
    timer?.cancel()
    request.onChange = {}
    return outcome
  }
}
