import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// An app that opens a URL in the terminal, with the screen and the keys until it exits.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct HandoverTests {
  private func openPage(_ world: TestWorld) throws -> PseudoTerminal {
    let terminal = try world.openDashboard(columns: 60, rows: 20)
    try terminal.waitForText("open the app")
    try terminal.wait(for: "a live card") { $0.contains("1 live") }
    try terminal.settle(calm: .milliseconds(200))
    return terminal
  }

  private func leave(_ terminal: PseudoTerminal, _ world: TestWorld) throws {
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    try expectShellTerminal(terminal)
    #expect(world.processesLeft() == [])
  }

  @Test func `the views disappear and the widget is suspended until the app has ended`() throws {
    let world = try TestWorld()
    try world.installHandler(needsTerminal: true)
    let terminal = try openPage(world)
    let attributes = terminal.attributes
    let picture = terminal.screen.text
    try terminal.click("open the app")
    try terminal.waitForText("I have the terminal")
    #expect(terminal.attributes != attributes)
    // What is set is the work of the app, whose margins the end of the page takes back too.
    #expect(terminal.screen.state.modes == [1049: true])
    #expect(terminal.screen.state.margins == ["r": "3;9"])
    let widget = try #require(Int32(world.lines("widget.pid").first ?? ""))
    try terminal.wait(for: "the widget's rest") { (_: TestScreen) in
      ProcessList.state(of: widget) == "T"
    }
    let heard = world.lines("heard")
    #expect(heard.contains("viewWillDisappear"))
    #expect(heard.contains("viewDidDisappear"))
    #expect(!heard.contains("viewWillAppear again"))
    try terminal.type("x")
    try terminal.wait(for: "the page again") { $0.contains("open the app") && $0.isAlternate }
    try terminal.wait(for: "the view again") { (_: TestScreen) in
      world.lines("heard").contains("viewWillAppear again")
    }
    // Never lost, and true: the program was started.
    #expect(world.lines("heard").contains("opened true"))
    #expect(terminal.attributes == attributes)
    try terminal.settle(calm: .milliseconds(300))
    #expect(terminal.screen.text == picture)
    try leave(terminal, world)
  }

  @Test func `no element is selected when an app has ended`() throws {
    let world = try TestWorld()
    try world.installHandler(needsTerminal: true)
    let terminal = try openPage(world)
    let element = {
      let place = try #require(terminal.screen.position(of: "open the app"))
      return terminal.screen.cell(column: place.column, row: place.row)
    }
    let plain = try element()
    try terminal.press(.tab)
    try terminal.wait(for: "the selection") { (_: TestScreen) in (try? element()) != plain }
    try terminal.press(.enter)
    try terminal.waitForText("I have the terminal")
    try terminal.type("x")
    try terminal.wait(for: "the page without a selection") {
      $0.isAlternate && $0.contains("open the app") && (try? element()) == plain
    }
    try leave(terminal, world)
  }

  @Test func `Ctrl-C ends an app that hangs`() throws {
    let world = try TestWorld()
    try world.installHandler(needsTerminal: true)
    let terminal = try openPage(world)
    try terminal.click("open the app")
    try terminal.waitForText("I have the terminal")
    try terminal.press(.controlC)
    try terminal.wait(for: "the page again") { $0.contains("open the app") && $0.isAlternate }
    try terminal.settle(calm: .milliseconds(200))
    try leave(terminal, world)
  }

  @Test func `Ctrl-Z suspends the dashboard with the app, and both continue together`() throws {
    let world = try TestWorld()
    try world.installHandler(needsTerminal: true)
    let terminal = try openPage(world)
    try terminal.click("open the app")
    try terminal.waitForText("I have the terminal")
    let handler = try #require(Int32(world.lines("handler.pid").first ?? ""))
    let attributes = terminal.attributes
    try terminal.press(.controlZ)
    try terminal.wait(
      for: "the stop",
      status: { status in
        if case .stopped = status { true } else { false }
      }
    )
    #expect(ProcessList.state(of: handler) == "T")
    #expect(terminal.attributes == terminal.originalAttributes)
    terminal.foreground()
    try terminal.wait(for: "the program again") { (_: TestScreen) in
      ProcessList.state(of: handler) != "T" && terminal.attributes == attributes
    }
    try terminal.type("x")
    try terminal.wait(for: "the page again") { $0.contains("open the app") && $0.isAlternate }
    try terminal.settle(calm: .milliseconds(200))
    try leave(terminal, world)
  }

  @Test func `a quit during an app ends it and restores the terminal`() throws {
    let world = try TestWorld()
    try world.installHandler(needsTerminal: true)
    let terminal = try openPage(world)
    try terminal.click("open the app")
    try terminal.waitForText("I have the terminal")
    let handler = try #require(Int32(world.lines("handler.pid").first ?? ""))
    let start = ContinuousClock.now
    terminal.signal(SIGTERM)
    try terminal.waitForEnd()
    #expect(start.duration(to: .now) < .seconds(4))
    #expect(ProcessList.state(of: handler) == nil)
    // The app has set the alternate screen and margins, and has not taken them back.
    try expectShellTerminal(terminal)
    #expect(world.processesLeft() == [])
  }

  @Test func `kill -9 during an app ends it, and takes back what it has set`() throws {
    let world = try TestWorld()
    try world.installHandler(needsTerminal: true)
    let terminal = try openPage(world)
    try terminal.click("open the app")
    try terminal.waitForText("I have the terminal")
    let handler = try #require(Int32(world.lines("handler.pid").first ?? ""))
    terminal.signal(SIGKILL)
    try terminal.waitForEnd()
    try terminal.wait(for: "the terminal of the shell") { (_: ProgramStatus) in
      !terminal.screen.isAlternate && terminal.attributes == terminal.originalAttributes
        && ProcessList.state(of: handler) == nil
    }
    try terminal.settle()
    try expectShellTerminal(terminal)
  }

  /// How and when the page is ended.
  enum Ending: CaseIterable {
    case keyWithPress
    case signalWithPress
    case signalToProgram
  }

  @Test(arguments: Ending.allCases)
  func `a blocked terminal that is passed to an app delays the end by two seconds at most`(
    ending: Ending
  ) throws {
    let world = try TestWorld()
    try world.installHandler(needsTerminal: true)
    let terminal = try world.openDashboard(columns: 200, rows: 50)
    try terminal.wait(for: "a live card") { $0.contains("open the app") && $0.contains("1 live") }
    try terminal.block(columns: 200, rows: 50)
    // Enter on the card presses its only button, whatever can be seen.
    switch ending {
    case .keyWithPress: try terminal.type(Key.enter.bytes + Array("q".utf8))
    case .signalWithPress:
      try terminal.press(.enter)
      try terminal.wait(for: "the press") { (_: TestScreen) in
        world.lines("heard").contains("performAction")
      }
      terminal.signal(SIGTERM)
    case .signalToProgram:
      try terminal.press(.enter)
      try terminal.wait(for: "the program") { (_: TestScreen) in
        !world.lines("handler.pid").isEmpty
      }
      terminal.signal(SIGTERM)
    }
    let start = ContinuousClock.now
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(start.duration(to: .now) < .seconds(2))
    #expect(terminal.attributes == terminal.originalAttributes)
    #expect(world.processesLeft() == [])
  }

  @Test func `the page shows the last content before any widget has answered`() throws {
    let world = try TestWorld()
    try world.installHandler(needsTerminal: true)
    let terminal = try openPage(world)
    let picture = terminal.screen.text
    try terminal.click("open the app")
    try terminal.waitForText("I have the terminal")
    let widget = try #require(Int32(world.lines("widget.pid").first ?? ""))
    try terminal.wait(for: "the widget's rest") { (_: TestScreen) in
      ProcessList.state(of: widget) == "T"
    }
    // From here on it answers only when the test says so.
    try world.write("", to: "\(world.path)/home/silent")
    try terminal.type("x")
    try terminal.wait(for: "the page again") { $0.contains("open the app") && $0.isAlternate }
    #expect(!world.lines("heard").contains("viewWillAppear answered again"))
    #expect(terminal.screen.text == picture)
    try FileManager.default.removeItem(atPath: "\(world.path)/home/silent")
    try terminal.wait(for: "the widget's answer") { (_: TestScreen) in
      world.lines("heard").contains("viewWillAppear answered again")
    }
    try terminal.settle(calm: .milliseconds(200))
    #expect(terminal.screen.text == picture)
    try leave(terminal, world)
  }

  @Test func `an app that does not need the terminal gets no keys`() throws {
    let world = try TestWorld()
    try world.installHandler(needsTerminal: false)
    let terminal = try openPage(world)
    try terminal.click("open the app")
    try terminal.wait(for: "the answer and the program") { (_: TestScreen) in
      world.lines("heard").contains("opened true") && !world.lines("handler.pid").isEmpty
    }
    let handler = try #require(Int32(world.lines("handler.pid").first ?? ""))
    #expect(terminal.screen.contains("open the app"))
    #expect(!terminal.screen.contains("I have the terminal"))
    try terminal.type("?")
    try terminal.wait(for: "the help") { !$0.contains("I am Main") || $0.contains("quit") }
    try terminal.type("x")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    kill(handler, SIGKILL)
    ProcessList.killAll(naming: world.path)
  }

  @Test func `Enter on a card without elements opens its app`() throws {
    let world = try TestWorld()
    try world.installHandler(needsTerminal: true, buttons: false)
    let terminal = try world.openDashboard(columns: 60, rows: 20)
    try terminal.wait(for: "a live card") { $0.contains("I am Main") && $0.contains("1 live") }
    try terminal.press(.enter)
    try terminal.waitForText("I have the terminal for both://.")
    try terminal.type("x")
    try terminal.wait(for: "the page again") { $0.contains("I am Main") && $0.isAlternate }
    try terminal.settle(calm: .milliseconds(200))
    try leave(terminal, world)
  }

  @Test func `today open uses the limit from config json`() throws {
    let world = try TestWorld()
    try world.installHandler(needsTerminal: false)
    let long = "both:" + String(repeating: "x", count: 2_100)
    let refused = try world.run(["open", long])
    #expect(refused.status != .exited(code: 0))
    #expect(refused.errorText.contains("2105 bytes, the limit is 2048"))
    try world.saveConfiguration(
      #"{"limits": {"urlBytes": 4096}}"#
    )
    let opened = try world.run(["open", long])
    #expect(opened.status == .exited(code: 0), "\(opened.errorText)")
    ProcessList.killAll(naming: world.path)
  }
}

extension TestWorld {
  /// The lines of a file that a fixture wrote.
  fileprivate func lines(_ name: String) -> [String] {
    FileManager.default.contents(atPath: "\(path)/home/\(name)").map {
      String(decoding: $0, as: UTF8.self).split(separator: "\n").map(String.init)
    } ?? []
  }

  /// Installs an app whose program waits for a key, and a widget that opens it.
  fileprivate func installHandler(needsTerminal: Bool, buttons: Bool = true) throws {
    // Its widget writes what it hears beside the world's other notes.
    try saveConfiguration(#"{ sandbox: "off" }"#)
    let app = "\(widgets)/Both.app"
    try bundle(
      app,
      "com.example.app",
      more: "CFBundleURLTypes = ({ CFBundleURLSchemes = (both); });"
        + (needsTerminal ? " TodayNeedsTerminal = YES;" : ""),
      program: """
        #!/usr/bin/env python3
        import os, sys, time, tty
        with open("\(path)/home/handler.new", "w") as note: print(os.getpid(), file=note)
        os.rename("\(path)/home/handler.new", "\(path)/home/handler.pid")
        if not sys.stdin.isatty():
            time.sleep(600)
        tty.setcbreak(0)
        print("\\033[?1049h\\033[3;9r\\033[2JI have the terminal for %s." % sys.argv[1], flush=True)
        os.read(0, 1)
        """
    )
    try bundle(
      "\(app)/PlugIns/Main.widget",
      "com.example.app.main",
      more: """
        NSExtension = { NSExtensionPointIdentifier = "com.apple.widget-extension";
          NSExtensionPrincipalClass = Main; };
        """,
      program: """
        #!/usr/bin/env python3
        import json, os, sys, time
        def note(name, text):
            with open("\(path)/home/" + name, "a") as file: print(text, file=file)
        note("widget.pid", os.getpid())
        appearances = 0
        buttons = [{"type": "button", "id": "b", "label": "open the app", "action": "open"}]
        view = {"type": "vstack", "children": ["I am Main"] + buttons * \(buttons ? 1 : 0)}
        def send(message):
            print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
        for line in sys.stdin:
            call = json.loads(line)
            method = call.get("method")
            if method == "shutdown":
                break
            if method is None:
                note("heard", "opened true" if call["result"]["success"] else "opened false")
            if method == "viewWillAppear":
                appearances += 1
                note("heard", "viewWillAppear" + (" again" if appearances > 1 else ""))
            elif method:
                note("heard", method)
            if method == "performAction":
                send({"id": "open", "method": "openURL", "params": {"url": "both:hello"}})
            while method == "viewWillAppear" and os.path.exists("\(path)/home/silent"):
                time.sleep(0.01)
            if "id" in call and method:
                implements = ["performAction", "viewWillAppear", "viewDidAppear",
                              "viewWillDisappear", "viewDidDisappear"]
                first = {"protocolVersion": 1, "implements": implements, "view": view}
                send({"id": call["id"], "result": first if method == "initialize" else {}})
                if method == "viewWillAppear":
                    note("heard", "viewWillAppear answered" + (" again" if appearances > 1 else ""))
        """
    )
  }

  private func bundle(
    _ folder: String,
    _ identifier: String,
    more: String,
    program: String
  ) throws {
    let files = FileManager.default
    try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try write(
      "{ CFBundleIdentifier = \"\(identifier)\"; CFBundleExecutable = run; \(more) }",
      to: "\(folder)/Info.plist"
    )
    try write(program + "\n", to: "\(folder)/run")
    try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder)/run")
  }
}
