import ExtensionContent
import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetRequests

/// A share extension with the standard compose sheet, as a person uses it.
@Suite(.timeLimit(.minutes(5))) struct ShareRequestTests {
  private let world: TestWorld
  private let target: ContentExtension

  /// A share extension that allows 20 characters; the text is ready when a picture is.
  private static let program = """
    #!/usr/bin/env python3
    import json, sys
    def say(**message):
        print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
    ready = False
    for line in sys.stdin:
        call = json.loads(line)
        method, params = call.get("method"), call.get("params", {})
        if method == "initialize":
            say(id=call["id"], result={"protocolVersion": 1, "implements": [
                "contentDidChange", "configurationItemChosen", "presentationAnimationDidFinish",
                "didSelectPost", "performAction"]})
            say(method="setCompose", params={"placeholder": "Say something", "text": "draft",
                "configurationItems": [{"id": "to", "title": "To", "valuePending": True}]})
        elif method == "contentDidChange":
            left = 20 - len(params["text"])
            say(id=call["id"], result={"isContentValid": left >= 0 and params["text"] != "wait",
                                       "charactersRemaining": left})
        elif method == "presentationAnimationDidFinish":
            say(method="validateContent", params={"isContentValid": True})
        elif method == "configurationItemChosen":
            say(method="setCompose", params={"configurationItems": [
                {"id": "to", "title": "To", "value": params.get("value", "none")}]})
            say(id=call["id"], result={"view": "choose"} if "value" not in params else {})
        elif method == "performAction":
            say(method="popConfiguration")
            say(id=call["id"], result={})
        elif method == "didSelectPost":
            say(id="up", method="uploadInBackground", params={"identifier": "a", "method": "POST",
                "url": "https://example.com", "sharedContainer": "g", "file": "/f"})
            say(id=call["id"], result={})
        elif call.get("id") == "up":
            say(id="done", method="completeRequest", params={"returningItems": [{"attachments": [
                {"type": "public.url", "text": "https://example.com/1"}]}]})
    """

  init() throws {
    let world = try TestWorld()
    let folder = "\(world.path)/config/widgets/Post.appex"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try world.write(
      """
      { CFBundleIdentifier = "com.example.Post"; CFBundleExecutable = post;
        NSExtension = { NSExtensionPointIdentifier = "com.apple.share-services";
          NSExtensionAttributes = { NSExtensionActivationRule = {
            NSExtensionActivationSupportsText = YES; }; }; }; }
      """,
      to: "\(folder)/Info.plist"
    )
    try world.write(Self.program, to: "\(folder)/post")
    #expect(unsafe chmod("\(folder)/post", 0o755) == 0)
    self.world = world
    let paths = SearchPaths(
      named: ["\(world.path)/config/widgets"],
      environment: world.environment(),
      executable: nil
    )
    target = try #require(BundleCatalog.scan(paths).contentExtensions.first)
  }

  /// How a request has ended.
  private final class Ends {
    var outcomes: [ExtensionRequest.Outcome] = []
    var hasFinished = false

    /// The outcome in a word, with the texts that were returned.
    var words: [String] {
      outcomes.map { outcome in
        switch outcome {
        case .completed(let items):
          items.joined().map {
            String(decoding: $0.content.beginning(100), as: UTF8.self)
          }.joined(separator: " ")
        case .cancelled: "cancelled"
        case .failed(let reason): "failed: \(reason)"
        }
      }
    }
  }

  private func request(_ ends: Ends) throws -> ExtensionRequest {
    var configuration = CenterConfiguration(
      environment: world.environment(),
      executablePath: "/nowhere/today"
    )
    configuration.sandbox = .off
    var content = RequestContent(.standard)
    let spool = try RequestSpool(in: world.path)
    try spool.append(Array("hello".utf8))
    content.add(
      ExtensionItem(),
      [ItemProvider([.init(types: [.plainText], source: .spool(spool))], size: 5)]
    )
    let request = try RequestHost(configuration).request(target, content)
    request.onEnd = { ends.outcomes.append($0) }
    request.onFinish = { ends.hasFinished = true }
    request.start()
    return request
  }

  private func shown(_ ends: Ends) async throws -> ExtensionRequest {
    let request = try request(ends)
    await eventually("the sheet") { request.stage == .ready && request.compose != nil }
    request.viewDidAppear()
    await eventually("the first answer") { request.compose?.charactersRemaining == 15 }
    return request
  }

  @Test func `the text is validated as it changes, and Post is inert while it is too long`()
    async throws
  {
    let ends = Ends()
    let request = try await shown(ends)
    #expect(request.compose?.placeholder == "Say something" && request.compose?.text == "draft")
    request.contentDidChange(String(repeating: "a", count: 21))
    await eventually("the count") { request.compose?.charactersRemaining == -1 }
    #expect(request.compose?.isContentValid == false)
    request.post("a")
    #expect(request.stage == .ready && ends.outcomes.isEmpty)
    request.cancel()
    await eventually("its end") { ends.hasFinished }
    #expect(ends.words == ["cancelled"])
  }

  @Test func `Post becomes active without a key when the extension says so`() async throws {
    let ends = Ends()
    let request = try await shown(ends)
    request.contentDidChange("wait")
    await eventually("the answer") { request.compose?.isContentValid == false }
    request.presentationAnimationDidFinish()
    await eventually("its word") { request.compose?.isContentValid == true }
    request.quit()
    await eventually("its end") { ends.hasFinished }
  }

  @Test func `a configuration item has a value that is chosen, or a view that is pushed`()
    async throws
  {
    let ends = Ends()
    let request = try await shown(ends)
    #expect(request.compose?.configurationItems.first?.valuePending == true)
    request.chooseConfigurationItem("to", value: "Ann")
    await eventually("the value") { request.compose?.configurationItems.first?.value == "Ann" }
    #expect(request.pushedView == nil)
    request.chooseConfigurationItem("to")
    await eventually("the view") { request.pushedView != nil }
    request.perform(PerformActionRequest(action: "back"))
    await eventually("its end") { request.pushedView == nil }
    request.quit()
    await eventually("the end of all") { ends.hasFinished }
  }

  @Test func `a posted content is completed with what the extension returns`() async throws {
    let ends = Ends()
    let request = try await shown(ends)
    request.post("hello")
    await eventually("its end") { ends.hasFinished }
    #expect(ends.words == ["https://example.com/1"])
    #expect(world.processesLeft().isEmpty)
  }
}
