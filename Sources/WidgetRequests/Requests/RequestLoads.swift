import WidgetExtensions
import WidgetKitCore
import WidgetPlatform
import WidgetSessions

/// The representations that an extension loads of the content of its request.
///
/// A class because loads end at any time.
final class RequestLoads {
  private let content: RequestContent
  private let terms: RequestTerms
  private weak var session: ExtensionSession<RequestState>?
  private var loads: [ItemLoad] = []

  init(
    _ content: RequestContent,
    _ terms: RequestTerms,
    _ session: ExtensionSession<RequestState>
  ) {
    (self.content, self.terms, self.session) = (content, terms, session)
  }

  /// Makes a representation and answers with it.
  func load(_ request: LoadItemRequest, _ id: MessageID?) {
    guard let id else { return }
    guard let provider = content.provider(request.attachment) else {
      return answer(.init(refusal: unknown(request.attachment)), id)
    }
    let load = ItemLoad(request)
    loads.append(load)
    let itemTerms = ItemLoad.Terms(
      table: content.table,
      charset: content.charset,
      folder: terms.folder,
      filesInPlace: terms.filesInPlace,
      lineBytes: terms.limits.lineBytes,
      requestBytes: terms.limits.requestBytes
    )
    let tell: @MainActor (Int, Int?) -> Void = { [weak self] bytes, total in
      self?.tell(request.attachment, bytes, total)
    }
    let done: @MainActor (Result<LoadItemRequest.Reply, WireError>) -> Void = { [weak self] in
      self?.end(load, $0, id)
    }
    Worker.content.async {
      let result = load.make(provider, itemTerms) { bytes, total in
        MainQueue.perform { tell(bytes, total) }
      }
      MainQueue.perform { done(result) }
    }
  }

  /// Answers with a preview.
  func preview(_ request: LoadPreviewRequest, _ id: MessageID?) {
    guard let id else { return }
    guard let provider = content.provider(request.attachment) else {
      return answer(.init(refusal: unknown(request.attachment)), id)
    }
    let view = ContentPreview.view(of: provider, content.table, charset: content.charset)
    answer(.init(LoadPreviewRequest.Reply(view: view)), id)
  }

  /// Gives up the loads of an attachment.
  func cancel(_ attachment: String) {
    for load in loads where load.request.attachment == attachment { load.cancel() }
  }

  /// Gives up all loads.
  func cancelAll() { for load in loads { load.cancel() } }

  private func tell(_ attachment: String, _ bytes: Int, _ total: Int?) {
    let message = LoadProgressNotification(attachment: attachment, bytes: bytes, total: total)
    session?.handle(.tell(.content(.loadProgress(message))))
  }

  private func end(
    _ load: ItemLoad,
    _ result: Result<LoadItemRequest.Reply, WireError>,
    _ id: MessageID
  ) {
    loads.removeAll { $0 === load }
    switch result {
    case .success(let reply):
      // JSON writes some characters in two or six bytes.
      answer(
        ServiceAnswer(reply, byteLimit: terms.limits.lineBytes, advice: "load it as path"),
        id
      )
    case .failure(let error): answer(.init(refusal: error), id)
    }
  }

  private func unknown(_ attachment: String) -> WireError {
    WireError(
      code: .invalidParams,
      message: "params.attachment: expected one of the request, found “\(SafeText(attachment))”"
    )
  }

  private func answer(_ answer: ServiceAnswer, _ id: MessageID) {
    session?.connection?.answer(answer, to: id)
  }
}
