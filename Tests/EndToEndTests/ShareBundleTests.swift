import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// Sharing content through a bundle, which speaks the protocol.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct ShareBundleTests {
  private let world: TestWorld

  /// Takes at most ten characters, and returns them with the content and the chosen value.
  private static let program = """
    #!/usr/bin/env python3
    import json, sys
    send = lambda **message: print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
    note = lambda method, **params: send(method=method, params=params)
    expiry, post = "1 day", None
    def sheet():
        note("setCompose", placeholder="About", configurationItems=[
            {"id": "expiry", "title": "Expires", "value": expiry, "choices": ["1 hour", "1 day"]}])
    for line in sys.stdin:
        message = json.loads(line)
        method, number, params = message.get("method"), message.get("id"), message.get("params", {})
        if method == "initialize":
            made = ["contentDidChange", "configurationItemChosen", "didSelectPost", "performAction"]
            send(id=number, result={"protocolVersion": 1, "implements": made})
            sheet()
        elif method == "contentDidChange":
            left = 10 - len(params["text"])
            send(id=number, result={"isContentValid": left >= 0, "charactersRemaining": left})
        elif method == "configurationItemChosen":
            expiry = params["value"]
            send(id=number, result={})
            sheet()
        elif method == "didSelectPost" and params["text"] == "no":
            send(id=number, error={"code": 1, "message": "the server is away"})
        elif method == "didSelectPost":
            post = (number, params["text"])
            send(id="load", method="loadItem", params={"attachment": "a1", "type": "public.plain-text", "as": "text"})
        elif number == "load":
            made = "%s, %s: %s" % (post[1], expiry, message["result"]["text"])
            item = {"attachments": [{"type": "public.plain-text", "text": made}]}
            send(id="end", method="completeRequest", params={"returningItems": [item]})
        elif number == "end":
            send(id=post[0], result={})
        elif method == "shutdown":
            break
        elif method and number is not None:
            send(id=number, result={})
    """

  init() throws {
    world = try TestWorld()
    let bundle = "\(world.path)/widgets/Post.appex"
    try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
    let rule =
      "SUBQUERY(extensionItems.attachments, $a, ANY $a.registeredTypeIdentifiers "
      + "UTI-CONFORMS-TO \"public.text\").@count == 1"
    let manifest = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
      <key>CFBundleIdentifier</key><string>org.test.Post</string>
      <key>CFBundleDisplayName</key><string>Post It</string>
      <key>CFBundleExecutable</key><string>post</string>
      <key>NSExtension</key><dict>
      <key>NSExtensionPointIdentifier</key><string>com.apple.share-services</string>
      <key>NSExtensionAttributes</key><dict>
      <key>NSExtensionActivationRule</key><string>\(rule)</string>
      </dict></dict></dict></plist>
      """
    try Data(manifest.utf8).write(to: URL(filePath: "\(bundle)/Info.plist"))
    try Data(Self.program.utf8).write(to: URL(filePath: "\(bundle)/post"))
    #expect(unsafe chmod("\(bundle)/post", 0o755) == 0)
  }

  private func command(_ line: String, term: String?) -> ProgramDescription {
    var environment = world.environment(term: term)
    environment["today"] = BuiltProgram.path
    return ProgramDescription(
      "/bin/sh",
      ["-c", line],
      environment: environment,
      directory: world.path
    )
  }

  private func text(_ name: String) -> String? {
    try? String(contentsOfFile: "\(world.path)/\(name)", encoding: .utf8)
  }

  @Test func `the sheet of a bundle is filled in and posted by keys alone`() throws {
    let line = "printf hello | \"$today\" share --widgets widgets --with post >out"
    let terminal = try PseudoTerminal(command(line, term: "xterm-256color"), rows: 24)
    try terminal.waitForText("About")
    try terminal.waitForText("Expires")
    try terminal.type("a text of many words")
    try terminal.waitForText("-10")
    // It cannot be posted while it is too long.
    try terminal.type([0x13])
    for _ in 0..<12 { try terminal.type([0x7F]) }
    try terminal.wait(for: "a valid text") { $0.contains("a text o") && !$0.contains("-") }
    try terminal.press(.tab)
    try terminal.press(.enter)
    try terminal.waitForText("1 hour")
    try terminal.press(.up)
    try terminal.press(.enter)
    try terminal.wait(for: "the choice") { $0.contains("1 hour") && !$0.contains("1 day") }
    try terminal.type([0x13])
    try terminal.waitForEnd()
    #expect(terminal.status == .exited(code: 0), "\(terminal.screen.text)")
    #expect(text("out") == "a text o, 1 hour: hello")
    try expectShellTerminal(terminal, scrolls: true)
    #expect(world.processesLeft() == [])
  }

  /// The sheet with a text that could not be posted.
  private func failedPost() throws -> PseudoTerminal {
    let line = "printf hello | \"$today\" share --widgets widgets --with post >out"
    let terminal = try PseudoTerminal(command(line, term: "xterm-256color"), rows: 24)
    try terminal.waitForText("Expires")
    try terminal.type("no")
    try terminal.waitForText("no")
    try terminal.type([0x13])
    try terminal.waitForText("the server is away")
    #expect(terminal.screen.text.contains("Try Again"))
    return terminal
  }

  @Test func `after a failed post the text is there to be changed and tried again`() throws {
    let terminal = try failedPost()
    // The keys are those of the text.
    try terminal.type("w")
    try terminal.waitForText("now")
    try terminal.type([0x13])
    // Another process, with the same text.
    try terminal.waitForText("Expires")
    try terminal.wait(for: "the text") { $0.contains("now") && $0.contains("[ Post ]") }
    try terminal.type([0x13])
    try terminal.waitForEnd()
    #expect(terminal.status == .exited(code: 0), "\(terminal.screen.text)")
    #expect(text("out") == "now, 1 day: hello")
    #expect(world.processesLeft() == [])
    try expectShellTerminal(terminal, scrolls: true)
  }

  @Test func `Esc gives a failed post up, and says why it has failed`() throws {
    let terminal = try failedPost()
    try terminal.press(.escape)
    try terminal.waitForEnd()
    #expect(terminal.status == .exited(code: 1), "\(terminal.screen.text)")
    #expect(terminal.screen.text.contains("Post It: the server is away"))
    #expect(text("out")?.isEmpty == true)
    #expect(world.processesLeft() == [])
    try expectShellTerminal(terminal, scrolls: true)
  }

  @Test func `Esc leaves no trace of a request to a bundle`() throws {
    let line = "printf hello | \"$today\" share --widgets widgets --with post >out"
    let terminal = try PseudoTerminal(command(line, term: "xterm-256color"), rows: 24)
    try terminal.waitForText("About")
    try terminal.press(.escape)
    try terminal.waitForEnd()
    #expect(terminal.status == .exited(code: 130), "\(terminal.screen.text)")
    #expect(text("out") == "")
    #expect(world.processesLeft() == [])
  }

  @Test func `a bundle that stays on the machine posts at once with --yes`() throws {
    let run = try ProgramRun(
      command(
        "printf hello | \"$today\" share --widgets widgets --with 'post it' --yes --text no; printf hello >f; "
          + "\"$today\" share f --widgets widgets --with post --yes --text short",
        term: nil
      )
    )
    #expect(run.status == .exited(code: 0), "\(run.errorText)")
    #expect(run.outputText == ", 1 day: noshort, 1 day: hello")
    #expect(run.errorText.isEmpty)
  }
}
