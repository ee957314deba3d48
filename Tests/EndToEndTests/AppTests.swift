import FoundationEssentials
import Testing
import WidgetTestSupport

/// Apps: their widgets, and the URLs that they open.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct AppTests {
  @Test("removing an app removes all its widgets and their data")
  func removesAnApp() throws {
    let world = try TestWorld()
    try world.installApp()
    let listed = try world.installed(["list"]).outputText.split(separator: "\n")
    #expect(listed.count { $0.contains("com.example.app.") && $0.contains("new") } == 2)
    let added = try world.installed(["add", "com.example.app"])
    #expect(added.status == .exited(code: 0), "\(added.errorText)")
    let all = try world.installed(["snapshot"])
    #expect(all.outputText.contains("First") && all.outputText.contains("Second"))
    #expect(world.filesNaming("com.example.app") > 4)
    let removed = try world.installed(["remove", "com.example.app"])
    #expect(removed.status == .exited(code: 0), "\(removed.errorText)")
    let none = try world.installed(["snapshot"])
    #expect(!none.outputText.contains("First") && !none.outputText.contains("Second"))
    try FileManager.default.removeItem(atPath: "\(world.path)/data/today/widgets/Both.app")
    _ = try world.installed(["snapshot"])
    #expect(world.filesNaming("com.example.app") == 0)
  }

  @Test("snapshot --all shows what is not on the page, and plain snapshot does not")
  func showsAll() throws {
    let world = try TestWorld()
    try world.installApp()
    #expect(try !world.installed(["snapshot"]).outputText.contains("First"))
    let all = try world.installed(["snapshot", "--all"])
    #expect(all.outputText.contains("First") && all.outputText.contains("Second"))
    #expect(try world.installed(["list"]).outputText.contains("new"))
  }

  @Test("a widget can set the flag of a widget of its app, and of no other")
  func siblings() throws {
    let world = try TestWorld()
    try world.installApp()
    _ = try world.installed(["add", "com.example.app"])
    let terminal = try world.openInstalledPage()
    try terminal.waitForText("I am First")
    try terminal.waitForText("I am Second")
    try terminal.settle(calm: .milliseconds(200))
    // Both cards have the button, and either can be the higher one, as other cards grow.
    let card = try #require(terminal.screen.position(of: "I am First"))
    try terminal.type(terminal.screen.click(.left, column: card.column + 3, row: card.row + 2))
    try terminal.wait(for: "the end of the other card") {
      !$0.contains("I am Second") && $0.contains("I am First")
    }
    try terminal.type("q")
    try terminal.waitForEnd()
    #expect(try world.installed(["list"]).outputText.contains("no content"))
  }

  @Test("the flag survives restarts, and a widget that the user removed stays removed")
  func flagAndRemoval() throws {
    let world = try TestWorld()
    try world.installApp()
    _ = try world.installed(["add", "com.example.app"])
    _ = try world.installed(["has-content", "com.example.app.first", "off"])
    #expect(try !world.installed(["snapshot"]).outputText.contains("First"))
    // On the page and empty is another thing than off the page.
    let listed = try world.installed(["list"]).outputText.split(separator: "\n")
    let row = try #require(listed.first { $0.contains("com.example.app.first") })
    #expect(row.contains("no content"))
    _ = try world.installed(["remove", "com.example.app.first"])
    _ = try world.installed(["has-content", "com.example.app.first", "on"])
    #expect(try !world.installed(["snapshot"]).outputText.contains("First"))
    _ = try world.installed(["add", "com.example.app.first"])
    #expect(try world.installed(["snapshot"]).outputText.contains("First"))
  }

  @Test func `two apps with one scheme are reported on the page and by today list`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    for name in ["First", "Second"] {
      try world.installApp("\(world.widgets)/\(name).app", claiming: "clown")
    }
    let words = "Second.app: the URL scheme clown is claimed by \(world.widgets)/First.app too"
    let list = try world.run(["list"])
    #expect(list.status == .exited(code: 0))
    #expect(list.outputText.hasPrefix("com.example.fixture.good "))
    #expect(list.errorText.split(separator: "\n").count { $0.contains(words) } == 1)

    let terminal = try world.openDashboard(columns: 250, rows: 30)
    try terminal.waitForText("updates: 1")
    try terminal.waitForText("1 problem")
    #expect(terminal.screen.rows.count { $0.contains(words) } == 1)
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))

    // Without the other app all is well.
    try FileManager.default.removeItem(atPath: "\(world.widgets)/Second.app")
    #expect(try world.run(["list"]).errorText == "")
  }

  @Test("a program started by the handler of a link continues after a quit")
  func handlersStay() throws {
    let world = try TestWorld()
    try world.installApp()
    _ = try world.installed(["add", "com.example.app"])
    // In the sandbox, its program would end with it.
    let trust = ["permissions", "com.example.app", "--grant", "trust"]
    #expect(try world.installed(trust).status == .exited(code: 0))
    let terminal = try world.openInstalledPage()
    try terminal.waitForText("open the app")
    try terminal.settle(calm: .milliseconds(200))
    try terminal.click("open the app")
    let words = try awaitOpening(terminal, world)
    #expect(words.first == "both:hello")
    let daemon = try #require(words.last.flatMap { Int32($0) })
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(ProcessList.state(of: daemon) != nil)
    ProcessList.killAll(naming: world.path)
  }

  /// Waits until the app has opened a URL; returns its lines: the URL, and a process.
  private func awaitOpening(_ terminal: PseudoTerminal, _ world: TestWorld) throws -> [String] {
    let note = "\(world.path)/home/opened"
    try terminal.wait(for: "the app") { (_: TestScreen) in
      FileManager.default.fileExists(atPath: note)
    }
    let text = try String(contentsOfFile: note, encoding: .utf8)
    try FileManager.default.removeItem(atPath: note)
    return text.split(separator: "\n").map(String.init)
  }

  @Test func `Enter or a click opens the app of a card with nothing to press, as it says`() throws {
    let world = try TestWorld()
    try world.installApp(hasButtons: false)
    try world.saveConfiguration("{ limits: { openURLSeconds: 0 } }")
    _ = try world.installed(["add", "com.example.app"])
    let trust = ["permissions", "com.example.app", "--grant", "trust"]
    #expect(try world.installed(trust).status == .exited(code: 0))
    let terminal = try world.openInstalledPage()
    try terminal.waitForText("I am First")
    try terminal.waitForText("I am Second")
    try terminal.type("/I am First\r")
    try terminal.wait(for: "the words") { $0.rows.last?.contains("⏎ opens Both") == true }
    #expect(terminal.screen.rows.last?.contains("press") == false)
    try terminal.press(.enter)
    #expect(try awaitOpening(terminal, world).first == "both://")
    try terminal.press(.escape)
    try terminal.settle(calm: .milliseconds(200))
    try terminal.click("I am Second")
    #expect(try awaitOpening(terminal, world).first == "both://")
    // A locked page opens nothing, and does not say that it would.
    try terminal.type("L")
    try terminal.wait(for: "the lock") { $0.contains("L unlock") && !$0.contains("opens Both") }
    try terminal.press(.enter)
    try terminal.waitForText("The page is locked")
    #expect(!FileManager.default.fileExists(atPath: "\(world.path)/home/opened"))
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    ProcessList.killAll(naming: world.path)
  }

  @Test func `a card with something to press, or without an app, does not say that it opens one`()
    throws
  {
    let world = try TestWorld()
    try world.installApp()
    _ = try world.installed(["add", "com.example.app"])
    let terminal = try world.openInstalledPage()
    try terminal.waitForText("I am First")
    try terminal.type("/I am First\r")
    try terminal.wait(for: "the words") { $0.rows.last?.contains("⏎ go in") == true }
    #expect(!terminal.screen.contains("opens Both"))
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    let plain = try TestWorld(fixtures: ["Wide"])
    let page = try plain.openDashboard(columns: 120)
    try page.wait(for: "the card") { $0.contains("1 live") }
    #expect(page.screen.rows.last?.contains("opens") == false)
    try page.type("q")
    #expect(try page.waitForEnd() == .exited(code: 0))
  }
}

extension TestWorld {
  /// Installs an app of two widgets.
  ///
  /// Each has a button that hides the other, and one that opens a URL
  /// of the app, whose handler records it and leaves a process.
  fileprivate func installApp(hasButtons: Bool = true) throws {
    let app = "\(path)/data/today/widgets/Both.app"
    try bundle(
      app,
      "com.example.app",
      more: "LSBackgroundOnly = YES; CFBundleURLTypes = ({ CFBundleURLSchemes = (both); });",
      program: """
        #!/bin/sh
        (cd \(path)/home && exec setsid sleep 600) &
        printf '%s\\n%s\\n' "$1" "$!" > \(path)/home/opened.new
        mv \(path)/home/opened.new \(path)/home/opened
        """
    )
    for (name, other) in [("First", "second"), ("Second", "first")] {
      try bundle(
        "\(app)/PlugIns/\(name).widget",
        "com.example.app.\(name.lowercased())",
        more: """
          NSExtension = { NSExtensionPointIdentifier = "com.apple.widget-extension";
            NSExtensionPrincipalClass = Main; };
          """,
        program: Self.program(
          hiding: "com.example.app.\(other)",
          named: name,
          buttons: hasButtons ? #"["sibling", "open the app"]"# : "[]"
        )
      )
    }
  }

  /// Installs an app without widgets that opens the URLs of a scheme.
  fileprivate func installApp(_ folder: String, claiming scheme: String) throws {
    try bundle(
      folder,
      "com.example.\(folder.split(separator: "/").last ?? "app")",
      more: "CFBundleURLTypes = ({ CFBundleURLSchemes = (\(scheme)); });",
      program: "#!/bin/sh"
    )
  }

  private static func program(
    hiding other: String,
    named name: String,
    buttons: String
  ) -> String {
    """
    #!/usr/bin/env python3
    import json, sys
    said = "nothing said"
    def view():
        buttons = [{"type": "button", "id": n, "label": n, "action": n}
                   for n in \(buttons)]
        return {"type": "vstack", "children": ["I am \(name)", said, *buttons]}
    def send(message):
        print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
    for line in sys.stdin:
        call = json.loads(line)
        method = call.get("method")
        if method == "shutdown":
            break
        if method is None and "error" in call:
            said = call["error"]["message"]
            send({"method": "setView", "params": {"view": view()}})
        if method == "performAction":
            if call["params"]["action"] == "sibling":
                params = {"flag": False, "bundleIdentifier": "\(other)"}
                send({"id": "content", "method": "setHasContent", "params": params})
            else:
                send({"id": "open", "method": "openURL", "params": {"url": "both:hello"}})
        if "id" in call and method:
            first = {"protocolVersion": 1, "implements": ["performAction"], "view": view()}
            send({"id": call["id"], "result": first if method == "initialize" else {}})
    """
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
