import FoundationEssentials
import Testing
import WidgetTestSupport

/// The messages of `today test` about a widget that does not work.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct TestCommandTests {
  /// Runs the command for a widget that is a shell script.
  private func test(_ script: String) throws -> ProgramRun {
    let world = try TestWorld()
    let bundle = "\(world.widgets)/Mine.widget"
    try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
    try world.write(
      """
      { CFBundleIdentifier = "com.example.mine"; CFBundleExecutable = "mine.sh"; NSExtension = {
        NSExtensionPointIdentifier = "com.apple.widget-extension";
        NSExtensionPrincipalClass = Mine; }; }
      """,
      to: "\(bundle)/Info.plist"
    )
    try world.write("#!/bin/sh\n\(script)\n", to: "\(bundle)/mine.sh")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755],
      ofItemAtPath: "\(bundle)/mine.sh"
    )
    return try ProgramRun(
      ProgramDescription(
        BuiltProgram.path ?? "/nowhere/today",
        ["test", bundle],
        environment: world.environment(term: nil),
        directory: world.path
      )
    )
  }

  /// A script that answers `initialize`, runs more commands, and waits for the end.
  private func greeting(_ more: String = "", view: String = "") -> String {
    """
    read line
    id=${line#*'"id":'}
    id=${id%%[!0-9]*}
    echo '{"jsonrpc":"2.0","id":'$id',"result":{"protocolVersion":1,"implements":[]\(view)}}'
    \(more)
    while read line; do case $line in *shutdown*) exit 0;; esac; done
    """
  }

  @Test func `the extensions of a folder are tested, also behind one that never answers`() throws {
    let world = try TestWorld()
    let folder = "\(world.path)/extensions"
    for (name, commands) in [("endless", "exec tail -f /dev/null"), ("other", "exit 3")] {
      let bundle = "\(folder)/\(name).appex"
      try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
      try world.write(
        """
        { CFBundleIdentifier = "com.example.\(name)"; CFBundleExecutable = program; NSExtension = {
          NSExtensionPointIdentifier = "com.apple.share-services"; NSExtensionAttributes = {
            NSExtensionActivationRule = "extensionItems.attachments.@count >= 1"; }; }; }
        """,
        to: "\(bundle)/Info.plist"
      )
      try world.write("#!/bin/sh\n\(commands)\n", to: "\(bundle)/program")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755],
        ofItemAtPath: "\(bundle)/program"
      )
    }
    let run = try ProgramRun(
      ProgramDescription(
        BuiltProgram.path ?? "/nowhere/today",
        ["test", folder],
        environment: world.environment(term: nil),
        directory: world.path
      ),
      patience: 4
    )
    #expect(run.status == .exited(code: 1))
    let lines = run.outputText.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("# com.example.endless at ") })
    #expect(lines.contains { $0.hasPrefix("# com.example.other at ") })
    #expect(lines.count { $0.hasSuffix(" - initialize is answered within 5 s") } == 2)
    #expect(lines.last?.hasPrefix("1..") == true)
    #expect(world.processesLeft() == [])
  }

  @Test func `a status command whose blocks are cards is tested as one card`() throws {
    let world = try TestWorld()
    let path = "\(world.path)/status.sh"
    try world.write(
      """
      #!/bin/sh
      # today: format=i3bar split=true
      echo '{"version":1}'; echo '[[{"name":"cpu","full_text":"3 %"},{"name":"disk","full_text":"40 %"}],'
      exec sleep 1000

      """,
      to: path
    )
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    let run = try ProgramRun(
      ProgramDescription(
        BuiltProgram.path ?? "/nowhere/today",
        ["test", path],
        environment: world.environment(term: nil),
        directory: world.path
      )
    )
    #expect(run.status == .exited(code: 0), "\(run.outputText)")
    #expect(run.outputText.contains("ok 10 -") && !run.outputText.contains("not ok"))
  }

  @Test func `a failed check quotes the last lines of standard error`() throws {
    let run = try test(
      "read line; for i in $(seq 30); do echo line $i >&2; done; echo the reason >&2; exit 3"
    )
    #expect(run.status == .exited(code: 1))
    #expect(run.outputText.contains("not ok 1 - initialize is answered within 5 s"))
    #expect(run.outputText.contains("# the process ended (exit 3)"))
    #expect(run.outputText.contains("#   the reason"))
    #expect(run.outputText.contains("#   line 30"))
    #expect(!run.outputText.contains("line 2\n"))
  }

  @Test func `an answer that is not JSON fails at once, with the bytes around the error`() throws {
    let start = ContinuousClock.now
    let run = try test(
      "read line; echo \"{'jsonrpc': '2.0', 'id': 1, 'result': None}\"; read line"
    )
    #expect(start.duration(to: .now) < .seconds(5))
    #expect(run.status == .exited(code: 1))
    #expect(
      run.outputText.contains("at byte 1: expected a member's name, near “{'jsonrpc': '2.0', '…”")
    )
  }

  @Test func `an answer in time that cannot be read is no message of the protocol`() throws {
    let run = try test(greeting(view: #","view":{"type":"vstack","children":["a",null]}"#))
    #expect(run.status == .exited(code: 1))
    #expect(run.outputText.contains("\nok 1 - initialize is answered within 5 s\n"))
    let words = "# the answer to initialize: result.view.children[1]: "
    #expect(run.outputText.contains(words), "\(run.outputText)")
  }

  @Test func `a missing answer suggests flushing the output`() throws {
    let run = try test("sleep 6")
    #expect(run.status == .exited(code: 1))
    #expect(run.outputText.contains("# no answer in 5 s; standard output may be buffered"))
  }

  @Test(arguments: [true, false])
  func `a row of a list is moved, and has to come back`(comesBack: Bool) throws {
    let script = """
      exec python3 -c '
      import json, sys
      view = {"type": "list", "id": "l", "rows": [{"id": "a", "view": "a"}, {"id": "b", "view": "b"}]}
      for line in sys.stdin:
          call = json.loads(line)
          if call["method"] == "shutdown":
              break
          if "id" not in call:
              continue
          answer = {
              "protocolVersion": 1,
              "implements": ["listDidMoveRow"],
              "allowsEditing": True,
              "view": view,
          }
          if call["method"] == "listDidMoveRow":
              if \(comesBack ? "True" : "False") or call["params"]["before"] is None:
                  view["rows"].reverse()
              answer = {"view": view}
          print(json.dumps({"jsonrpc": "2.0", "id": call["id"], "result": answer}), flush=True)
      '
      """
    let run = try test(script)
    let lines = run.outputText.split(separator: "\n")
    let order = lines.first { $0.hasSuffix("a row that was moved and moved back is where it was") }
    #expect(order?.hasPrefix(comesBack ? "ok" : "not ok") == true, "\(run.outputText)")
    #expect(lines.contains { $0.hasPrefix("ok") && $0.hasSuffix("the widget can be edited") })
    #expect(run.status == .exited(code: comesBack ? 0 : 1))
  }

  @Test func `a pushed view counts as something to show`() throws {
    let push = #"{"jsonrpc":"2.0","method":"setView","params":{"view":"pushed"}}"#
    let run = try test(greeting("sleep 0.3; echo '\(push)'"))
    #expect(run.status == .exited(code: 0))
    #expect(run.outputText.contains("- there is a view after the first update\n"))
    let none = try test(greeting())
    #expect(none.status == .exited(code: 1))
    #expect(
      none.outputText.contains("# no answer contained a view, and no setView arrived within 1 s")
    )
  }

  @Test func `an unknown element and an invalid child fail a check each`() throws {
    let unknown = #","view":{"type":"vstack","children":["a",{"type":"lamp","alt":"b"}]}"#
    let run = try test(greeting(view: unknown))
    #expect(run.status == .exited(code: 1))
    #expect(
      run.outputText.contains(
        "- views contain only elements of the protocol\n# unknown node type “lamp”"
      )
    )
    let child =
      #"{"jsonrpc":"2.0","method":"setView","params":{"view":{"type":"vstack","children":["a",7]}}}"#
    let bad = try test(greeting("echo '\(child)'", view: #","view":"a""#))
    #expect(bad.status == .exited(code: 1))
    #expect(bad.outputText.contains("# params.view.children[1]: expected a node"))
  }
}
