/// What a share or action extension does with the messages of its request.
@MainActor
struct RequestHandlers {
  /// The optional methods that the host calls.
  let implements: [String]
  /// The compose sheet; nil for an action.
  let compose: () -> ComposeSheet?
  /// The view; nil if there is none.
  let view: () -> ViewNode?
  /// Called when the process is ready, and for one with a view when that is on the screen.
  let begin: () async throws -> Void
  let presentationAnimationDidFinish: () async -> Void
  let validity: (String) -> ContentDidChangeRequest.Reply
  let chooseItem: (ConfigurationItemChosenRequest) async throws -> ViewNode?
  let post: (String) async throws -> Void
  let cancel: () async -> Void
  let perform: (PerformActionRequest) async throws -> Void
  let didComplete: (Bool) -> Void

  /// What the context follows for every extension, and when the view is on the screen.
  private static let always = [
    ViewWillAppearRequest.method, ViewDidAppearNotification.method,
    AppearanceDidChangeNotification.method, ExpiringActivityNotification.method,
    DefaultsDidChangeNotification.method, DidReceiveNotificationNotification.method,
    TransferDidProgressNotification.method,
  ]

  init<Program: ShareExtension>(_ program: Program) {
    implements =
      Self.always + [
        PresentationAnimationDidFinishNotification.method, ContentDidChangeRequest.method,
        ConfigurationItemChosenRequest.method, DidSelectPostRequest.method,
        DidSelectCancelRequest.method, PerformActionRequest.method,
        RequestDidCompleteNotification.method,
      ]
    let hasBody = Program.Body.self != EmptyView.self
    compose = { hasBody ? nil : program.compose }
    view = { hasBody ? program.body.node : nil }
    begin = {}
    presentationAnimationDidFinish = { await program.presentationAnimationDidFinish() }
    validity = { text in
      ContentDidChangeRequest.Reply(
        isContentValid: program.isContentValid(text),
        charactersRemaining: program.charactersRemaining(in: text)
      )
    }
    chooseItem = { message in
      try await program.configurationItemChosen(message.id, value: message.value)?.node
    }
    post = { try await program.didSelectPost($0) }
    cancel = { await program.didSelectCancel() }
    perform = { await program.perform(action: $0.action, value: $0.value) }
    didComplete = { program.requestDidComplete(expired: $0) }
  }

  init<Program: ActionExtension>(_ program: Program) {
    implements =
      Self.always + [
        DidSelectCancelRequest.method, PerformActionRequest.method,
        RequestDidCompleteNotification.method,
      ]
    compose = { nil }
    let hasBody = Program.Body.self != EmptyView.self
    view = { hasBody ? program.body.node : nil }
    begin = { try await program.beginRequest() }
    presentationAnimationDidFinish = {}
    validity = { _ in ContentDidChangeRequest.Reply(isContentValid: true) }
    chooseItem = { _ in nil }
    post = { _ in }
    cancel = { await program.didSelectCancel() }
    perform = { message in
      if let text = message.text {
        try await program.perform(action: message.action, text: text)
      } else {
        try await program.perform(action: message.action, value: message.value)
      }
    }
    didComplete = { program.requestDidComplete(expired: $0) }
  }
}
