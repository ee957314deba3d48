import Testing

@testable import WidgetKitCore

/// Posts the first attachment, with a limit of ten characters and an item.
private final class Paste: ShareExtension {
  static var diary: [String] = []
  var expiry = "1 day"

  var compose: ComposeSheet {
    ComposeSheet(
      placeholder: "About",
      configurationItems: [
        .init("expiry", title: "Expires", value: expiry, choices: ["1 hour", "1 day"])
      ],
      completions: extensionContext.contentText.hasSuffix("#") ? [.init("#news", replaces: 1)] : nil
    )
  }

  func isContentValid(_ text: String) -> Bool { text.count <= 10 }
  func charactersRemaining(in text: String) -> Int? { 10 - text.count }
  func configurationItemChosen(_ id: String, value: String?) -> (any View)? {
    expiry = value ?? expiry
    return nil
  }
  func didSelectPost(_ text: String) async throws {
    let content = try await extensionContext.inputItems[0].attachments[0].loadText()
    let made = "\(text): \(content)"
    try await extensionContext.completeRequest(returning: [.text(made, type: "public.url")])
  }
  func requestDidComplete(expired: Bool) { Self.diary.append("expired: \(expired)") }
}

/// Turns the content into capitals, without a view.
private struct Capitals: ActionExtension {
  func beginRequest() async throws {
    let attachment = extensionContext.inputItems[0].attachments[0]
    extensionContext.reportProgress(0, of: 1)
    let text = try await attachment.loadText("public.plain-text")
    try await extensionContext.completeRequest(returning: [.text(text.uppercased())])
  }
}

/// Shows a button, and completes when it is pressed.
private final class Viewer: ActionExtension {
  var presses = 0
  var begins = 0

  var body: some View {
    Button("\(presses)", action: "count")
    if begins > 0 { Text("begun") }
  }

  func beginRequest() { begins += 1 }

  func perform(action: String, value: Bool?) async throws {
    presses += 1
    if presses == 2 { try await extensionContext.completeRequest() }
  }
}

@MainActor @Suite struct RequestRunnerTests {
  private func host<Program: ShareExtension>(
    share program: @escaping @MainActor () -> Program
  ) -> ScriptedHost<RequestRunner> {
    ScriptedHost { RequestRunner($0) { RequestHandlers(program()) } }
  }

  private func host<Program: ActionExtension>(
    action program: @escaping @MainActor () -> Program
  ) -> ScriptedHost<RequestRunner> {
    ScriptedHost { RequestRunner($0) { RequestHandlers(program()) } }
  }

  private func initialize(hasView: Bool) -> InitializeRequest {
    var request = InitializeRequest.sample
    (request.reason, request.hasView, request.role) = (.request, hasView, "editor")
    request.extensionPoint = hasView ? "com.apple.share-services" : "com.apple.services"
    let types = ["public.plain-text"]
    request.extensionContext = ExtensionContext(
      inputItems: [.init(attachments: [.init(id: "a1", registeredTypeIdentifiers: types)])]
    )
    return request
  }

  @Test func `a sheet is sent when it changes, with what has changed alone`() throws {
    let host = host(share: Paste.init)
    host.request(initialize(hasView: true))
    let first = try #require(try host.notifications(SetComposeNotification.self).first)
    #expect(first.placeholder == "About")
    #expect(first.configurationItems?.first?.value == "1 day")
    #expect(first.completions == .unstated)
    let answer = host.request(ContentDidChangeRequest(text: "far too long #"))
    let reply = try host.result(ContentDidChangeRequest.Reply.self, for: answer)
    #expect(!reply.isContentValid)
    #expect(reply.charactersRemaining == -4)
    host.request(ContentDidChangeRequest(text: "short"))
    let sheets = try host.notifications(SetComposeNotification.self)
    #expect(sheets.count == 3)
    #expect(sheets[1].completions == .value([.init(text: "#news", replaces: 1)]))
    #expect(sheets[1].configurationItems == nil)
    #expect(sheets[2].completions == .null)
  }

  @Test func `a chosen value is in the next sheet`() async throws {
    let host = host(share: Paste.init)
    host.request(initialize(hasView: true))
    host.request(ConfigurationItemChosenRequest(id: "expiry", value: "1 hour"))
    await host.settle()
    let sheets = try host.notifications(SetComposeNotification.self)
    #expect(sheets.last?.configurationItems?.first?.value == "1 hour")
  }

  @Test func `posting loads the content and completes the request with what was made`() async throws
  {
    Paste.diary = []
    let host = host(share: Paste.init)
    host.request(initialize(hasView: true))
    let post = host.request(DidSelectPostRequest(text: "note"))
    await host.settle()
    let (id, load) = try #require(try host.requests(LoadItemRequest.self).first)
    #expect(load == LoadItemRequest(attachment: "a1", type: "public.plain-text", form: .text))
    host.say(OutgoingLine.result(LoadItemRequest.Reply(text: "content"), id: id))
    await host.wait { (try? host.requests(CompleteRequestRequest.self).count) == 1 }
    let (completed, message) = try #require(try host.requests(CompleteRequestRequest.self).first)
    let attachment = message.returningItems.first?.attachments.first
    #expect(attachment == .init(type: "public.url", text: "note: content"))
    host.say(OutgoingLine.result(NoMembers(), id: completed))
    await host.settle()
    _ = try host.result(NoMembers.self, for: post)
    host.notify(RequestDidCompleteNotification(expired: false))
    #expect(Paste.diary == ["expired: false"])
  }

  @Test func `a filter works at once, and an error cancels its request`() async throws {
    let host = host(action: Capitals.init)
    host.request(initialize(hasView: false))
    await host.settle()
    #expect(try host.notifications(ReportProgressNotification.self).count == 1)
    let (id, _) = try #require(try host.requests(LoadItemRequest.self).first)
    var error = WireError(code: .invalidParams, message: "it is not text")
    error.details = WireError.Details(itemProviderError: -1200)
    host.say(OutgoingLine.error(error, id: id))
    await host.settle()
    let cancelled = try host.notifications(CancelRequestNotification.self)
    #expect(cancelled.map(\.error) == ["it is not text"])
    #expect(try host.requests(CompleteRequestRequest.self).isEmpty)
    #expect(ItemProviderError(error).code == .unavailableCoercion)
  }

  @Test func `an action with a view shows what a press has changed`() async throws {
    let host = host(action: Viewer.init)
    host.request(initialize(hasView: true))
    for _ in 0..<2 { host.request(PerformActionRequest(action: "count")) }
    await host.settle()
    let completions = try host.requests(CompleteRequestRequest.self)
    #expect(completions.map(\.1.returningItems) == [[]])
    for (id, _) in completions { host.say(OutgoingLine.result(NoMembers(), id: id)) }
    await host.settle()
    let views = try host.notifications(SetViewNotification.self)
    #expect(views.map(\.view.words) == ["[0]", "[1]", "[2]"])
  }

  @Test func `an action with a view begins when that is on the screen`() async throws {
    let host = host(action: Viewer.init)
    let id = host.request(initialize(hasView: true))
    let reply = try host.result(InitializeRequest.Reply.self, for: id)
    // What is not listed is not sent.
    #expect(reply.implements.contains(ViewDidAppearNotification.method))
    host.notify(ViewDidAppearNotification())
    await host.settle()
    let views = try host.notifications(SetViewNotification.self)
    #expect(views.map(\.view.words) == ["[0]", "[0]|begun"])
  }

  @Test func `a method of a widget is not found, and a second initialize is refused`() throws {
    let host = host(action: Capitals.init)
    host.request(initialize(hasView: false))
    host.request(WidgetPerformUpdateRequest(reason: .user))
    host.request(initialize(hasView: false))
    let errors = host.sent.compactMap { line in
      if case .error = line.kind { try? line.decode(WireError.self).code } else { nil }
    }
    #expect(errors == [.methodNotFound, .invalidRequest])
  }
}
