import FoundationEssentials
import Glibc
import Notices
import Testing
import WidgetKitCore
import WidgetTestSupport
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetSessions

/// A terminal that shows no notifications, and keeps what is sent to it.
private final class SilentTerminal: NoticeTerminal {
  let identity = TerminalIdentity(environment: ["TERM": "xterm"])
  private(set) var sent: [[UInt8]] = []

  func send(_ bytes: [UInt8]) -> Bool {
    sent.append(bytes)
    return true
  }
}

/// What a row of a script does with other cards, and while its command runs; with real processes.
@Suite(.timeLimit(.minutes(5))) struct `A row of a script` {
  /// A menu whose rows are links.
  private func menu(_ links: [String], line: String = "") -> String {
    let rows = links.enumerated().map { "echo 'row\($0) | href=\"\($1)\"'" }
    return (["#!/bin/sh", "# today: format=xbar \(line)", "echo t", "echo ---"] + rows)
      .joined(separator: "\n")
  }

  private static let counter = "echo x >>\"$HOME/runs\"; wc -l <\"$HOME/runs\"\n"

  /// Presses a row of a card, as a user would.
  private func press(_ row: String, of name: String, _ scripts: ScriptWorld) throws {
    let center = try #require(scripts.center)
    let id = try scripts.card(name).id
    let body = try #require(center.drawing.body(of: id, at: .now))
    let target = try #require(body.from.targets.first { $0.label.string == row }, "\(row)")
    center.input.press(target, on: id)
  }

  @Test(arguments: [
    "xbar://app.xbarapp.com/refreshPlugin?path=count.1h.sh", "swiftbar://refreshplugin?name=count",
    "swiftbar://refreshplugin?name=COUNT.1h.sh", "swiftbar://refreshplugin?name=script.count",
    "swiftbar://refreshallplugins", "xbar://app.xbarapp.com/refreshAllPlugins",
  ])
  func `runs another script again`(url: String) async throws {
    let scripts = try ScriptWorld(["count.1h.sh": Self.counter, "menu.1h.sh": menu([url])])
    try scripts.open()
    try await eventually("the cards") {
      try scripts.rows("count") == ["1"] && scripts.rows("menu").last == "row0"
    }
    try press("row0", of: "menu", scripts)
    try await eventually("the second run") { try scripts.rows("count") == ["2"] }
    await scripts.end()
  }

  @Test func `hides and shows the card of another script`() async throws {
    let scripts = try ScriptWorld([
      "other.1h.sh": "echo other\n",
      "menu.1h.sh": menu([
        "swiftbar://disableplugin?name=other", "swiftbar://enableplugin?name=other",
        "swiftbar://toggleplugin?name=other",
      ]),
    ])
    // They may come one after another here.
    try scripts.open { $0.limits.openURLPause = .zero }
    let center = try #require(scripts.center)
    try await eventually("the cards") {
      try scripts.rows("other") == ["other"] && scripts.rows("menu").last == "row2"
    }
    try press("row0", of: "menu", scripts)
    #expect(try scripts.card("other").state == .hidden)
    #expect(center.notices.current?.string.contains("today has-content script.other on") == true)
    try press("row1", of: "menu", scripts)
    try await eventually("the card again") { try scripts.rows("other") == ["other"] }
    try press("row2", of: "menu", scripts)
    #expect(try scripts.card("other").state == .hidden)
    await scripts.end()
  }

  @Test func `tells the user, and says what it cannot do`() async throws {
    let scripts = try ScriptWorld([
      "menu.1h.sh": menu([
        "swiftbar://notify?title=Build&subtitle=main&body=has%20failed",
        "swiftbar://notify?body=quiet&silent=true", "swiftbar://refreshplugin?name=nowhere",
        "swiftbar://addplugin?src=https://x",
      ])
    ])
    try scripts.open { $0.limits.openURLPause = .zero }
    let center = try #require(scripts.center)
    var bells = 0
    center.alerts.onBell = { bells += 1 }
    try await eventually("the menu") { try scripts.rows("menu").last == "row3" }
    try press("row0", of: "menu", scripts)
    #expect(center.notices.current == "menu: Build: main\nhas failed" && bells == 1)
    try press("row1", of: "menu", scripts)
    #expect(center.notices.current == "menu: quiet" && bells == 1)
    try press("row2", of: "menu", scripts)
    #expect(center.notices.current?.string.contains("no script “nowhere”") == true)
    try press("row3", of: "menu", scripts)
    #expect(center.notices.current?.string.contains("not downloaded") == true)
    await scripts.end()
  }

  @Test(arguments: ["echo default", "exit 0", "exit 1"])
  func `tells the user something whose press opens a URL`(answer: String) async throws {
    let link = "swiftbar%3A%2F%2Frefreshplugin%3Fname%3Dcount"
    let scripts = try ScriptWorld([
      "count.1h.sh": Self.counter,
      "menu.1h.sh": menu(["swiftbar://notify?title=Build&body=has%20failed&href=\(link)"]),
    ])
    let tools = "\(scripts.world.path)/tools"
    try FileManager.default.createDirectory(atPath: tools, withIntermediateDirectories: true)
    let tool = """
      #!/bin/sh
      echo "$*" >>"$HOME/told"
      case $* in *--action*) \(answer) ;; esac

      """
    try scripts.world.write(tool, to: "\(tools)/notify-send")
    #expect(unsafe chmod("\(tools)/notify-send", 0o755) == 0)
    try scripts.open { configuration in
      configuration.limits.openURLPause = .zero
      configuration.schedulesUpdates = true
      configuration.environment["PATH"] = "\(tools):/usr/bin:/bin"
    }
    try await eventually("the cards") {
      try scripts.rows("count") == ["1"] && scripts.rows("menu").last == "row0"
    }
    let terminal = SilentTerminal()
    scripts.center?.delivery.start(on: terminal)
    scripts.center?.delivery.focusDidChange(false)
    try press("row0", of: "menu", scripts)
    func told() -> [Substring] {
      let text = try? String(
        contentsOf: URL(filePath: "\(scripts.world.path)/home/told"),
        encoding: .utf8
      )
      return text?.split(separator: "\n") ?? []
    }
    let start = "--app-name=menu --urgency=normal --hint=string:x-today-id:1"
    let plain = "\(start) -- Build has failed"
    let pressable = "\(start) --action=default=Open -- Build has failed"
    let expected = answer == "exit 1" ? [pressable, plain] : [pressable]
    await eventually("the notification") { told().map(String.init) == expected }
    if answer == "echo default" {
      try await eventually("the second run") { try scripts.rows("count") == ["2"] }
    }
    await scripts.end()
    #expect(told().count == expected.count && terminal.sent.isEmpty)
  }

  @Test func `tells the user something without markup`() async throws {
    let body = "%3Cimg%20src%3D%22http%3A%2F%2Fa.example%22%3E%20%26amp%3B%20a%3Cb"
    let scripts = try ScriptWorld([
      "menu.1h.sh": menu(["swiftbar://notify?title=A%3Cb&body=\(body)"])
    ])
    let tools = "\(scripts.world.path)/tools"
    try FileManager.default.createDirectory(atPath: tools, withIntermediateDirectories: true)
    try scripts.world.write("#!/bin/sh\necho \"$*\" >>\"$HOME/told\"\n", to: "\(tools)/notify-send")
    #expect(unsafe chmod("\(tools)/notify-send", 0o755) == 0)
    try scripts.open { configuration in
      configuration.limits.openURLPause = .zero
      configuration.environment["PATH"] = "\(tools):/usr/bin:/bin"
    }
    try await eventually("the card") { try scripts.rows("menu").last == "row0" }
    let terminal = SilentTerminal()
    scripts.center?.delivery.start(on: terminal)
    scripts.center?.delivery.focusDidChange(false)
    try press("row0", of: "menu", scripts)
    let expected =
      "--app-name=menu --urgency=normal --hint=string:x-today-id:1 "
      + "-- A<b &lt;img src=\"http://a.example\"&gt; &amp;amp; a&lt;b\n"
    await eventually("the notification") {
      let text = try? String(
        contentsOf: URL(filePath: "\(scripts.world.path)/home/told"),
        encoding: .utf8
      )
      return text == expected
    }
    await scripts.end()
  }

  @Test func `of somebody else, in the sandbox, controls no other card`() async throws {
    let scripts = try ScriptWorld([
      "other.1h.sh": "echo other\n",
      "menu.1h.sh": menu(["swiftbar://disableplugin?name=other"], line: "sandbox=true"),
    ])
    try scripts.open()
    try await eventually("the cards") {
      try scripts.rows("other") == ["other"] && scripts.rows("menu").last == "row0"
    }
    try press("row0", of: "menu", scripts)
    #expect(scripts.center?.notices.current?.string.contains("no script “other”") == true)
    #expect(try scripts.card("other").state == .live)
    await scripts.end()
  }

  @Test func `runs a command once, and asks for it again`() async throws {
    let scripts = try ScriptWorld([
      "menu.1h.sh": """
      #!/bin/sh
      # today: format=xbar
      echo t; echo ---
      echo 'Work | bash=/bin/sh param1=-c param2="echo x >>$HOME/runs" terminal=false'
      """
    ])
    try scripts.open()
    let center = try #require(scripts.center)
    var answers: [CommandQuestion.Answer] = [.once, .once, .notNow, .always]
    var questionCount = 0
    center.commands.onQuestion = { question in
      guard question != nil else { return }
      questionCount += 1
      center.commands.answer(answers.removeFirst())
    }
    try await eventually("the menu") { try scripts.rows("menu").last == "Work" }
    func runs() -> Int {
      let path = "\(scripts.world.path)/home/runs"
      return (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n").count ?? 0
    }
    for (index, expected) in [1, 2, 2, 3, 4].enumerated() {
      try press("Work", of: "menu", scripts)
      await eventually("run \(index)") { runs() == expected }
      try await eventually("its end") { try scripts.card("menu").pending.isEmpty }
    }
    // Only the last answer is remembered.
    #expect(questionCount == 4)
    await scripts.end()
  }

  @Test func `has a mark until its command has ended, and the page says how`() async throws {
    let scripts = try ScriptWorld([
      "menu.1h.sh": """
      #!/bin/sh
      # today: format=xbar
      echo t; echo ---
      echo 'Work | bash=./work.tool param1=ok terminal=false'
      echo 'Fail | bash=./work.tool param1=bad terminal=false'
      """,
      "work.tool": """
      #!/bin/sh
      # today: show=false
      while [ ! -e "$HOME/go" ]; do sleep 0.02; done
      echo "it is $1"; [ "$1" = ok ]
      """,
    ])
    try scripts.open()
    let center = try #require(scripts.center)
    center.commands.onQuestion = { question in
      if question != nil { center.commands.answer(.always) }
    }
    try await eventually("the menu") { try scripts.rows("menu").last == "Fail" }
    try press("Work", of: "menu", scripts)
    try await eventually("the mark") {
      try scripts.card("menu").pending.map(\.label.string) == ["Work"]
    }
    try press("Fail", of: "menu", scripts)
    try await eventually("both marks") {
      try scripts.card("menu").pending.map(\.label.string) == ["Work", "Fail"]
    }
    // The page shows a result for some seconds, which may be over at the next look while the machine is busy.
    var said: Set<String> = []
    center.signals.onChange = {
      if let notice = center.notices.current { said.insert(notice.string) }
    }
    try scripts.world.write("", to: "\(scripts.world.path)/home/go")
    try await eventually("the end of both") { try scripts.card("menu").pending.isEmpty }
    // What the second one came to is said in the same turn as its mark goes, and noted in the next one.
    await eventually("a result") { said.contains { !$0.hasSuffix("…") } }
    #expect(!said.isDisjoint(with: ["menu: it is ok", "menu: exit 1: it is bad"]), "\(said)")
    await scripts.end()
  }

  @Test func `of a widget that is no script gets no answer from the program`() throws {
    let world = try EngineWorld(
      [:],
      first: #","view":{"type":"text","text":"a","link":"swiftbar://refreshallplugins"}"#
    )
    world.center.urls.terminalHandover = { _ in }
    try world.open()
    let body = try #require(world.center.drawing.body(of: EngineWorld.id, at: world.clock.now))
    world.center.input.press(try #require(body.from.targets.first), on: EngineWorld.id)
    #expect(world.center.notices.current == "A: not opened: no app opens “swiftbar:”")
  }
}

/// The schedule of a plugin of SwiftBar.
@Suite(.timeLimit(.minutes(5))) struct `A script with a schedule` {
  @Test func `runs next at the time that it says, in place of its interval`() async throws {
    let scripts = try ScriptWorld([
      "a.1s.sh": """
      #!/bin/sh
      # <swiftbar.schedule>30 4 * * *|0 16 1 1 *</swiftbar.schedule>
      echo x >>"$HOME/runs"; echo good
      """
    ])
    try scripts.open()
    try await eventually("the first run") { try scripts.rows("a") == ["good"] }
    let center = try #require(scripts.center)
    let card = try #require(center.page[try scripts.card("a").id])
    let expected = try CronSchedule("30 4 * * *|0 16 1 1 *").next(after: SystemClock().date)
    await eventually("the next time") { card.nextUpdate == expected }
    #expect(card.state.updates.schedule.reason(card.updateFacts) == "its timeline asks for it")
    // An update that the user asks for, with the same output, does not change that.
    center.updates.refresh(try scripts.card("a").id)
    try await eventually("the second run") {
      let path = "\(scripts.world.path)/home/runs"
      let history = card.state.updates.schedule.history
      return try String(contentsOf: URL(filePath: path), encoding: .utf8) == "x\nx\n"
        && history.lastUpdate == history.lastGood
    }
    await eventually("the same time") { card.nextUpdate == expected }
    #expect(try !scripts.card("a").isStale)
    await scripts.end()
  }

  @Test(arguments: ["0 0 30 2 *", "every day", "* * * *"])
  func `that cannot be read is reported, and runs at its interval`(schedule: String) throws {
    let scripts = try ScriptWorld([
      "a.7s.sh": "#!/bin/sh\n# <swiftbar.schedule>\(schedule)</swiftbar.schedule>\necho good\n"
    ])
    let catalog = scripts.catalog
    let problem = try #require(catalog.problems.first)
    #expect("\(problem)".contains("swiftbar.schedule") && "\(problem)".contains(schedule))
    #expect(catalog.widgets.first?.script?.interval == 7)
  }

  @Test func `has the interval that config.json says`() {
    var options = ScriptOptions()
    options.schedule = try? CronSchedule("0 0 * * *")
    var own = ScriptOptions()
    #expect(own.set("interval", "9s") == nil)
    options.set(own)
    #expect(options.schedule == nil && options.interval == 9)
  }
}
