import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetScripts
@testable import WidgetSessions

/// Scripts of the user as cards of a page, with real processes.
@Suite struct `A script on the page` {
  @Test func `shows what it prints, with its colours and no control sequence`() async throws {
    let scripts = try ScriptWorld([
      "a.sh": "#!/bin/sh\nprintf 'one \\033[31mred\\033[0m\\033[2J\\n10%%\\r20%%\\nhalf'"
    ])
    try scripts.open()
    try await eventually("the rows") { try scripts.rows("a") == ["one red", "20%", "half"] }
    #expect(try scripts.card("a").state == .live)
    await scripts.end()
  }

  @Test func `runs as its user does at a prompt in its folder`() async throws {
    let scripts = try ScriptWorld([
      "a.sh":
        "echo $TODAY_OWN $COLUMNS\npwd\nread line || echo no input\ntouch \"$HOME/made\" && echo made\n"
    ])
    try scripts.open()
    try await eventually("the rows") {
      try scripts.rows("a") == ["mine 38", scripts.folder, "no input", "made"]
    }
    await scripts.end()
  }

  @Test func `that exits with another status than 0 says why, and keeps its picture`() async throws
  {
    let scripts = try ScriptWorld([
      "a.1s.sh": """
      #!/bin/sh
      [ ! -e "$HOME/once" ] || { echo broken; echo 'first' >&2; echo 'no route' >&2; exit 3; }
      touch "$HOME/once"; echo good
      """
    ])
    try scripts.open()
    try await eventually("the failure") { try scripts.trouble("a").contains("exit 3: no route") }
    #expect(try scripts.rows("a") == ["good"])
    await scripts.end()
  }

  @Test func `that fails without an error says what it printed last`() async throws {
    let scripts = try ScriptWorld([
      "a.sh": "echo first; echo why; echo ' '; exit 3\n", "b.sh": "exit 4\n",
      "c.sh": "echo out; echo err >&2; exit 5\n",
      "d.sh": "# today: format=json\necho no json\n",
    ])
    try scripts.open()
    for (name, words) in [("a", "exit 3: why"), ("b", "exit 4"), ("c", "exit 5: err")] {
      try await eventually(words) { try scripts.trouble(name) == words }
    }
    // What was printed is no reason where the program has not failed.
    try await eventually("no JSON") { try scripts.trouble("d").hasPrefix("not JSON: ") }
    #expect(try !scripts.trouble("d").contains("no json"))
    await scripts.end()
  }

  @Test func `runs as often as its name says`() async throws {
    let scripts = try ScriptWorld(["a.1s.sh": "echo x >>\"$HOME/runs\"; wc -l <\"$HOME/runs\"\n"])
    try scripts.open()
    try await eventually("a second run") {
      try scripts.rows("a").first.flatMap { Int($0) } ?? 0 > 1
    }
    await scripts.end()
  }

  @Test func `that does not end is ended with everything that it has started`() async throws {
    let scripts = try ScriptWorld([
      "a.sh": """
      #!/bin/sh
      # today: timeout=1s
      setsid sh -c 'echo $$ >>"$HOME/pids"; exec sleep 1000' "$0" &
      trap '' TERM
      while :; do sleep 1000; done
      """
    ])
    try scripts.open()
    try await eventually("the end of its time") {
      try scripts.trouble("a").contains("did not end within 1 s")
    }
    let pids = try String(
      contentsOf: URL(filePath: "\(scripts.world.path)/home/pids"),
      encoding: .utf8
    )
    let daemon = try #require(pids.split(separator: "\n").first.flatMap { Int32($0) })
    await eventually("the end of what has left its session") { kill(daemon, 0) != 0 }
    await scripts.end()
  }

  @Test func `that floods is ended, and costs only its own card`() async throws {
    let scripts = try ScriptWorld(["a.sh": "yes\n", "b.sh": "yes >&2 & echo b\n", "c.sh": "echo c"])
    try scripts.open()
    try await eventually("all cards") {
      try scripts.trouble("a").contains("printed more than 256 KiB")
        && scripts.rows("b") == ["b"] && scripts.rows("c") == ["c"]
    }
    await scripts.end()
  }

  @Test func `that cannot be started says so`() async throws {
    let scripts = try ScriptWorld(["a.sh": "#!/nowhere/interpreter\n"])
    try scripts.open()
    try await eventually("the failure") { try !scripts.trouble("a").isEmpty }
    let words = try scripts.trouble("a")
    #expect(words.contains("a.sh"), "\(words)")
    await scripts.end()
  }

  @Test func `has the variables of its plugin as settings, with what xbar or SwiftBar have kept`()
    async throws
  {
    let scripts = try ScriptWorld([
      "a.5s.sh": """
      #!/usr/bin/env EXTRA=loop sh
      # <xbar.title>A</xbar.title>
      # <xbar.var>string(VAR_NAME="anna"): Who it is for.</xbar.var>
      # <xbar.var>number(VAR_COUNT=3): How many. </xbar.var>
      # <xbar.var>boolean(VAR_LONG=true): Whether it is long</xbar.var>
      # <xbar.var>select(VAR_UNIT="km"): Unit [km, mi]</xbar.var>
      # <xbar.var>string(VAR_NONE): Nothing</xbar.var>
      # <xbar.var>select(VAR_BAD="x"): no choices</xbar.var>
      # <xbar.var>string(LD_PRELOAD="x"): no</xbar.var>
      echo "$VAR_NAME $VAR_COUNT $VAR_LONG $VAR_UNIT ${VAR_NONE-unset} $EXTRA $XBARDarkMode"
      """
    ])
    let values = #"{"VAR_COUNT": 5, "VAR_UNIT": "parsec", "VAR_NAME": "berta"}"#
    try scripts.world.write(values, to: "\(scripts.folder)/a.5s.sh.vars.json")
    let widget = try #require(scripts.catalog.widgets.first)
    #expect(scripts.catalog.widgets.count == 1)
    #expect(
      widget.settings.map(\.name) == ["VAR_NAME", "VAR_COUNT", "VAR_LONG", "VAR_UNIT", "VAR_NONE"]
    )
    #expect(
      widget.settings[0].title == "Who it is for." && widget.settings[3].choices == ["km", "mi"]
    )
    try scripts.open()
    try await eventually("the rows") {
      try scripts.rows("a").first?.hasPrefix("berta 5 true km unset loop ") == true
    }
    await scripts.end()
  }

  @Test func `keeps its numbers over restarts, and tells the user once when one is worth it`()
    async throws
  {
    let scripts = try ScriptWorld([
      "a.1s.sh": """
      #!/bin/sh
      # today: history=true alert=>90 thresholds="50:orange,90:red"
      n=$(cat "$HOME/n"); echo "$n %"
      """
    ])
    func set(_ number: Int) throws {
      try scripts.world.write("\(number)", to: "\(scripts.world.path)/home/n")
    }
    func colour() throws -> Color? {
      guard case .vstack(let stack)? = try scripts.card("a").view?.content else { return nil }
      return stack.children.first?.style.foreground
    }
    try set(40)
    try scripts.open()
    var bells = 0
    scripts.center?.alerts.onBell = { bells += 1 }
    try await eventually("the first number") { try scripts.rows("a").first == "40 %" }
    #expect(try colour() == nil)
    try set(91)
    await eventually("the alert") {
      bells == 1 && scripts.center?.notices.current == "a: 91, which is > 90"
    }
    try await eventually("its colour") { try colour() == .red }
    try set(95)
    try await eventually("a higher number") { try scripts.rows("a").first == "95 %" }
    try set(60)
    try await eventually("a lower number") { try colour() == .orange }
    #expect(bells == 1)
    await scripts.end()

    try set(70)
    try scripts.open()
    try await eventually("the numbers before") {
      guard case .vstack(let stack)? = try scripts.card("a").view?.content,
        case .sparkline(let line)? = stack.children.last?.content
      else { return false }
      return line.values.count >= 5 && line.values.first == 40 && line.values.last == 70
    }
    await scripts.end()
  }

  @Test(arguments: ["{", "{\"values\": [1e999]}", "{\"values\": 5, \"isAlerting\": 1}"])
  func `whose history cannot be read begins it anew`(text: String) async throws {
    let scripts = try ScriptWorld(["a.sh": "#!/bin/sh\n# today: history=true\necho 7\n"])
    let folders = StateFolders(environment: scripts.world.environment())
    let data = folders.containers(of: ExtensionIdentity("script.a")).data
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    try scripts.world.write(text, to: "\(data)/history.json")
    try scripts.open()
    try await eventually("the number") { try scripts.rows("a") == ["7"] }
    await scripts.end()
  }

  @Test func `that keeps printing shows its last lines as they come`() async throws {
    let scripts = try ScriptWorld([
      "a.sh": """
      #!/bin/sh
      # today: follow=true lines=2
      echo one; echo two; echo three
      while [ ! -e "$HOME/go" ]; do sleep 0.05; done
      printf '\\033[2Jfour'
      exec sleep 1000
      """,
      "flood.sh": "#!/bin/sh\n# today: follow=true lines=3\nyes\n",
      "bad.sh": "#!/bin/sh\n# today: follow=true lines=2\nseq 5; echo no >&2; exit 4\n",
      "empty.sh": "",
    ])
    try scripts.open()
    try await eventually("the first lines") {
      try scripts.rows("a") == ["two", "three"]
        && scripts.rows("flood").prefix(2) == ["y", "y"]
        && scripts.trouble("bad").contains("exit 4: no")
        && scripts.card("empty").state == .live
    }
    // What it printed before it failed at once.
    #expect(try scripts.rows("bad") == ["4", "5"])
    try scripts.world.write("", to: "\(scripts.world.path)/home/go")
    try await eventually("the next line") { try scripts.rows("a") == ["three", "four"] }
    #expect(try scripts.trouble("flood") == "")
    await scripts.end()
  }

  @Test func `that goes on and fails says so in its heading, and keeps its rows`() async throws {
    let scripts = try ScriptWorld([
      "a.1d.sh": """
      #!/bin/sh
      # today: follow=true
      echo one
      while [ ! -e "$HOME/go" ]; do sleep 0.05; done
      echo 'no route' >&2; exit 4
      """
    ])
    try scripts.open()
    try await eventually("the first line") { try scripts.rows("a") == ["one"] }
    #expect(try scripts.trouble("a") == "")
    try scripts.world.write("", to: "\(scripts.world.path)/home/go")
    try await eventually("the failure") { try scripts.trouble("a").contains("exit 4: no route") }
    #expect(try scripts.rows("a") == ["one"])
    try FileManager.default.removeItem(atPath: "\(scripts.world.path)/home/go")
    scripts.center?.updates.refresh(nil)
    try await eventually("the next run") { try scripts.trouble("a") == "" }
    await scripts.end()
  }

  @Test func `that goes on answers a press with what it shows`() async throws {
    let scripts = try ScriptWorld([
      "a.sh": """
      #!/bin/sh
      # today: format=waybar follow=true display-alt="{alt}"
      echo '{"text": "one", "alt": "other"}'
      exec sleep 1000
      """
    ])
    try scripts.open()
    try await eventually("the text") { try scripts.rows("a") == ["one"] }
    scripts.center?.page[try scripts.card("a").id]?.send(.deliver(.action("other form")))
    try await eventually("the other form") { try scripts.rows("a") == ["other"] }
    await scripts.end()
  }

  @Test func `runs on its signal, and on no other`() async throws {
    let scripts = try ScriptWorld([
      "a.1d.sh": "#!/bin/sh\n# today: signal=8\necho x >>\"$HOME/runs\"; wc -l <\"$HOME/runs\"\n",
      "b.1d.sh": "#!/bin/sh\necho x >>\"$HOME/others\"; wc -l <\"$HOME/others\"\n",
    ])
    try scripts.open()
    try await eventually("both") { try scripts.rows("a") == ["1"] && scripts.rows("b") == ["1"] }
    scripts.center?.updates.refresh(signal: 9)
    scripts.center?.updates.refresh(signal: 8)
    try await eventually("the second run") { try scripts.rows("a") == ["2"] }
    scripts.center?.updates.refresh(signal: 8)
    try await eventually("the third run") { try scripts.rows("a") == ["3"] }
    #expect(try scripts.rows("b") == ["1"])
    await scripts.end()
  }

  @Test func `ends with the page, also in the middle of a run`() async throws {
    let scripts = try ScriptWorld([
      "a.sh": "#!/bin/sh\ntouch \"$HOME/up\"\ntrap '' TERM\nwhile :; do sleep 1000; done\n"
    ])
    try scripts.open()
    let mark = "\(scripts.world.path)/home/up"
    await eventually("the run") { FileManager.default.fileExists(atPath: mark) }
    await scripts.end()
  }

  @Test
  func `in the sandbox sees itself and the system, and nothing else of its user`() async throws {
    let scripts = try ScriptWorld([
      "a.sh": """
      #!/bin/sh
      # today: sandbox=true
      for file in "$HOME/secret" "$0" /etc/hostname "${0%/*}/b.sh"; do
        if [ -r "$file" ]; then echo "sees ${file##*/}"; else echo "no ${file##*/}"; fi
      done
      echo "token ${MY_TOKEN-unset}"
      touch "$HOME/made" 2>/dev/null && echo wrote || echo "wrote nothing"
      """,
      "b.sh": "echo $MY_TOKEN\n",
    ])
    try scripts.world.write("x", to: "\(scripts.world.path)/home/secret")
    try scripts.open()
    try await eventually("the rows") {
      try scripts.rows("a").first == "no secret" && scripts.rows("b") == ["secret"]
    }
    #expect(try scripts.rows("a").prefix(2) == ["no secret", "sees a.sh"])
    #expect(try scripts.rows("a").contains("no b.sh"))
    #expect(try scripts.rows("a").contains("token unset"))
    let made = "\(scripts.world.path)/home/made"
    #expect(!FileManager.default.fileExists(atPath: made))
    await scripts.end()
  }

  @Test func `is not started where every widget must be in the sandbox`() async throws {
    let scripts = try ScriptWorld(["a.sh": "touch \"$HOME/ran\"\n"])
    try scripts.open { $0.sandbox = .required }
    try await eventually("the reason") { try scripts.trouble("a").contains("“required”") }
    #expect(!FileManager.default.fileExists(atPath: "\(scripts.world.path)/home/ran"))
    await scripts.end()
  }
}

/// What is shown of the output of a script.
@Suite struct `Plain text of a script` {
  private func rows(_ output: String, lines: Int = 3) -> [String] {
    guard case .vstack(let stack) = ScriptText.view(of: Array(output.utf8), lines: lines).content
    else { return [] }
    return stack.children.map { child in
      switch child.content {
      case .ansi(let content): content.spans.map(\.text.string).joined()
      case .text(let content): content.spans.map(\.text.string).joined()
      default: "?"
      }
    }
  }

  @Test(arguments: [
    ("1\n2\n3\n", 3, ["1", "2", "3"]),
    ("1\n2\n3\n4\n", 3, ["1", "2", "3", "… 1 more line"]),
    ("1\n2\n3\n4\n5", -3, ["… 2 more lines", "3", "4", "5"]),
    ("a\r\nb\r\n\n \n", 3, ["a", "b"]),
    ("\n\nx", 3, [" ", " ", "x"]),
  ])
  func `is its first rows, or its last ones`(output: String, lines: Int, expected: [String]) {
    #expect(rows(output, lines: lines) == expected)
  }

  @Test func `that goes on is its last lines, however it is cut`() {
    let text = "one\ntwo\n10%\r20%\r30%\nend"
    for size in 1...12 {
      var tail = ScriptTail(limit: 3)
      let bytes = Array(text.utf8)
      for start in stride(from: 0, to: bytes.count, by: size) {
        tail.append(Array(bytes[start..<min(bytes.count, start + size)]))
      }
      let shown = ScriptText.view(of: tail.output, lines: -3)
      #expect(shown == ScriptText.view(of: Array("two\n30%\nend".utf8), lines: -3), "\(size)")
    }
    var tail = ScriptTail(limit: 2)
    for _ in 0..<100 { tail.append([UInt8](repeating: 0x61, count: 10_000)) }
    #expect(tail.output.count == 4096)
  }

  @Test(arguments: ["", "\n\n", " \r\n"])
  func `says that there is none`(output: String) {
    guard case .text(let content) = ScriptText.view(of: Array(output.utf8), lines: 3).content else {
      Issue.record("no text")
      return
    }
    #expect(content.spans.map(\.text.string) == ["no output"])
  }

  @Test func `of any bytes fits into a message`() throws {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<50 {
      let alphabet: [UInt8] = [0, 0x0A, 0x0D, 0x1B, 0x5B, 0x6D, 0x33, 0x3B, 0x31, 0x9B, 0xC2, 0xFF]
      let output = (0..<5_000).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
      let view = ScriptText.view(of: output, lines: 100)
      let line = OutgoingLine.notification(SetViewNotification(view: view))
      let read = try IncomingLine(line.dropLast()).decode(SetViewNotification.self)
      #expect(!"\(read.view)".unicodeScalars.contains("\u{1B}"))
    }
  }

  @Test func `has rows of at most 4 KiB`() throws {
    let output = [UInt8](repeating: 0x61, count: 200_000)
    let line = OutgoingLine.notification(
      SetViewNotification(view: ScriptText.view(of: output, lines: 3))
    )
    #expect(line.count < 5_000)
    _ = try IncomingLine(line.dropLast()).decode(SetViewNotification.self)
  }
}
