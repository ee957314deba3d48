import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// Menus of xbar and SwiftBar, in the real program.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct MenuTests {
  private func world(_ scripts: [String: String]) throws -> TestWorld {
    let world = try TestWorld()
    let folder = "\(world.path)/config/today/scripts"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, text) in scripts {
      try Data("#!/bin/sh\n\(text)".utf8).write(to: URL(filePath: "\(folder)/\(name)"))
      #expect(unsafe chmod("\(folder)/\(name)", 0o755) == 0)
    }
    return world
  }

  private static let titles =
    "# today: format=argos title=Turns\necho 'the first'; echo 'the second'\n"

  @Test func `lines of a title take turns on a page`() throws {
    let world = try world(["turns.1h.sh": Self.titles + "echo ---; echo 'a | dropdown=false'"])
    let terminal = try world.openInstalledPage()
    func count(_ words: String, _ screen: TestScreen) -> Int { screen.text.ranges(of: words).count }
    // Each is in the menu too, and the one whose turn it is above it.
    for (words, other) in [
      ("the first", "the second"), ("the second", "the first"), ("the first", "the second"),
    ] {
      try terminal.wait(
        for: "the turn of “\(words)”",
        until: { count(words, $0) == 2 && count(other, $0) == 1 }
      )
    }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `a page with links takes every size`() throws {
    let rows = (1...12).map { "echo 'link \($0) | href=https://a.example/\($0)'" }
    let world = try world([
      "links.1h.sh": "# today: format=xbar\necho title; echo ---; \(rows.joined(separator: ";"))"
    ])
    let terminal = try world.openInstalledPage()
    try terminal.waitForText("link 12")
    for (columns, rows) in [
      (160, 40), (160, 20), (40, 20), (260, 50), (1, 1), (120, 12), (100, 60),
    ] {
      try terminal.resize(columns: columns, rows: rows)
      guard columns > 1 else { continue }
      try terminal.wait(
        for: "\(columns) columns",
        until: { $0.text.contains("Today") }
      )
    }
    try terminal.waitForText("link 12")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `a snapshot, and a page without motion, have the first line of a title`() throws {
    let world = try world([
      "turns.1h.sh": "# today: format=xbar\necho one; echo two; echo ---; echo end"
    ])
    let run = try world.installed(["snapshot", "script.turns"])
    #expect(run.outputText.contains("one") && run.outputText.contains("end"), "\(run.errorText)")
    #expect(!run.outputText.contains("two"))
  }

  @Test func `a row has a mark while its command runs, and then the footer says what became of it`()
    throws
  {
    let world = try world([
      "menu.1h.sh": """
      # today: format=xbar title=Menu
      echo t; echo ---
      echo 'Work | bash=./work.tool'
      """,
      "work.tool": """
      # today: show=false
      while [ ! -e "$HOME/go" ]; do sleep 0.02; done
      echo all is done
      """,
    ])
    // Alone on its page, as other cards move this one while their first contents come.
    try world.saveConfiguration("{ pages: [{ name: 'Home', cards: ['script.menu'] }] }")
    let terminal = try world.openInstalledPage()
    try terminal.waitForText("Work")
    try terminal.settle(calm: .milliseconds(300))
    try terminal.click("Work")
    try terminal.waitForText("Run a command?")
    try terminal.readQuestion()
    func hasMark(_ screen: TestScreen) -> Bool {
      screen.rows.contains { row in
        row.firstRange(of: "Work").map { row[$0.upperBound...].prefix { $0 != "│" }.contains("…") }
          ?? false
      }
    }
    #expect(!hasMark(terminal.screen))
    try terminal.type("\r")
    try terminal.wait(for: "the mark", until: hasMark)
    try Data().write(to: URL(filePath: "\(world.path)/home/go"))
    try terminal.waitForText("Menu: all is done")
    try terminal.wait(for: "no mark", until: { !hasMark($0) })
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  @Test(arguments: [false, true])
  func `a command of a row ends with the page, and what it has left goes on`(isKilled: Bool)
    throws
  {
    let world = try world([
      "menu.1h.sh": """
      # today: format=xbar title=Menu
      echo t; echo ---
      echo 'Work | bash=./work.tool'
      """,
      "work.tool": """
      # today: show=false
      setsid sh -c 'echo $$ >"$HOME/left.new"; mv "$HOME/left.new" "$HOME/left"; exec sleep 600' &
      echo $$ >"$HOME/work"
      trap '' TERM HUP
      exec sleep 600
      """,
    ])
    let terminal = try world.openInstalledPage()
    try terminal.waitForText("Work")
    try terminal.settle(calm: .milliseconds(300))
    try terminal.click("Work")
    try terminal.waitForText("Run a command?")
    try terminal.readQuestion()
    try terminal.type("\r")
    func process(_ name: String) -> Int32? {
      let bytes = FileManager.default.contents(atPath: "\(world.path)/home/\(name)")
      return bytes.flatMap { Int32(String(decoding: $0, as: UTF8.self).filter(\.isNumber)) }
    }
    try terminal.wait(for: "the command") { (_: TestScreen) in
      process("left") != nil && process("work") != nil
    }
    let work = try #require(process("work"))
    let left = try #require(process("left"))
    let isGone = { ProcessList.state(of: work).map { $0 == "Z" } ?? true }
    #expect(!isGone())
    if isKilled { terminal.signal(SIGKILL) } else { try terminal.type("q") }
    try terminal.waitForEnd()
    let deadline = TestDeadline.next
    while !isGone(), ContinuousClock.now < deadline { sched_yield() }
    #expect(isGone())
    #expect(ProcessList.state(of: left).map { $0 != "Z" } == true)
    kill(left, SIGKILL)
    #expect(world.processesLeft() == [])
  }

  @Test func `open answers control URLs, for a page that is open elsewhere too`() throws {
    let world = try world([
      "count.1h.sh": "echo x >>\"$HOME/runs\"; echo \"Runs: $(grep -c x \"$HOME/runs\")\"\n"
    ])
    let terminal = try world.openInstalledPage()
    try terminal.waitForText("Runs: 1")
    #expect(
      try world.installed(["open", "swiftbar://refreshplugin?name=count"]).status
        == .exited(code: 0)
    )
    try terminal.waitForText("Runs: 2")
    let hidden = try world.installed(["open", "swiftbar://disableplugin?name=count"])
    #expect(hidden.status == .exited(code: 0), "\(hidden.errorText)")
    #expect(hidden.outputText.contains("count: hidden"))
    try terminal.wait(for: "no card", until: { !$0.contains("Runs:") })
    let shown = try world.installed(["open", "swiftbar://toggleplugin?name=count"])
    #expect(shown.outputText == "count: shown\n")
    try terminal.waitForText("Runs:")
    let wrong = try world.installed(["open", "swiftbar://refreshplugin?name=nowhere"])
    #expect(wrong.status != .exited(code: 0))
    #expect(wrong.errorText.contains("there is no script “nowhere” on the page"))
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }
}
