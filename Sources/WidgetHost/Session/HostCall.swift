import WidgetKitCore

/// A request of the host that is not answered.
nonisolated enum HostCall: Hashable, Sendable {
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

  /// The method's name, for the log.
  var method: String {
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
    }
  }
}

/// The answer to a request of the host.
nonisolated enum HostReply: Sendable {
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
  /// The widget answered with an error, or with something that is not the method's result.
  case refused(HostCall, WireError)

  /// Decodes the answer to `call`; one that cannot be decoded is refused with the reason.
  init(to call: HostCall, _ line: IncomingLine, budget: ViewBudget) {
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

  private static func content(
    _ line: IncomingLine,
    _ budget: ViewBudget
  ) throws(WireError) -> ContentUpdate {
    line.isNull ? ContentUpdate() : try line.decode(ContentUpdate.self, budget: budget)
  }
}

extension IncomingLine {
  /// Whether the content is `null`, an answer without content.
  nonisolated var isNull: Bool { contentBytes.elementsEqual("null".utf8) }
}
