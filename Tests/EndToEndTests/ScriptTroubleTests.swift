import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// Scripts that misbehave, and signals, in the real program.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct ScriptTroubleTests {
  private func world(_ scripts: [String: String]) throws -> TestWorld {
    let world = try TestWorld()
    let folder = "\(world.path)/config/today/scripts"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, text) in scripts {
      try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
      #expect(unsafe chmod("\(folder)/\(name)", 0o755) == 0)
    }
    return world
  }

  /// A script that counts its runs.
  private static let good = "echo x >>\"$HOME/runs\"; echo \"run $(wc -l <\"$HOME/runs\")\"\n"

  /// The number of runs that the card of the good script shows.
  private func runs(_ screen: TestScreen) -> Int {
    (1...500).last { screen.contains("run \($0) ") } ?? 0
  }

  /// Each script with what its card says.
  @Test(arguments: [
    (
      "hangs", "# today: timeout=1s\ntrap '' TERM\nwhile :; do sleep 1000; done\n",
      "did not end within 1 s"
    ),
    ("floods", "exec yes\n", "printed more than 256 KiB"),
    ("forks", "# today: timeout=25s\nwhile :; do setsid sleep 1000 & done\n", "processes)"),
    (
      "stops", "# today: follow=true\nprintf 'half a line'\nexec sh -c 'sleep 1000; :' \"$0\"\n",
      "half a line"
    ),
    (
      "breaks", "# today: format=waybar follow=true\nprintf '{\"text\": \"ha'; kill -9 $$\n",
      "SIGKILL"
    ),
  ])
  func `a script that misbehaves costs only its own card`(
    name: String,
    text: String,
    words: String
  ) throws {
    let world = try world(["good.1s.sh": Self.good, "\(name).1h.sh": "#!/bin/sh\n\(text)"])
    let terminal = try world.openInstalledPage()
    try terminal.waitForText("run 1 ")
    try terminal.waitForText(words)
    let before = runs(terminal.screen)
    try terminal.wait(for: "two more runs of the good script") { runs($0) > before + 1 }
    #expect(terminal.screen.contains(words), "\(terminal.screen)")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  @Test func `keys act at once while queries use up their steps, and the cards say so`() throws {
    let query = "rows='$[?count($[?count($..*) > @]) > @]'"
    let text = """
      #!/bin/sh
      # today: interval=1h format=json \(query)
      seq 5000 | tr '\\n' ',' | sed 's/^/[/; s/,$/]/'
      """
    let names = ["a", "b", "c", "d", "e", "f"]
    let world = try world(
      Dictionary(uniqueKeysWithValues: names.map { ("\($0).sh", text) })
        .merging(["good.1h.sh": Self.good]) { $1 }
    )
    let terminal = try world.openInstalledPage()
    try terminal.waitForText("run 1 ")
    // The keys open a list over the page, and close it.
    let isDone = { (screen: TestScreen) in
      screen.rows.count { $0.contains("needs too many steps") } == names.count
    }
    let list = "close this list"
    func keyTime() throws -> Duration {
      let start = ContinuousClock.now
      try terminal.type("?")
      try terminal.wait(for: "the list of keys") { $0.contains(list) }
      let time = start.duration(to: .now)
      try terminal.press(.escape)
      try terminal.wait(for: "the page again") { !$0.contains(list) }
      return time
    }
    var times: [Duration] = []
    while !isDone(terminal.screen), times.count < 400 { times.append(try keyTime()) }
    #expect(times.count > 4)
    try terminal.wait(for: "the words") { isDone($0) }
    // On a machine that does something else too, a key takes longer without queries as well.
    let restTime = try (0..<9).map { _ in try keyTime() }.sorted()[4]
    let limit = max(.milliseconds(100), restTime * 5)
    #expect(times.sorted()[times.count / 2] < limit, "\(times), at rest \(restTime)")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  @Test func `a signal above SIGRTMIN runs the script that has its number, and ends no program`()
    throws
  {
    let text = "#!/bin/sh\n# today: signal=8 interval=1d\n" + Self.good
    let world = try world(["a.sh": text])
    let terminal = try world.openInstalledPage()
    try terminal.waitForText("run 1 ")
    let pid = try #require(terminal.pid)
    // 34 is SIGRTMIN in glibc; 64 is the last one.
    for number: Int32 in [35, 41, 43, 64] { #expect(kill(pid, number) == 0) }
    #expect(kill(pid, 42) == 0)
    try terminal.waitForText("run 2 ")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  @Test func `remove says how a script leaves a page that config.json declares`() throws {
    let world = try world(["a.sh": "echo shown-on-it\n"])
    try world.saveConfiguration("{ pages: [{ name: \"Home\", cards: [\"org.today.Clock\"] }] }")
    let refused = try world.installed(["remove", "script.a"])
    #expect(refused.status == .exited(code: 1))
    #expect(refused.outputText == "")
    let advice = "widgets: { \"script.a\": { show: false } }"
    #expect(refused.errorText.contains(advice), "\(refused.errorText)")
    #expect(refused.errorText.contains("scripts/a.sh is there"), "\(refused.errorText)")
    #expect(try world.installed(["snapshot"]).outputText.contains("shown-on-it"))
    try world.saveConfiguration(
      "{ pages: [{ name: \"Home\", cards: [\"org.today.Clock\"] }], \(advice) }"
    )
    #expect(try world.installed(["snapshot"]).outputText.contains("shown-on-it") == false)
  }

  @Test func `remove of a script that is on no page says nothing about one of config.json`() throws
  {
    let world = try world(["a.sh": "echo shown-on-it\n"])
    #expect(try world.installed(["remove", "script.a"]).status == .exited(code: 0))
    try world.saveConfiguration("{ pages: [{ name: \"Home\", cards: [\"org.today.Clock\"] }] }")
    let again = try world.installed(["remove", "script.a"])
    #expect(again.status == .exited(code: 0), "\(again.errorText)")
    #expect(again.outputText == "" && again.errorText == "today: “script.a” is not on a page\n")
  }
}
