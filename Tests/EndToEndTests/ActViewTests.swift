import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// Actions with a view in the pane below the prompt, used by keys and the mouse alone.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct ActViewTests {
  /// A way in which the pane is left without a result.
  enum Way: String, CaseIterable {
    case escape, controlC, terminate, hangUp, kill
  }

  private let world: TestWorld

  /// Adds a word to the content, in capitals if it is loud; the setting `mode` says what else it does.
  private static let program = """
    #!/usr/bin/env python3
    import json, os, sys, time
    mode, word, loud, content, presses = "", "", False, "", 0
    def say(**message):
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\\n")
        sys.stdout.flush()
    def view():
        if mode == "tall":
            return {"type": "vstack", "children": ["row %d" % n for n in range(1, 61)]}
        if mode == "controls":
            return "evil \\u001b]0;owned\\u0007\\u001b[2J\\u009b2J end"
        return {"type": "vstack", "children": [
            "content: " + content, "word: " + word, "presses: %d" % presses,
            {"type": "field", "id": "word", "text": word, "placeholder": "a word", "action": "enter"},
            {"type": "toggle", "label": "Loud", "isOn": loud, "action": "loud"},
            {"type": "fold", "id": "more", "label": "Details", "children": ["hidden line"]},
            {"type": "button", "label": "Add", "action": "add"}]}
    def show():
        say(method="setView", params={"view": view()})
    def complete(text):
        items = [] if text is None else [{"attachments": [{"type": "public.plain-text", "text": text}]}]
        say(id="done", method="completeRequest", params={"returningItems": items})
    for line in sys.stdin:
        call = json.loads(line)
        method, number, params = call.get("method"), call.get("id"), call.get("params", {})
        if method == "initialize":
            mode = params["configuration"]["mode"]
            if mode == "silent":
                continue
            made = ["performAction", "fieldDidChange"] + (["didSelectPost"] if mode == "post" else [])
            say(id=number, result={"protocolVersion": 1, "implements": made})
            if mode == "blank":
                continue
            show()
            say(id="load", method="loadItem",
                params={"attachment": "a1", "type": "public.plain-text", "as": "text"})
        elif number == "load" and "result" in call:
            content = call["result"]["text"]
            show()
            if mode == "flood":
                for n in range(100000):
                    say(method="setView", params={"view": "flood %d" % n})
                complete("flooded")
        elif method == "fieldDidChange":
            word = params["text"]
            show()
        elif method == "performAction":
            presses += 1
            if mode == "die":
                os.abort()
            if mode == "deaf":
                time.sleep(1000)
            if mode == "refuse":
                say(id=number, error={"code": -32000, "message": "not this time"})
                continue
            if params["action"] == "loud":
                loud = params["value"]
            if params["action"] == "enter":
                word = params["value"]
            say(id=number, result={"view": view()})
            if params["action"] == "add":
                text = content + word
                complete(text.upper() if loud else text)
        elif method == "didSelectPost":
            complete(content + " posted " + word)
            say(id=number, result={})
        elif method == "shutdown":
            break
    """

  init() throws {
    world = try TestWorld()
    try bundle("Word", "NSExtensionServiceRoleTypeEditor")
    try bundle("Look", "NSExtensionServiceRoleTypeViewer")
    try bundle(
      "Whole",
      "NSExtensionServiceRoleTypeEditor",
      "NSExtensionActionWantsFullScreenPresentation = YES;"
    )
  }

  private func bundle(_ name: String, _ role: String, _ more: String = "") throws {
    let folder = "\(world.path)/bundles/\(name).appex"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try file(
      "bundles/\(name).appex/Info.plist",
      """
      { CFBundleIdentifier = "com.example.\(name)"; CFBundleDisplayName = \(name);
        CFBundleExecutable = program;
        NSExtension = { NSExtensionPointIdentifier = "com.apple.ui-services"; NSExtensionAttributes = {
          NSExtensionServiceRoleType = \(role); \(more)
          NSExtensionActivationRule = { NSExtensionActivationDictionaryVersion = 2;
            NSExtensionActivationSupportsText = YES; NSExtensionActivationSupportsFileWithMaxCount = 1; };
          TodaySettings = ( { name = mode; title = Mode; type = string; default = word; } ); }; }; }
      """
    )
    try file("bundles/\(name).appex/program", Self.program)
    #expect(unsafe chmod("\(folder)/program", 0o755) == 0)
  }

  private func file(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(world.path)/\(name)"))
  }

  private func text(_ name: String) -> String? {
    try? String(contentsOfFile: "\(world.path)/\(name)", encoding: .utf8)
  }

  /// Runs a command line of a shell in a terminal; `$today` is the program, `$act` the command with the action.
  private func open(
    _ line: String,
    with name: String = "word",
    mode: String = "word",
    rows: Int = 24
  ) throws -> PseudoTerminal {
    var environment = world.environment(term: "xterm-256color")
    environment["today"] = BuiltProgram.path
    environment["act"] =
      "\(BuiltProgram.path ?? "") act --widgets \(world.path)/bundles --with \(name) --option mode=\(mode)"
    return try PseudoTerminal(
      ProgramDescription("/bin/sh", ["-c", line], environment: environment, directory: world.path),
      rows: rows
    )
  }

  private func end(_ terminal: PseudoTerminal, with code: Int32) throws {
    try terminal.waitForEnd()
    #expect(terminal.status == .exited(code: code), "\(terminal.screen.text)")
    #expect(world.processesLeft() == [])
  }

  // MARK: - Controls

  @Test func `keys alone type into a field, switch, fold and press what returns the content`()
    throws
  {
    let terminal = try open("printf 'hello ' | $act >out")
    try terminal.waitForText("content: hello")
    #expect(!terminal.screen.isAlternate && !terminal.screen.isCursorVisible)
    try terminal.type("world")
    try terminal.waitForText("word: world")
    try terminal.press(.tab)
    try terminal.press(.enter)
    try terminal.waitForText("☑ Loud")
    try terminal.press(.tab)
    try terminal.type(" ")
    try terminal.waitForText("hidden line")
    try terminal.press(.tab)
    try terminal.press(.enter)
    try end(terminal, with: 0)
    #expect(text("out") == "HELLO WORLD")
    try expectShellTerminal(terminal, scrolls: true)
  }

  @Test func `the mouse presses the elements of a view`() throws {
    let terminal = try open("echo prompt; printf 'a' | $act >out")
    try terminal.waitForText("content: a")
    try terminal.click("Loud")
    try terminal.waitForText("☑ Loud")
    try terminal.click("Details")
    try terminal.waitForText("hidden line")
    try terminal.click("[ Add ]")
    try end(terminal, with: 0)
    #expect(text("out") == "A")
    #expect(terminal.screen.rows.filter { !$0.isEmpty } == ["prompt"])
    try expectShellTerminal(terminal)
  }

  @Test func `the text of a field is entered with its action`() throws {
    let terminal = try open("printf 'a' | $act >out")
    try terminal.waitForText("content: a")
    try terminal.type("bc")
    try terminal.press(.enter)
    try terminal.waitForText("presses: 1")
    #expect(terminal.screen.contains("word: bc"))
    try terminal.press(.controlC)
    try end(terminal, with: 130)
    #expect(text("out") == "a")
  }

  @Test func `Done goes on with what was typed last`() throws {
    let terminal = try open("printf 'a' | $act >out", mode: "post")
    try terminal.waitForText("[ Done ]")
    try terminal.waitForText("content: a")
    try terminal.type(Array("quick\u{13}".utf8))
    try end(terminal, with: 0)
    #expect(text("out") == "a posted quick")
    try expectShellTerminal(terminal)
  }

  @Test func `a viewer is left with Done, and the content stays as it is`() throws {
    let terminal = try open("printf 'a' | $act >out", with: "look")
    try terminal.waitForText("content: a")
    try terminal.click("[ Done ]")
    try end(terminal, with: 0)
    #expect(text("out") == "a")
    let refused = try open("printf 'a' | $act >out 2>errors", with: "look")
    try refused.waitForText("content: a")
    try refused.click("[ Add ]")
    try end(refused, with: 1)
    #expect(text("out") == "a")
    #expect(text("errors") == "today: Look: a viewer returns no items\n")
  }

  @Test func `a press that has failed is said, and the toggle is as it was`() throws {
    let terminal = try open("printf 'a' | $act >out", mode: "refuse")
    try terminal.waitForText("content: a")
    try terminal.click("Loud")
    try terminal.waitForText("not this time")
    #expect(terminal.screen.contains("☐ Loud"))
    try terminal.press(.escape)
    try end(terminal, with: 130)
  }

  @Test func `a view that is higher than the terminal scrolls`() throws {
    let terminal = try open("printf 'a' | $act >out", mode: "tall")
    try terminal.waitForText("row 1")
    try terminal.waitForText("more ")
    #expect(!terminal.screen.contains("row 60"))
    try terminal.type("\u{1B}[F")
    try terminal.waitForText("row 60")
    try terminal.type("\u{1B}[5~")
    try terminal.wait(for: "the rows above") { !$0.contains("row 60") }
    try terminal.press(.escape)
    try end(terminal, with: 130)
    try expectShellTerminal(terminal)
  }

  // MARK: - What becomes of the content

  @Test func `a file is replaced by what is returned, and stays as it is after Esc`() throws {
    try file("note.txt", "note ")
    let cancelled = try open("$act -i note.txt")
    try cancelled.waitForText("content: note")
    try cancelled.press(.escape)
    try end(cancelled, with: 130)
    #expect(text("note.txt") == "note ")
    let terminal = try open("$act -i note.txt")
    try terminal.waitForText("content: note")
    try terminal.type("more")
    try terminal.waitForText("word: more")
    try terminal.click("[ Add ]")
    try end(terminal, with: 0)
    #expect(text("note.txt") == "note more")
  }

  @Test func `an action with a view is chosen from the list, and its view takes the place of that`()
    throws
  {
    try world.replaceBundledExtensions()
    let terminal = try open("printf a | \"$today\" act --widgets bundles >out")
    try terminal.waitForText("Word")
    try terminal.type("word")
    try terminal.press(.enter)
    try terminal.waitForText("content: a")
    #expect(!terminal.screen.contains("type to filter"))
    try terminal.type("b")
    try terminal.waitForText("word: b")
    try terminal.click("[ Add ]")
    try end(terminal, with: 0)
    #expect(text("out") == "ab")
    try expectShellTerminal(terminal)
  }

  @Test func `without a terminal an action with a view is refused, and the content is back`() throws
  {
    var environment = world.environment(term: nil)
    environment["today"] = BuiltProgram.path
    let run = try ProgramRun(
      ProgramDescription(
        "/bin/sh",
        ["-c", "printf keep | \"$today\" act --widgets bundles --with word"],
        environment: environment,
        directory: world.path
      )
    )
    #expect(run.status == .exited(code: 69) && run.outputText == "keep", "\(run.errorText)")
    #expect(run.errorText.contains("no terminal to show it on"))
  }

  // MARK: - Extensions that misbehave

  @Test(arguments: [("die", "SIGABRT"), ("silent", "no answer in 5 s")])
  func `an extension that ends or never answers gives the terminal and the content back`(
    mode: String,
    reason: String
  ) throws {
    let terminal = try open("printf keep | $act >out 2>errors", mode: mode)
    if mode == "die" {
      try terminal.waitForText("content: keep")
      try terminal.click("[ Add ]")
    }
    try end(terminal, with: 1)
    #expect(text("out") == "keep")
    #expect(text("errors")?.contains(reason) == true, "\(text("errors") ?? "")")
    try expectShellTerminal(terminal)
  }

  @Test(arguments: ["deaf", "blank", "silent"])
  func `an extension that does not answer is left with Esc`(mode: String) throws {
    let terminal = try open("printf keep | $act >out", mode: mode)
    try terminal.waitForText("[ Cancel ]")
    if mode == "deaf" {
      try terminal.waitForText("content: keep")
      for _ in 0..<40 { try terminal.click("[ Add ]") }
    }
    try terminal.press(.escape)
    try end(terminal, with: 130)
    #expect(text("out") == "keep")
    try expectShellTerminal(terminal)
  }

  @Test func `a flood of views does not keep the person from leaving`() throws {
    let terminal = try open("printf keep | $act >out", mode: "flood")
    try terminal.waitForText("flood")
    try terminal.press(.escape)
    try end(terminal, with: 130)
    #expect(text("out") == "keep")
    try expectShellTerminal(terminal)
  }

  @Test func `the texts of a view cannot act on the terminal`() throws {
    let terminal = try open("echo prompt; printf a | $act >out", mode: "controls")
    try terminal.waitForText("evil")
    #expect(terminal.screen.titleChangeCount == 0 && terminal.screen.rows[0] == "prompt")
    try terminal.press(.escape)
    try end(terminal, with: 130)
    try expectShellTerminal(terminal)
  }

  // MARK: - The terminal afterwards

  @Test(arguments: Way.allCases, ["word", "whole"])
  func `on every way out the terminal is as before, and the content is back`(
    way: Way,
    name: String
  ) throws {
    let terminal = try open("echo prompt; printf keep >in; exec $act <in >out 2>errors", with: name)
    try terminal.waitForText("content: keep")
    let state = terminal.originalAttributes
    switch way {
    case .escape: try terminal.press(.escape)
    case .controlC: try terminal.press(.controlC)
    case .terminate: terminal.signal(SIGTERM)
    case .hangUp: terminal.signal(SIGHUP)
    case .kill: terminal.signal(SIGKILL)
    }
    try terminal.waitForEnd()
    try terminal.wait(for: "the terminal") { (_: ProgramStatus) in terminal.attributes == state }
    try terminal.settle()
    #expect(terminal.screen.rows.filter { !$0.isEmpty } == ["prompt"])
    switch way {
    case .escape, .controlC: #expect(terminal.status == .exited(code: 130))
    case .terminate: #expect(terminal.status == .exited(code: 143))
    case .hangUp: #expect(terminal.status == .exited(code: 129))
    case .kill: break
    }
    if way != .kill { #expect(text("out") == "keep") }
    try expectShellTerminal(terminal)
  }

  @Test(arguments: ["word", "whole"])
  func `after Ctrl-Z the shell has the terminal, and the view comes back as it was`(name: String)
    throws
  {
    let terminal = try open("echo prompt; printf a >in; exec $act <in >out", with: name)
    try terminal.waitForText("content: a")
    try terminal.type("kept")
    try terminal.waitForText("word: kept")
    try terminal.press(.controlZ)
    try terminal.wait(for: "the stop", status: { if case .stopped = $0 { true } else { false } })
    try terminal.settle()
    #expect(terminal.screen.rows.filter { !$0.isEmpty } == ["prompt"])
    try expectShellTerminal(terminal)
    terminal.foreground()
    try terminal.waitForText("word: kept")
    try terminal.click("[ Add ]")
    try end(terminal, with: 0)
    #expect(text("out") == "akept")
    try expectShellTerminal(terminal)
  }

  @Test func `a view that asks for it has the whole screen, and follows its size`() throws {
    let terminal = try open("echo prompt; printf a | $act >out", with: "whole", rows: 30)
    try terminal.waitForText("content: a")
    #expect(terminal.screen.isAlternate && !terminal.screen.contains("prompt"))
    #expect(terminal.screen.rows[0].hasPrefix("╭ Whole"))
    for (columns, rows) in [(50, 20), (120, 40), (80, 24)] {
      try terminal.resize(columns: columns, rows: rows)
      try terminal.wait(for: "a picture of \(columns)×\(rows)") { screen in
        screen.rows[0].count == columns && screen.rows[0].hasPrefix("╭ Whole")
          && screen.rows[rows - 1].hasPrefix("╰")
      }
    }
    try terminal.click("[ Add ]")
    try end(terminal, with: 0)
    #expect(text("out") == "a")
    #expect(terminal.screen.rows.filter { !$0.isEmpty } == ["prompt"])
    try expectShellTerminal(terminal)
  }
}
