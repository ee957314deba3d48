import Foundation
import Testing
import WidgetTestSupport

/// The example of the documentation, whose user quits right after a press.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct TeaTests {
  private static let group = "group.com.example.Tea"

  /// Stands between Tea and the program: it notes what they say, and holds Tea's `defaultsWrite` back until the file
  /// `quit` is there.
  private static let proxy = """
    #!/usr/bin/python3 -ESB
    import os, subprocess, sys, threading, time
    folder = os.environ["TODAY_DATA"]
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tea itself")
    tea = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    story = open(os.path.join(folder, "story"), "ab", buffering=0)

    def listen():
        for line in sys.stdin.buffer:
            story.write("→ ".encode() + line)
            tea.stdin.write(line)
            tea.stdin.flush()
        tea.stdin.close()

    threading.Thread(target=listen, daemon=True).start()
    for line in tea.stdout:
        if b'"defaultsWrite"' in line:
            story.write(b"held back\\n")
            while not os.path.exists(os.path.join(folder, "quit")):
                time.sleep(0.01)
        story.write("← ".encode() + line)
        sys.stdout.buffer.write(line)
        sys.stdout.flush()
    """

  /// A world with Tea behind the proxy.
  private func world() throws -> TestWorld {
    let world = try TestWorld()
    let files = FileManager.default
    let app = "\(world.widgets)/Tea.app"
    let example = BuiltTool.package.appending(path: "Docs/Examples/Tea.app").path
    try files.copyItem(atPath: example, toPath: app)
    let program = "\(app)/PlugIns/Tea.widget/tea"
    try files.moveItem(atPath: program, toPath: "\(program) itself")
    try world.write(Self.proxy, to: program)
    try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    return world
  }

  private func container(_ world: TestWorld) -> String {
    "\(world.path)/data/today/containers/com.example.Tea.Today"
  }

  /// What was said, in the order in which it passed.
  private func story(_ world: TestWorld) -> [String] {
    let bytes = FileManager.default.contents(atPath: "\(container(world))/story")
    return String(decoding: bytes ?? Data(), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// A message with its direction and without the number of a request of the host, for comparison.
  private func normal(_ line: String) throws -> String {
    let text = Data(line.dropFirst(2).utf8)
    guard var message = try? JSONSerialization.jsonObject(with: text) as? [String: Any] else {
      return line
    }
    if message["id"] is NSNumber { message["id"] = 0 }
    let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
    let bytes = try JSONSerialization.data(withJSONObject: message, options: options)
    return line.prefix(2) + String(decoding: bytes, as: UTF8.self)
  }

  /// The lines of the documented session from the press on “More” to its answer.
  private func documented() throws -> [String] {
    let page = BuiltTool.package.appending(path: "Docs/Protocol.md")
    let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").map(
      String.init
    )
    let start = try #require(
      lines.firstIndex { $0.hasPrefix("→") && $0.contains(#""action":"more""#) }
    )
    let end = try #require(lines[start...].firstIndex { $0.contains("Cups: 1") })
    return try lines[start...end].map(normal)
  }

  @Test func `stores the cups after a quit in the conversation that the documentation shows`()
    throws
  {
    let world = try world()
    let terminal = try world.openDashboard()
    try terminal.waitForText("Cups: 0")
    try terminal.settle()
    try terminal.click("More")
    try terminal.wait(for: "the write that is held back") { (_: TestScreen) in
      story(world).last == "held back"
    }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    let read = { try world.run(["defaults", "read", Self.group, "cups"]) }
    #expect(try read().outputText == "")
    try world.write("", to: "\(container(world))/quit")
    #expect(world.processesLeft() == [])
    #expect(try read().outputText == "1\n")
    let said = try story(world).map(normal)
    let start = try #require(said.firstIndex { $0.contains(#""method":"performAction""#) })
    // The view disappears meanwhile, and the widget is told to end when its activity has.
    let others = said[start...].filter { line in
      line != "held back" && line != #"← {"id":0,"jsonrpc":"2.0","result":{}}"#
        && !["viewWillDisappear", "shutdown"].contains { line.contains("\"\($0)\"") }
    }
    let wanted = try documented()
    #expect(others == wanted, "\(others.joined(separator: "\n"))")
    #expect(said.contains { $0.contains(#""viewWillDisappear""#) })
  }
}
