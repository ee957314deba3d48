import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// Share extensions with views: in place of the sheet, pushed over it, and in place of its preview.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct ShareViewTests {
  private let world: TestWorld

  /// Keeps a post in a place, which is chosen in a view of its own if `MODE` is `sheet`.
  private static let program = """
    #!/usr/bin/env python3
    import json, sys
    MODE = "@mode@"
    place, post = "home", None
    def say(**message):
        print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
    def places():
        return {"type": "vstack", "children": ["Which place?"] + [
            {"type": "button", "label": name, "action": name} for name in ("home", "work", "moon")]}
    def sheet():
        if MODE == "own":
            say(method="setView", params={"view": {"type": "vstack", "children": [
                "Kept at " + place, {"type": "button", "label": "Move", "action": "work"}]}})
        else:
            say(method="setCompose", params={
                "preview": {"type": "vstack", "children": ["its own preview", "of %d rows" % 2]},
                "configurationItems": [{"id": "place", "title": "Place", "value": place}]})
    for line in sys.stdin:
        call = json.loads(line)
        method, number, params = call.get("method"), call.get("id"), call.get("params", {})
        if method == "initialize":
            say(id=number, result={"protocolVersion": 1, "implements": [
                "configurationItemChosen", "performAction", "didSelectPost"]})
            sheet()
        elif method == "configurationItemChosen":
            say(id=number, result={"view": places()})
        elif method == "performAction":
            place = params["action"]
            say(id=number, result={})
            if MODE == "sheet":
                say(method="popConfiguration", params={})
            sheet()
        elif method == "didSelectPost":
            post = number
            item = {"attachments": [{"type": "public.plain-text", "text": place + ":" + params["text"]}]}
            say(id="end", method="completeRequest", params={"returningItems": [item]})
        elif number == "end":
            say(id=post, result={})
        elif method == "shutdown":
            break
    """

  init() throws {
    world = try TestWorld()
    for (name, mode) in [("Own", "own"), ("Sheet", "sheet")] {
      let bundle = "\(world.path)/widgets/\(name).appex"
      try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
      let manifest = """
        { CFBundleIdentifier = "org.test.\(name)"; CFBundleExecutable = keep;
          CFBundleDisplayName = "Keep \(name)";
          NSExtension = { NSExtensionPointIdentifier = "com.apple.share-services";
            NSExtensionAttributes = { NSExtensionActivationRule = {
              NSExtensionActivationSupportsText = YES; }; }; }; }
        """
      try Data(manifest.utf8).write(to: URL(filePath: "\(bundle)/Info.plist"))
      let program = Self.program.replacing("@mode@", with: mode)
      try Data(program.utf8).write(to: URL(filePath: "\(bundle)/keep"))
      #expect(unsafe chmod("\(bundle)/keep", 0o755) == 0)
    }
  }

  private func share(_ name: String) throws -> PseudoTerminal {
    var environment = world.environment(term: "xterm-256color")
    environment["today"] = BuiltProgram.path
    let line = "printf hello | \"$today\" share --widgets widgets --with \(name) >out"
    return try PseudoTerminal(
      ProgramDescription("/bin/sh", ["-c", line], environment: environment, directory: world.path),
      rows: 24
    )
  }

  private func end(_ terminal: PseudoTerminal, with code: Int32) throws {
    try terminal.waitForEnd()
    #expect(terminal.status == .exited(code: code), "\(terminal.screen.text)")
    #expect(world.processesLeft() == [])
    try expectShellTerminal(terminal)
  }

  private var output: String? {
    try? String(contentsOfFile: "\(world.path)/out", encoding: .utf8)
  }

  @Test func `a view of its own takes the place of the sheet, and Post is the host's`() throws {
    let terminal = try share("own")
    try terminal.waitForText("Kept at home")
    try terminal.press(.enter)
    try terminal.waitForText("Kept at work")
    #expect(output == "")
    try terminal.press(.tab)
    try terminal.press(.enter)
    try end(terminal, with: 0)
    #expect(output == "work:")
  }

  @Test func `Esc leaves a view of its own without a trace`() throws {
    let terminal = try share("own")
    try terminal.waitForText("Kept at home")
    try terminal.press(.escape)
    try end(terminal, with: 130)
    #expect(output == "")
  }

  @Test func `a row pushes a view over the sheet, which what is pressed there removes`() throws {
    let terminal = try share("sheet")
    try terminal.waitForText("Place")
    try terminal.type("text")
    try terminal.press(.tab)
    try terminal.press(.enter)
    try terminal.waitForText("Which place?")
    #expect(!terminal.screen.contains("[ Post ]"))
    try terminal.press(.down)
    try terminal.press(.down)
    try terminal.press(.enter)
    try terminal.waitForText("moon ›")
    try terminal.type([0x13])
    try end(terminal, with: 0)
    #expect(output == "moon:text")
  }

  @Test(arguments: ["\u{1B}", "\u{1B}OD", "back"])
  func `Esc, Left and Back go from a pushed view to the sheet with its text`(way: String) throws {
    let terminal = try share("sheet")
    try terminal.waitForText("Place")
    try terminal.type("text")
    try terminal.click("Place")
    try terminal.waitForText("Which place?")
    if way == "back" { try terminal.click("[ Back ]") } else { try terminal.type(way) }
    try terminal.waitForText("[ Post ]")
    #expect(terminal.screen.contains("│ text") && !terminal.screen.contains("Which place?"))
    try terminal.type([0x13])
    try end(terminal, with: 0)
    #expect(output == "home:text")
  }

  @Test func `the preview of an extension is in place of the host's`() throws {
    let terminal = try share("sheet")
    try terminal.waitForText("its own preview")
    #expect(terminal.screen.contains("of 2 rows") && !terminal.screen.contains("hello"))
    try terminal.press(.escape)
    try end(terminal, with: 130)
  }
}
