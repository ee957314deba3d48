import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// `today dev` with a share extension or an action.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct DevRequestTests {
  private let world: TestWorld

  /// Returns the content with the text of its sheet; its placeholder is in a file of the bundle.
  private static let program = """
    #!/usr/bin/env python3
    import json, os, sys
    send = lambda **message: print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
    post = None
    for line in sys.stdin:
        message = json.loads(line)
        method, number = message.get("method"), message.get("id")
        if method == "initialize":
            send(id=number, result={"protocolVersion": 1, "implements": ["didSelectPost"]})
            words = open(os.path.dirname(os.path.abspath(__file__)) + "/placeholder").read()
            send(method="setCompose", params={"placeholder": words})
        elif method == "didSelectPost":
            post = (number, message["params"]["text"])
            send(id="load", method="loadItem",
                 params={"attachment": "a1", "type": "public.plain-text", "as": "text"})
        elif number == "load":
            made = "%s: %s\\x1b[31m" % (post[1], message["result"]["text"])
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
    let bundle = "\(world.path)/Post.appex"
    try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
    try world.write(
      """
      { CFBundleIdentifier = "org.test.Post"; CFBundleExecutable = post; NSExtension = {
        NSExtensionPointIdentifier = "com.apple.share-services"; NSExtensionAttributes = {
          NSExtensionActivationRule = { NSExtensionActivationSupportsText = YES; }; }; }; }
      """,
      to: "\(bundle)/Info.plist"
    )
    try world.write(Self.program, to: "\(bundle)/post")
    try world.write("About", to: "\(bundle)/placeholder")
    #expect(unsafe chmod("\(bundle)/post", 0o755) == 0)
    try world.write(
      #"{ "request": { "text": "a note\n", "name": "note.txt" } }"#,
      to: "\(world.path)/content.json"
    )
  }

  @Test func `the sheet is shown, what it returned is printed, and it begins again`() throws {
    let terminal = try PseudoTerminal(
      world.today(["dev", "Post.appex", "--request", "content.json"]),
      columns: 80,
      rows: 40
    )
    try terminal.waitForText("About")
    try terminal.waitForText("note.txt")
    try terminal.type("Hello")
    try terminal.waitForText("Hello")
    try terminal.type([0x13])
    try terminal.waitForText("Hello: a note")
    try terminal.waitForText("completeRequest")
    try terminal.waitForText("Enter begins again")
    try terminal.press(.enter)
    try terminal.waitForText("[ Post ]")
    // A file that is saved ends the request, and begins the next one with what was saved.
    try world.write("Remark", to: "\(world.path)/Post.appex/placeholder")
    try terminal.waitForText("cancelled")
    try terminal.waitForText("Remark")
    try terminal.press(.escape)
    try terminal.wait(for: "the end of the request") { !$0.contains("Remark") }
    try terminal.waitForText("waiting for a change")
    try terminal.type([0x03])
    try terminal.waitForEnd()
    #expect(terminal.status == .exited(code: 130))
    try expectShellTerminal(terminal, scrolls: true)
    #expect(world.processesLeft() == [])
  }

  @Test func `a filter needs no terminal, and what is wrong is said`() throws {
    try world.script("up.sh", "# today: action accepts=\"public.plain-text\"\nexec tr a-z A-Z")
    let script = "\(world.path)/config/today/scripts/up.sh"
    func dev(_ words: String...) throws -> ProgramRun {
      let line = "timeout 2 \"$today\" dev \(words.joined(separator: " ")) </dev/null"
      var environment = world.environment(term: nil)
      environment["today"] = BuiltProgram.path
      return try ProgramRun(
        ProgramDescription(
          "/bin/sh",
          ["-c", line],
          environment: environment,
          directory: world.path
        )
      )
    }
    let run = try dev(script, "--request", "content.json")
    #expect(run.outputText == "# completed\nA NOTE\n# waiting for a change; Ctrl-C ends\n")
    try world.write(#"{ "request": { "txt": "a" } }"#, to: "\(world.path)/content.json")
    let wrong = try dev(script, "--request", "content.json")
    #expect(wrong.errorText.contains("request.txt: unknown member; did you mean “text”?"))
    let sheet = try dev("Post.appex")
    #expect(sheet.errorText.contains("there is no terminal to show it on"))
    let two = try dev("Post.appex", script)
    #expect(two.errorText.contains("expected one share extension or action"))
  }

  @Test func `a trace of a request is played again, with its extension and without it`() throws {
    func today(_ line: String) throws -> ProgramRun {
      var environment = world.environment(term: nil)
      environment["today"] = BuiltProgram.path
      return try ProgramRun(
        ProgramDescription(
          "/bin/sh",
          ["-c", line],
          environment: environment,
          directory: world.path
        )
      )
    }
    let share = try today(
      "printf hello >f; \"$today\" share f --widgets . --with post --yes --text Remark --trace trace"
    )
    #expect(share.outputText.hasPrefix("Remark: hello"), "\(share.errorText)")
    let listing = try today("\"$today\" trace trace")
    #expect(listing.outputText.contains("← completeRequest"))
    #expect(!listing.outputText.contains("!"), "\(listing.outputText)")
    let replay = try today("\"$today\" replay trace")
    #expect(replay.outputText == "# Post\nRemark\n# completed\n", "\(replay.errorText)")
    #expect(replay.status == .exited(code: 0), "\(replay.errorText)")
    let same = try today("\"$today\" replay trace --bundle Post.appex")
    #expect(same.outputText.hasSuffix(" 0 differences\n"), "\(same.outputText)\(same.errorText)")
    #expect(same.status == .exited(code: 0))
    let program = Self.program.replacing("%s: %s", with: "%s %s")
    try world.write(program, to: "\(world.path)/Post.appex/post")
    let other = try today("\"$today\" replay trace --bundle Post.appex")
    #expect(other.outputText.contains("completeRequest: "), "\(other.outputText)")
    #expect(other.status == .exited(code: 1))
    let picture = try today("\"$today\" replay trace --format svg")
    #expect(picture.errorText.contains("printed as text alone"))
  }
}
