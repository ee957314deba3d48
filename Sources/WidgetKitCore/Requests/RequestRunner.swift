/// Passes the messages of the host to a share or action extension, and its answers to the host, in order.
///
/// A method that waits does not delay later messages, but messages are started in order.
@MainActor
final class RequestRunner: MessageReceiver {
  let context: WidgetContext
  private let make: @MainActor () -> RequestHandlers
  private var program: RequestHandlers?
  private var hasView = false
  private var sentSheet: ComposeSheet?
  private var sentView: ViewNode?
  /// Whether the host has sent `shutdown`.
  private(set) var isShutDown = false

  private var host: HostConnection { context.host }

  init(_ context: WidgetContext, make: @escaping @MainActor () -> RequestHandlers) {
    (self.context, self.make) = (context, make)
    context.display = { [weak self] in self?.display() }
  }

  // MARK: - Requests

  func handle(_ method: String, _ line: IncomingLine, id: MessageID) throws(WireError) {
    if method == InitializeRequest.method {
      return try initialize(line.decode(InitializeRequest.self), id: id)
    }
    guard let program else { throw .invalidRequest("\(method): expected initialize first") }
    guard method == ViewWillAppearRequest.method || program.implements.contains(method) else {
      throw .methodNotFound(method)
    }
    switch method {
    case ViewWillAppearRequest.method:
      context.appear(at: try line.decode(ViewWillAppearRequest.self).size)
      sentView = program.view()
      host.answer(ContentUpdate(view: sentView), id: id)
    case ContentDidChangeRequest.method:
      let text = try line.decode(ContentDidChangeRequest.self).text
      context.request?.text = text
      host.answer(program.validity(text), id: id)
      display()
    case ConfigurationItemChosenRequest.method:
      let request = try line.decode(ConfigurationItemChosenRequest.self)
      answer(id) {
        ConfigurationItemChosenRequest.Reply(view: try await program.chooseItem(request))
      }
    case DidSelectPostRequest.method:
      let text = try line.decode(DidSelectPostRequest.self).text
      context.request?.text = text
      answer(id) {
        try await program.post(text)
        return NoMembers()
      }
    case DidSelectCancelRequest.method:
      answer(id) {
        await program.cancel()
        return NoMembers()
      }
    case PerformActionRequest.method:
      let request = try line.decode(PerformActionRequest.self)
      answer(id) {
        try await program.perform(request)
        return PerformActionRequest.Reply(content: ContentUpdate())
      }
    default: throw .methodNotFound(method)
    }
  }

  private func initialize(_ request: InitializeRequest, id: MessageID) throws(WireError) {
    guard program == nil else { throw .invalidRequest("initialize: expected once") }
    context.launch(request)
    let program = make()
    self.program = program
    hasView = request.hasView ?? false
    context.launchIsAnswered()
    host.answer(InitializeRequest.Reply(implements: program.implements), id: id)
    if hasView { display() } else { begin(program) }
  }

  private func begin(_ program: RequestHandlers) {
    Task.immediate {
      do {
        try await program.begin()
        display()
      } catch {
        context.cancelRequest("\(error)")
      }
    }
  }

  /// Answers a request with what `work` makes, or with its error, and then sends what has changed.
  private func answer(
    _ id: MessageID,
    _ work: @escaping @MainActor () async throws -> some Encodable
  ) {
    Task.immediate {
      do {
        host.answer(try await work(), id: id)
      } catch {
        host.fail(WireError(code: .internalError, message: "\(error)"), id: id)
      }
      display()
    }
  }

  // MARK: - Notifications

  func handle(_ method: String, _ line: IncomingLine) throws(WireError) {
    if method == ShutdownNotification.method {
      isShutDown = true
      return
    }
    guard let program else { throw .invalidRequest("expected initialize first") }
    switch method {
    case ViewDidAppearNotification.method: begin(program)
    case PresentationAnimationDidFinishNotification.method:
      Task.immediate {
        await program.presentationAnimationDidFinish()
        display()
      }
    case RequestDidCompleteNotification.method:
      program.didComplete(try line.decode(RequestDidCompleteNotification.self).expired)
    case AppearanceDidChangeNotification.method:
      context.appearance = try line.decode(AppearanceDidChangeNotification.self).appearance
      display()
    case ExpiringActivityNotification.method:
      let expiry = try line.decode(ExpiringActivityNotification.self)
      if expiry.expired { context.expire(expiry.activity) }
    case DefaultsDidChangeNotification.method:
      context.defaultsDidChange(try line.decode(DefaultsDidChangeNotification.self))
    case DidReceiveNotificationNotification.method:
      context.didReceiveNotification(try line.decode(DidReceiveNotificationNotification.self).name)
    case TransferDidProgressNotification.method:
      context.transferDidProgress(try line.decode(TransferDidProgressNotification.self))
    default: break
    }
  }

  /// Sends the sheet and the view, if they have changed.
  private func display() {
    guard hasView, let program else { return }
    if let sheet = program.compose() {
      if let message = sheet.message(after: sentSheet) { host.notify(message) }
      sentSheet = sheet
    }
    guard let view = program.view(), view != sentView else { return }
    sentView = view
    host.notify(SetViewNotification(view: view))
  }
}
