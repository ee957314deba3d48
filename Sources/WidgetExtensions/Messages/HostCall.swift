package import WidgetKitCore

/// A request of the host that is not answered.
package enum HostCall: Hashable, Sendable {
  case initialize
  case widgetMarginInsets
  case viewWillAppear
  case viewWillDisappear
  case widgetPerformUpdate(UpdateReason)
  case viewWillTransitionToSize(transition: Int)
  case performAction(String)
  case list(ListChange)
  /// The identifier of the session.
  case handleEvents(String)
  /// About the content of a share or action extension.
  case content(ContentCall)

  /// The method's name, for the log.
  package var method: String {
    switch self {
    case .initialize: InitializeRequest.method
    case .widgetMarginInsets: WidgetMarginInsetsRequest.method
    case .viewWillAppear: ViewWillAppearRequest.method
    case .viewWillDisappear: ViewWillDisappearRequest.method
    case .widgetPerformUpdate: WidgetPerformUpdateRequest.method
    case .viewWillTransitionToSize: ViewWillTransitionToSizeRequest.method
    case .performAction: PerformActionRequest.method
    case .list(let change): change.method
    case .handleEvents: HandleEventsForBackgroundURLSessionRequest.method
    case .content(let call): call.method
    }
  }
}

/// The answer to a request of the host.
package enum HostReply: Hashable, Sendable {
  case initialize(InitializeRequest.Reply)
  case widgetMarginInsets(EdgeInsets)
  case viewWillAppear(ContentUpdate)
  case viewWillDisappear(ContentUpdate)
  case widgetPerformUpdate(WidgetPerformUpdateRequest.Reply)
  case viewWillTransitionToSize(transition: Int, ViewWillTransitionToSizeRequest.Reply)
  case performAction(String, PerformActionRequest.Reply)
  /// `isAllowed` is false only if the widget keeps a row that is to be removed.
  case list(ListChange, isAllowed: Bool, ContentUpdate)
  /// The events of the session with this identifier were taken.
  case handleEvents(String)
  case content(ContentReply)
  /// The widget answered with an error, or with something that is not the method's result.
  case refused(HostCall, WireError)

  /// Decodes the answer to `call`; one that cannot be decoded is refused with the reason.
  package init(to call: HostCall, _ line: IncomingLine, budget: ViewBudget) {
    do throws(WireError) {
      if case .error = line.kind { throw try line.decode(WireError.self) }
      switch call {
      case .initialize:
        self = .initialize(try line.decode(InitializeRequest.Reply.self, budget: budget))
      case .widgetMarginInsets:
        self = .widgetMarginInsets(try line.decode(EdgeInsets.self))
      case .viewWillAppear:
        self = .viewWillAppear(try Self.content(line, budget))
      case .viewWillDisappear:
        self = .viewWillDisappear(try Self.content(line, budget))
      case .widgetPerformUpdate:
        self = .widgetPerformUpdate(
          try line.decode(WidgetPerformUpdateRequest.Reply.self, budget: budget)
        )
      case .viewWillTransitionToSize(let transition):
        self = .viewWillTransitionToSize(
          transition: transition,
          line.isNull
            ? .init() : try line.decode(ViewWillTransitionToSizeRequest.Reply.self, budget: budget)
        )
      case .list(.shouldRemove(let row, let list)):
        let reply = try line.decode(ListShouldRemoveRowRequest.Reply.self)
        self = .list(
          .shouldRemove(row: row, of: list),
          isAllowed: reply.allowed,
          ContentUpdate()
        )
      case .handleEvents(let identifier): self = .handleEvents(identifier)
      case .content(let call): self = .content(try ContentReply(to: call, line, budget))
      case .list(let change):
        self = .list(change, isAllowed: true, try Self.content(line, budget))
      case .performAction(let action):
        self = .performAction(
          action,
          line.isNull ? .init() : try line.decode(PerformActionRequest.Reply.self, budget: budget)
        )
      }
    } catch {
      self = .refused(call, error)
    }
  }

  /// The request that it answers.
  package var call: HostCall {
    switch self {
    case .initialize: .initialize
    case .widgetMarginInsets: .widgetMarginInsets
    case .viewWillAppear: .viewWillAppear
    case .viewWillDisappear: .viewWillDisappear
    case .widgetPerformUpdate: .widgetPerformUpdate(.event)
    case .viewWillTransitionToSize(let id, _): .viewWillTransitionToSize(transition: id)
    case .performAction(let action, _): .performAction(action)
    case .list(let change, _, _): .list(change)
    case .handleEvents(let identifier): .handleEvents(identifier)
    case .content(let reply): .content(reply.call)
    case .refused(let call, _): call
    }
  }

  /// The view in it.
  package var view: ViewNode? {
    switch self {
    case .initialize(let reply): reply.content.view
    case .viewWillAppear(let content), .viewWillDisappear(let content), .list(_, _, let content):
      content.view
    case .widgetPerformUpdate(let reply): reply.content.view
    case .viewWillTransitionToSize(_, let reply): reply.alongside
    case .performAction(_, let reply): reply.content.view
    case .content(let reply): reply.view
    case .widgetMarginInsets, .handleEvents, .refused: nil
    }
  }

  /// The line that a program would have sent, with its end.
  func line(to id: MessageID) -> [UInt8] {
    switch self {
    case .initialize(let reply): OutgoingLine.result(reply, id: id)
    case .widgetMarginInsets(let insets): OutgoingLine.result(insets, id: id)
    case .viewWillAppear(let content), .viewWillDisappear(let content):
      OutgoingLine.result(content, id: id)
    case .widgetPerformUpdate(let reply): OutgoingLine.result(reply, id: id)
    case .viewWillTransitionToSize(_, let reply): OutgoingLine.result(reply, id: id)
    case .performAction(_, let reply): OutgoingLine.result(reply, id: id)
    case .list(_, let isAllowed, let content):
      isAllowed
        ? OutgoingLine.result(content, id: id)
        : OutgoingLine.result(ListShouldRemoveRowRequest.Reply(allowed: false), id: id)
    case .handleEvents: OutgoingLine.result(NoMembers(), id: id)
    case .content(let reply): reply.line(to: id)
    case .refused(_, let error): OutgoingLine.error(error, id: id)
    }
  }

  private static func content(
    _ line: IncomingLine,
    _ budget: ViewBudget
  ) throws(WireError) -> ContentUpdate {
    line.isNull ? ContentUpdate() : try line.decode(ContentUpdate.self, budget: budget)
  }
}

extension IncomingLine {
  /// Whether the content is `null`, an answer without content.
  var isNull: Bool { contentBytes.elementsEqual("null".utf8) }
}
