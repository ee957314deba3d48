/// Passes the messages of the host to a widget, and its answers to the host, in order.
///
/// A method that waits (an update, a press) does not delay later messages, but messages are started
/// in order.
@MainActor
final class WidgetRunner<Program: Widget>: MessageReceiver {
  let context: WidgetContext
  private let host: HostConnection
  private let make: @MainActor () -> Program
  private var widget: Program?
  /// The content that the host has, so that it is not sent again.
  private var sentView: ViewNode?
  /// Whether the host has ever got a view with something in it.
  private var hasShown = false
  private var transitions: [Int: TransitionCoordinator] = [:]

  /// Whether the host has sent `shutdown`.
  private(set) var isShutDown = false

  init(context: WidgetContext, make: @escaping @MainActor () -> Program = { Program() }) {
    self.context = context
    self.make = make
    host = context.host
    context.display = { [weak self] in self?.display() }
  }

  // MARK: Requests

  func handle(_ method: String, _ line: IncomingLine, id: MessageID) throws(WireError) {
    if method == InitializeRequest.method {
      return try initialize(line.decode(InitializeRequest.self), id: id)
    }
    guard let widget else { throw .invalidRequest("\(method): expected initialize first") }
    switch method {
    case ViewWillAppearRequest.method:
      let request = try line.decode(ViewWillAppearRequest.self)
      context.appear(at: request.size)
      _ = widget.viewWillAppear()
      sentView = nil
      host.answer(changedContent(), id: id)
    case ViewWillDisappearRequest.method:
      context.disappear()
      Task.immediate {
        _ = await widget.viewWillDisappear()
        host.answer(changedContent(), id: id)
      }
    case WidgetPerformUpdateRequest.method where Program.takesUpdates:
      let request = try line.decode(WidgetPerformUpdateRequest.self)
      Task.immediate { host.answer(await update(widget, request.reason), id: id) }
    case PerformActionRequest.method where Program.takesActions:
      let request = try line.decode(PerformActionRequest.self)
      Task.immediate {
        let result: Any
        if let text = request.text {
          let answer = await widget.perform(action: request.action, text: text)
          result = answer
        } else {
          let answer = await widget.perform(action: request.action, value: request.value)
          result = answer
        }
        let reply = PerformActionRequest.Reply(
          content: changedContent(),
          result: result as? UpdateResult
        )
        host.answer(reply, id: id)
      }
    case ViewWillTransitionToSizeRequest.method:
      let request = try line.decode(ViewWillTransitionToSizeRequest.self)
      transition(widget, request)
      host.answer(
        ViewWillTransitionToSizeRequest.Reply(alongside: changedContent().view),
        id: id
      )
    case WidgetMarginInsetsRequest.method where Program.takesMarginInsets:
      let proposed = try line.decode(WidgetMarginInsetsRequest.self).proposed
      host.answer(
        widget.widgetMarginInsets(forProposed: proposed) as? EdgeInsets ?? proposed,
        id: id
      )
    case HandleEventsForBackgroundURLSessionRequest.method:
      try context.handle(try line.decode(HandleEventsForBackgroundURLSessionRequest.self))
      host.answer(HandleEventsForBackgroundURLSessionRequest.Reply(), id: id)
      display()
    default:
      try handleList(method, line, id: id, widget)
    }
  }

  /// Handles a request about the rows of a list.
  private func handleList(
    _ method: String,
    _ line: IncomingLine,
    id: MessageID,
    _ widget: Program
  ) throws(WireError) {
    switch method {
    case ListShouldRemoveRowRequest.method where Program.vetoesRemoval:
      let request = try line.decode(ListShouldRemoveRowRequest.self)
      Task.immediate {
        let allowed = await widget.listShouldRemoveRow(request.row, in: request.list) as? Bool
        host.answer(ListShouldRemoveRowRequest.Reply(allowed: allowed ?? true), id: id)
      }
    case ListDidRemoveRowRequest.method where Program.removesRows:
      let request = try line.decode(ListDidRemoveRowRequest.self)
      change(id) { _ = try await widget.listDidRemoveRow(request.row, in: request.list) }
    case ListDidMoveRowRequest.method where Program.movesRows:
      let request = try line.decode(ListDidMoveRowRequest.self)
      change(id) {
        _ = try await widget.listDidMoveRow(request.row, in: request.list, before: request.before)
      }
    case WidgetListPerformAddActionRequest.method where Program.addsRows:
      let request = try line.decode(WidgetListPerformAddActionRequest.self)
      change(id) { _ = try await widget.widgetListPerformAddAction(in: request.list) }
    default:
      throw .methodNotFound(method)
    }
  }

  /// Answers a request with the content after `work`, or with its error.
  private func change(_ id: MessageID, _ work: @escaping @MainActor () async throws -> Void) {
    Task.immediate {
      do {
        try await work()
        host.answer(changedContent(), id: id)
      } catch {
        host.fail(WireError(code: .internalError, message: "\(error)"), id: id)
      }
    }
  }

  private func initialize(_ request: InitializeRequest, id: MessageID) throws(WireError) {
    guard widget == nil else { throw .invalidRequest("initialize: expected once") }
    context.launch(request)
    widget = make()
    // A widget without updates is not asked for its view when it is started for one.
    let isComplete = request.reason == .update && !Program.takesUpdates
    var content = isComplete ? changedContent() : ContentUpdate()
    content.preferredContentSize = context.preferredHeight
    let reply = InitializeRequest.Reply(
      implements: Program.implements + [ClockDidChangeNotification.method],
      content: content,
      largestAvailableDisplayMode: context.largestAvailableDisplayMode,
      allowsEditing: Program.allowsEditing ? true : nil
    )
    context.launchIsAnswered()
    host.answer(reply, id: id)
  }

  private func update(
    _ widget: Program,
    _ reason: UpdateReason
  ) async -> WidgetPerformUpdateRequest.Reply {
    let outcome: UpdateOutcome
    do {
      switch try await widget.widgetPerformUpdate(reason: reason) {
      case let result as UpdateResult: outcome = UpdateOutcome(result)
      case let given as UpdateOutcome: outcome = given
      default:
        let type = Program.UpdateAnswer.self
        outcome = .failed("widgetPerformUpdate returns \(type), expected UpdateResult")
      }
    } catch {
      outcome = .failed("\(error)")
    }
    var reply = WidgetPerformUpdateRequest.Reply(
      outcome.result,
      error: outcome.error.map(SafeText.init(_:)),
      refreshAfter: outcome.refreshAfter.map { max(0, $0 / .seconds(1)) }
    )
    if outcome.result == .newData {
      sentView = nil
      reply.content = changedContent()
      reply.timeline = outcome.timeline
    }
    return reply
  }

  private func transition(_ widget: Program, _ request: ViewWillTransitionToSizeRequest) {
    context.resize(to: request.size)
    let coordinator = request.animated ? TransitionCoordinator(request) : nil
    transitions[request.transition] = coordinator
    _ = widget.viewWillTransition(to: request.size, with: coordinator)
    coordinator?.begin()
  }

  // MARK: Notifications

  func handle(_ method: String, _ line: IncomingLine) throws(WireError) {
    if method == ShutdownNotification.method {
      isShutDown = true
      return
    }
    guard let widget else { throw .invalidRequest("expected initialize first") }
    switch method {
    case ViewDidAppearNotification.method:
      _ = widget.viewDidAppear()
      display()
    case ViewDidDisappearNotification.method:
      context.disappear()
      _ = widget.viewDidDisappear()
    case TransitionDidCompleteNotification.method:
      let end = try line.decode(TransitionDidCompleteNotification.self)
      transitions.removeValue(forKey: end.transition)?.complete(finished: end.finished)
      display()
    case ActiveDisplayModeDidChangeNotification.method:
      let change = try line.decode(ActiveDisplayModeDidChangeNotification.self)
      context.changeDisplayMode(change)
      _ = widget.widgetActiveDisplayModeDidChange(
        change.activeDisplayMode,
        maximumSize: change.maximumSize
      )
      display()
    case AppearanceDidChangeNotification.method:
      let change = try line.decode(AppearanceDidChangeNotification.self)
      context.appearance = change.appearance
      _ = widget.appearanceDidChange()
      display()
    case ClockDidChangeNotification.method:
      context.changeClock(try line.decode(ClockDidChangeNotification.self))
      display()
    case ConfigurationDidChangeNotification.method:
      let change = try line.decode(ConfigurationDidChangeNotification.self)
      context.configuration = change.configuration
      _ = widget.configurationDidChange()
      display()
    case HostDidBecomeActiveNotification.method:
      _ = widget.hostDidBecomeActive()
      display()
    case HostWillResignActiveNotification.method:
      _ = widget.hostWillResignActive()
      display()
    case HostDidEnterBackgroundNotification.method: _ = widget.hostDidEnterBackground()
    case HostWillEnterForegroundNotification.method: _ = widget.hostWillEnterForeground()
    case FieldDidChangeNotification.method where Program.takesTyping:
      let change = try line.decode(FieldDidChangeNotification.self)
      Task.immediate {
        _ = await widget.fieldDidChange(change.field, text: change.text)
        display()
      }
    case ExpiringActivityNotification.method:
      let expiry = try line.decode(ExpiringActivityNotification.self)
      if expiry.expired { context.expire(expiry.activity) }
    case DefaultsDidChangeNotification.method:
      context.defaultsDidChange(try line.decode(DefaultsDidChangeNotification.self))
      display()
    case DidReceiveNotificationNotification.method:
      context.didReceiveNotification(try line.decode(DidReceiveNotificationNotification.self).name)
      display()
    case NoticesDidChangeNotification.method:
      context.noticesObserver()
      display()
    case TransferDidProgressNotification.method:
      context.transferDidProgress(try line.decode(TransferDidProgressNotification.self))
      display()
    case DidReceiveMemoryWarningNotification.method:
      _ = widget.didReceiveMemoryWarning()
    case WidgetDidBeginEditingNotification.method:
      _ = widget.widgetDidBeginEditing()
      display()
    case WidgetDidEndEditingNotification.method:
      _ = widget.widgetDidEndEditing()
      display()
    default:
      break
    }
  }

  // MARK: The view

  private func display() {
    if let view = changedContent().view { host.notify(SetViewNotification(view: view)) }
  }

  /// The current view, if it differs from the host's.
  private func changedContent() -> ContentUpdate {
    guard let body = widget?.body else { return ContentUpdate() }
    // What was shown last stays until there is something to show.
    guard hasShown || !body.nodes.isEmpty else { return ContentUpdate() }
    let view = body.node
    guard view != sentView else { return ContentUpdate() }
    (sentView, hasShown) = (view, true)
    return ContentUpdate(view: view)
  }
}
