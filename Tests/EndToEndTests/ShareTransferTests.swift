import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// Uploads of share extensions: none before Post, and one that outlives its extension afterwards.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct ShareTransferTests {
  private let transfers: TransferTests.World

  /// Tries to upload at once, and uploads the text when it was posted; the request is completed with its transfer.
  private static let program = """
    #!/usr/bin/env python3
    import json, os, sys
    group = "group.com.example.fetching"
    folder, refusal = None, None
    def say(**message):
        print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
    def upload(number):
        say(id=number, method="uploadInBackground", params={"identifier": "posts", "method": "PUT",
            "url": "@server@/echo", "sharedContainer": group, "file": "outbox/post.txt"})
    for line in sys.stdin:
        call = json.loads(line)
        method, number, params = call.get("method"), call.get("id"), call.get("params", {})
        if method == "initialize":
            folder = params["containers"]["groups"][group] + "/outbox"
            os.makedirs(folder, exist_ok=True)
            with open(folder + "/post.txt", "w") as file:
                file.write("too early")
            say(id=number, result={"protocolVersion": 1, "implements": ["didSelectPost"]})
            say(method="setCompose", params={"placeholder": "About"})
            upload("early")
        elif number == "early":
            refusal = call.get("error", {}).get("code")
            say(method="setCompose", params={"placeholder": "refused with %s" % refusal})
        elif method == "didSelectPost":
            with open(folder + "/post.txt", "w") as file:
                file.write(params["text"])
            upload("posted")
        elif number == "posted":
            text = call["result"]["task"] if "result" in call else json.dumps(call["error"])
            item = {"attachments": [{"type": "public.plain-text", "text": text}]}
            say(id="end", method="completeRequest", params={"returningItems": [item]})
        elif method == "shutdown":
            break
    """

  init() throws {
    transfers = try TransferTests.World()
    let world = transfers.world
    let plugIns = "\(world.widgets)/Fetching.app/PlugIns"
    let bundle = "\(plugIns)/Post.appex"
    try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
    try world.write(
      """
      { CFBundleIdentifier = "com.example.fetching.post"; CFBundleExecutable = post;
        CFBundleDisplayName = Post;
        NSExtension = { NSExtensionPointIdentifier = "com.apple.share-services";
          NSExtensionAttributes = { NSExtensionActivationRule = {
            NSExtensionActivationSupportsText = YES; }; }; }; }
      """,
      to: "\(bundle)/Info.plist"
    )
    try FileManager.default.copyItem(
      atPath: "\(plugIns)/Fetching.widget/Entitlements.plist",
      toPath: "\(bundle)/Entitlements.plist"
    )
    let server = "http://127.0.0.1:\(transfers.port)"
    try world.write(
      Self.program.replacing("@server@", with: server),
      to: "\(bundle)/post"
    )
    #expect(unsafe chmod("\(bundle)/post", 0o755) == 0)
  }

  private func share() throws -> PseudoTerminal {
    let world = transfers.world
    var environment = world.environment(term: "xterm-256color")
    (environment["today"], environment["no_proxy"]) = (BuiltProgram.path, "*")
    let line = "printf hello | \"$today\" share --widgets widgets --with post >out"
    return try PseudoTerminal(
      ProgramDescription("/bin/sh", ["-c", line], environment: environment, directory: world.path),
      rows: 24
    )
  }

  private var output: String? {
    try? String(contentsOfFile: "\(transfers.world.path)/out", encoding: .utf8)
  }

  @Test func `an upload is refused before Post, and afterwards outlives the extension`() throws {
    let terminal = try share()
    try terminal.waitForText("refused with -32001")
    #expect(try transfers.list() == "no transfers\n")
    try terminal.type("a post")
    try terminal.waitForText("a post")
    try terminal.type([0x13])
    try terminal.waitForEnd()
    #expect(terminal.status == .exited(code: 0), "\(terminal.screen.text)")
    #expect(output?.count == 16, "\(output ?? "")")
    // Nobody else gets the events than its app.
    try transfers.wait(for: "the events") { !transfers.events.isEmpty }
    try transfers.wait(for: "the acknowledgement") { try transfers.list() == "no transfers\n" }
    #expect(transfers.events.count == 1)
    #expect(transfers.events.first?.contains(#""identifier":"posts""#) == true)
    #expect(transfers.events.first?.contains(#""status":200"#) == true)
    try expectShellTerminal(terminal)
  }

  @Test func `nothing is transferred for a post that was cancelled`() throws {
    let terminal = try share()
    try terminal.waitForText("refused with -32001")
    try terminal.press(.escape)
    try terminal.waitForEnd()
    #expect(terminal.status == .exited(code: 130))
    #expect(try transfers.list() == "no transfers\n")
    #expect(transfers.events == [] && output == "")
  }
}
