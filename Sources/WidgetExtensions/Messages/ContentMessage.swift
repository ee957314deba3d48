package import WidgetKitCore

/// A message of the host about the request of a share or action extension.
package enum ContentMessage: Hashable, Sendable {
  case contentDidChange(ContentDidChangeRequest)
  case configurationItemChosen(ConfigurationItemChosenRequest)
  case didSelectPost(DidSelectPostRequest)
  case didSelectCancel
  case presentationAnimationDidFinish
  case loadProgress(LoadProgressNotification)
  case requestDidComplete(expired: Bool)

  var form: HostMessage.Form {
    switch self {
    case .contentDidChange(let request): .request(request, .content(.contentDidChange))
    case .configurationItemChosen(let request):
      .request(request, .content(.configurationItemChosen))
    case .didSelectPost(let request): .request(request, .content(.didSelectPost))
    case .didSelectCancel: .request(DidSelectCancelRequest(), .content(.didSelectCancel))
    case .presentationAnimationDidFinish:
      .notification(PresentationAnimationDidFinishNotification())
    case .loadProgress(let message): .notification(message)
    case .requestDidComplete(let expired):
      .notification(RequestDidCompleteNotification(expired: expired))
    }
  }
}

/// A request of the host about the content that is not answered.
package enum ContentCall: Hashable, Sendable {
  case contentDidChange
  case configurationItemChosen
  case didSelectPost
  case didSelectCancel

  var method: String {
    switch self {
    case .contentDidChange: ContentDidChangeRequest.method
    case .configurationItemChosen: ConfigurationItemChosenRequest.method
    case .didSelectPost: DidSelectPostRequest.method
    case .didSelectCancel: DidSelectCancelRequest.method
    }
  }
}

/// The answer to a ``ContentCall``.
package enum ContentReply: Hashable, Sendable {
  case contentDidChange(ContentDidChangeRequest.Reply)
  case configurationItemChosen(ConfigurationItemChosenRequest.Reply)
  case didSelectPost
  case didSelectCancel

  init(to call: ContentCall, _ line: IncomingLine, _ budget: ViewBudget) throws(WireError) {
    switch call {
    case .contentDidChange:
      self = .contentDidChange(try line.decode(ContentDidChangeRequest.Reply.self))
    case .configurationItemChosen:
      self = .configurationItemChosen(
        line.isNull
          ? .init() : try line.decode(ConfigurationItemChosenRequest.Reply.self, budget: budget)
      )
    case .didSelectPost: self = .didSelectPost
    case .didSelectCancel: self = .didSelectCancel
    }
  }

  var call: ContentCall {
    switch self {
    case .contentDidChange: .contentDidChange
    case .configurationItemChosen: .configurationItemChosen
    case .didSelectPost: .didSelectPost
    case .didSelectCancel: .didSelectCancel
    }
  }

  /// The view in it.
  var view: ViewNode? {
    if case .configurationItemChosen(let reply) = self { reply.view } else { nil }
  }

  func line(to id: MessageID) -> [UInt8] {
    switch self {
    case .contentDidChange(let reply): OutgoingLine.result(reply, id: id)
    case .configurationItemChosen(let reply): OutgoingLine.result(reply, id: id)
    case .didSelectPost, .didSelectCancel: OutgoingLine.result(NoMembers(), id: id)
    }
  }
}
