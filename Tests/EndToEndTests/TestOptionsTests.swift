import FoundationEssentials
import Testing
import WidgetTestSupport

/// Options of `today test`: what goes wrong on purpose, and goldens.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct TestOptionsTests {
  private let world: TestWorld

  init() throws {
    world = try TestWorld()
    let bundle = "\(world.path)/Mishap.widget"
    try FileManager.default.createDirectory(
      atPath: "\(bundle)/Tests",
      withIntermediateDirectories: true
    )
    try world.write(
      """
      { CFBundleIdentifier = "com.example.Mishap"; CFBundleExecutable = "mishap"; NSExtension = {
        NSExtensionPointIdentifier = "com.apple.widget-extension";
        NSExtensionPrincipalClass = Mishap; }; }
      """,
      to: "\(bundle)/Info.plist"
    )
    try world.write(Self.program, to: "\(bundle)/mishap")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755],
      ofItemAtPath: "\(bundle)/mishap"
    )
  }

  private func today(_ arguments: [String]) throws -> ProgramRun {
    try ProgramRun(
      ProgramDescription(
        BuiltProgram.path ?? "/nowhere/today",
        ["test", "Mishap.widget"] + arguments,
        environment: world.environment(term: nil),
        directory: world.path
      )
    )
  }

  private func write(_ steps: String) throws {
    try world.write(
      #"{ "name": "mishap", "steps": [{ "appear": { "width": 60 } }, \#(steps)] }"#,
      to: "\(world.path)/Mishap.widget/Tests/mishap.json"
    )
  }

  /// The fault, what is pressed, and what the widget says about it.
  @Test(
    arguments: [
      ("full-disk", "write", "write: File too large"),
      ("refuse-urls", "open", "open: False"),
      ("deny-activities", "begin", "begin: True"),
      ("slow-disk", "time", "time: late"),
      ("kill-during-update", nil, "2 starts"),
    ] as [(String, String?, String)]
  )
  func `a fault reaches the widget`(fault: String, action: String?, words: String) throws {
    let press = action.map { "{ \"press\": \"\($0)\" }, " } ?? ""
    try write(#"\#(press){ "advance": "10 s" }, { "expect": { "contains": "\#(words)" } }"#)
    let without = try today([])
    #expect(without.status == .exited(code: 1))
    #expect(without.outputText.contains("contains: no row has “\(words)”"))
    let with = try today(["--fault", fault])
    #expect(with.status == .exited(code: 0), "\(with.outputText)\(with.errorText)")
    // A widget that has to cope with a fault is not measured by the rules.
    #expect(!with.outputText.contains("initialize is answered"))
    #expect(with.outputText.contains("1..1\n"))
  }

  @Test func `several faults go wrong together, and a misspelt one is named`() throws {
    try write(
      #"{ "press": "open" }, { "expect": { "contains": "open: False" } }, "#
        + #"{ "press": "begin" }, { "expect": { "contains": "begin: True" } }"#
    )
    let run = try today(["--fault", "refuse-urls", "--fault", "deny-activities"])
    #expect(run.status == .exited(code: 0), "\(run.outputText)")
    let wrong = try today(["--fault", "slow-disc"])
    #expect(wrong.status == .exited(code: 64))
    for name in ["slow-disk", "full-disk", "kill-during-update", "deny-activities", "refuse-urls"] {
      #expect(wrong.errorText.contains(name), "\(wrong.errorText)")
    }
  }

  /// The update is not answered by the first process, also if that is faster than the one that kills it.
  @Test func `a widget is killed during its update every time`() throws {
    try write(#"{ "expect": { "contains": "2 starts", "result": "newData" } }"#)
    for faults in [["kill-during-update"], ["kill-during-update", "slow-disk"]] {
      let run = try today(faults.flatMap { ["--fault", $0] } + ["--repeat", "20"])
      #expect(run.status == .exited(code: 0), "\(run.outputText)")
    }
  }

  @Test func `goldens are recorded once, and compared from then on`() throws {
    try write(#"{ "expect": { "golden": "start", "widths": [20, 60] } }"#)
    let folder = "\(world.path)/Mishap.widget/Tests/Goldens"
    let missing = try today([])
    #expect(missing.status == .exited(code: 1))
    #expect(missing.outputText.contains("--record"), "\(missing.outputText)")
    let recording = try today(["--record"])
    #expect(recording.status == .exited(code: 1))
    #expect(recording.errorText == "today: recorded; look at the files, and run the test again\n")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(names == ["start.txt"], "\(names)")
    let golden = try String(contentsOf: URL(filePath: "\(folder)/start.txt"), encoding: .utf8)
    #expect(golden.contains("1 starts"))
    #expect(try today([]).status == .exited(code: 0))
    try world.write(
      golden.replacing("1 starts", with: "7 starts"),
      to: "\(folder)/start.txt"
    )
    let other = try today([])
    #expect(other.status == .exited(code: 1))
    #expect(other.outputText.contains("-") && other.outputText.contains("7 starts"))
    #expect(try today(["--record"]).status == .exited(code: 1))
    #expect(try today(["--repeat", "2"]).status == .exited(code: 0))
  }

  private static let program = #"""
    #!/usr/bin/env python3
    import json, os, sys, time

    path = os.environ["TODAY_DATA"] + "/starts"
    starts = int(open(path).read() or 0) + 1 if os.path.exists(path) else 1
    try:
        with open(path, "w") as file:
            file.write(str(starts))
    except OSError:
        pass
    said, sent = [], {}

    def say(message):
        print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)

    def view():
        buttons = [{"type": "button", "label": name, "action": name}
                   for name in ("write", "open", "begin", "time")]
        return {"type": "vstack", "children": ["%d starts" % starts] + said + buttons}

    def ask(name, method, params):
        sent[name] = time.monotonic()
        say({"id": name, "method": method, "params": params})

    for line in sys.stdin:
        call = json.loads(line)
        method, params, answer = call.get("method"), call.get("params", {}), {}
        if method is None:
            name, result = call["id"], call.get("result") or {}
            if name == "open":
                said.append("open: %s" % result.get("success"))
            elif name == "begin":
                said.append("begin: %s" % result.get("expired"))
                say({"method": "endExpiringActivity",
                     "params": {"activity": result.get("activity")}})
            elif time.monotonic() - sent[name] >= 0.05:
                said.append("time: late")
            say({"method": "setView", "params": {"view": view()}})
            continue
        if method == "shutdown":
            break
        if "id" not in call:
            continue
        if method == "initialize":
            answer = {"protocolVersion": 1, "implements": ["widgetPerformUpdate", "performAction"]}
        elif method == "widgetPerformUpdate":
            answer = {"result": "newData", "view": view()}
        elif method == "performAction":
            action = params["action"]
            if action == "write":
                try:
                    with open(path, "w") as file:
                        file.write("1")
                except OSError as error:
                    said.append("write: " + error.strerror)
            elif action == "open":
                ask("open", "openURL", {"url": "https://example.com/"})
            elif action == "begin":
                ask("begin", "beginExpiringActivity", {"reason": "test"})
            else:
                ask("time", "defaultsRead", {"suite": "com.example.Mishap"})
            answer = {"view": view()}
        say({"id": call["id"], "result": answer})

    """#
}
