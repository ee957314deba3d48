import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import EngineTestSupport
@testable import PageRecords
@testable import WidgetCards
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetScripts
@testable import WidgetSessions

/// A status command of which each block is a card.
@Suite(.timeLimit(.minutes(2))) struct `A status command that is split` {
  private static let two =
    #"[{"name":"wlan","instance":"wlan0","full_text":"W 1"},{"name":"load","full_text":"L 1"}]"#

  @Test func `has a card for each block from its first run on, of one process`() async throws {
    let status = try StatusWorld(Self.two)
    #expect(status.scripts.catalog.widgets.map(\.bundleIdentifier) == ["script.status"])
    try await status.open(["status.wlan.wlan0", "status.load"])
    try await eventually("both rows") {
      try status.scripts.rows("status.wlan.wlan0") == ["W 1"]
        && status.scripts.rows("status.load") == ["L 1"]
    }
    let names = status.scripts.center?.page.all.map(\.name.string)
    #expect(names == ["wlan wlan0", "load"])
    try status.write(
      #"[{"name":"load","full_text":"L 2"},{"name":"wlan","instance":"wlan0","full_text":"W 2"}]"#
    )
    try await eventually("the next rows") {
      try status.scripts.rows("status.wlan.wlan0") == ["W 2"]
        && status.scripts.rows("status.load") == ["L 2"]
    }
    for name in status.names { #expect(try status.scripts.card(name).state == .live, "\(name)") }
    #expect(status.pids.count == 1)
    await status.scripts.end()

    // The cards are there before the program prints anything, with their last pictures.
    try status.scripts.add(
      "status.sh",
      "#!/bin/sh\n# today: format=i3bar split=true\nexec sleep 1000\n"
    )
    try status.scripts.open()
    #expect(status.names == ["status.wlan.wlan0", "status.load"])
    try await eventually("the last picture") {
      try status.scripts.rows("status.load") == ["L 2"]
    }
    await status.scripts.end()
  }

  @Test func `has clicks sent back with the name and the instance of their block`() async throws {
    let status = try StatusWorld(Self.two)
    try await status.open(["status.wlan.wlan0", "status.load"])
    for (index, name) in ["status.load", "status.wlan.wlan0"].enumerated() {
      try await eventually("its row") { try !status.scripts.rows(name).isEmpty }
      let card = try status.scripts.card(name)
      let view = try #require(card.view)
      let action = try #require(ScriptContent.picture(ScriptPicture(view: view)).actions.first)
      status.scripts.center?.page[card.id]?.send(.deliver(.action(action)))
      await eventually("click \(index + 1)") {
        status.text("clicks").split(separator: "\n").count == index + 2
      }
    }
    let clicks = try #require(JSONTree(Array((status.text("clicks") + "]").utf8)).items)
    #expect(clicks.map { $0["name"]?.string } == ["load", "wlan"])
    #expect(clicks.map { $0["instance"]?.string } == [nil, "wlan0"])
    await status.scripts.end()
  }

  @Test(arguments: [false, true])
  func `is suspended while none of its cards is on the screen`(hasSignals: Bool) async throws {
    let header = hasSignals ? #","stop_signal":\#(SIGUSR1),"cont_signal":\#(SIGUSR2)"# : ""
    let status = try StatusWorld(Self.two, header: header)
    func pauses(_ count: Int) -> Bool {
      hasSignals
        ? status.text("signals") == String(repeating: "stop\ngo on\n", count: count - 1) + "stop\n"
        : status.isStopped
    }
    func goesOn(_ count: Int) -> Bool {
      hasSignals
        ? status.text("signals") == String(repeating: "stop\ngo on\n", count: count)
        : !status.isStopped
    }
    try await status.open(["status.wlan.wlan0", "status.load"])
    try await eventually("both rows") {
      try !status.scripts.rows("status.wlan.wlan0").isEmpty
        && !status.scripts.rows("status.load").isEmpty
    }
    status.show(["status.load"])
    try status.write(
      #"[{"name":"wlan","instance":"wlan0","full_text":"W 2"},{"name":"load","full_text":"L 2"}]"#
    )
    try await eventually("the row on the screen") {
      try status.scripts.rows("status.load") == ["L 2"]
    }
    await eventually("the other card at rest") {
      status.scripts.center?.page.all.map(\.id).map {
        status.scripts.center?.page[$0]?.session?.isSuspended ?? false
      } == [true, false]
    }
    #expect(goesOn(0))
    status.show([])
    await eventually("the pause") { pauses(1) }
    status.show(["status.wlan.wlan0"])
    await eventually("its end") { goesOn(1) }
    try await eventually("what the card has missed") {
      try status.scripts.rows("status.wlan.wlan0") == ["W 2"]
    }
    status.show([])
    await eventually("the next pause") { pauses(2) }
    #expect(status.pids.count == 1)
    await status.scripts.end()
  }

  @Test func `hides the card of a block that goes, and shows it when the block is back`()
    async throws
  {
    let status = try StatusWorld(Self.two)
    try await status.open(["status.wlan.wlan0", "status.load"])
    try await eventually("a row") { try status.scripts.rows("status.load") == ["L 1"] }
    try status.write(
      #"[{"name":"load","full_text":"L 2"},{"name":"wlan","instance":"wlan0","full_text":""}]"#
    )
    await eventually("one card") { status.shown == ["status.load"] }
    try await eventually("the row of the other") {
      try status.scripts.rows("status.load") == ["L 2"]
    }
    // The last one stays, as it has the program run.
    try status.write("[]")
    try await eventually("no row") { try status.scripts.rows("status.load") == ["nothing to show"] }
    #expect(status.shown == ["status.load"])
    try status.write(Self.two)
    await eventually("both cards") { status.shown.count == 2 }
    status.show()
    try await eventually("both rows") {
      try status.scripts.rows("status.wlan.wlan0") == ["W 1"]
        && status.scripts.rows("status.load") == ["L 1"]
    }
    #expect(status.pids.count == 1)
    await status.scripts.end()
  }

  @Test func `leaves a card hidden that the user has hidden`() async throws {
    let status = try StatusWorld(Self.two)
    try await status.open(["status.wlan.wlan0", "status.load"])
    try await eventually("a row") { try status.scripts.rows("status.load") == ["L 1"] }
    try status.scripts.center?.contentFlags.set(false, for: ExtensionIdentity("script.status.load"))
    status.scripts.center?.page.followContentFlags()
    #expect(status.shown == ["status.wlan.wlan0"])
    try status.write(#"[{"name":"wlan","instance":"wlan0","full_text":"W 2"}]"#)
    try await eventually("a line without it") {
      try status.scripts.rows("status.wlan.wlan0") == ["W 2"]
    }
    try status.write(Self.two)
    try await eventually("a line with it") {
      try status.scripts.rows("status.wlan.wlan0") == ["W 1"]
    }
    #expect(status.shown == ["status.wlan.wlan0"])
    await status.scripts.end()
  }

  @Test func `whose shown cards are removed runs again when a hidden one is shown`() async throws {
    let status = try StatusWorld(Self.two)
    try await status.open(["status.wlan.wlan0", "status.load"])
    try await eventually("a row") { try status.scripts.rows("status.load") == ["L 1"] }
    try status.write(#"[{"name":"wlan","instance":"wlan0","full_text":"W 2"}]"#)
    await eventually("one card") { status.shown == ["status.wlan.wlan0"] }
    let center = try #require(status.scripts.center)
    let (shown, hidden) = (
      ExtensionIdentity("script.status.wlan.wlan0"), ExtensionIdentity("script.status.load")
    )
    #expect(center.edits.make([.remove(shown)]) == .made)
    let pid = try #require(status.pids.last)
    await eventually("the end of the command") { kill(pid, 0) != 0 }
    #expect(status.shown == [])
    // What `today has-content script.status.load on` does.
    try center.contentFlags.set(true, for: hidden)
    center.page.followContentFlags()
    await eventually("the hidden card") { status.shown == ["status.load"] }
    status.show()
    await eventually("another run") { status.pids.count == 2 }
    try status.write(Self.two)
    try await eventually("its row") { try status.scripts.rows("status.load") == ["L 1"] }
    #expect(status.names == ["status.load"])
    await status.scripts.end()
  }

  @Test func `gets a card for a block that comes later`() async throws {
    let status = try StatusWorld(#"[{"name":"load","full_text":"L 1"}]"#)
    try await status.open(["status.load"])
    try status.write(Self.two)
    await status.cards(["status.load", "status.wlan.wlan0"])
    try await eventually("its row") { try status.scripts.rows("status.wlan.wlan0") == ["W 1"] }
    #expect(status.pids.count == 1)
    await status.scripts.end()
  }

  @Test func `that is killed says so on every card, and starts once for all of them`() async throws
  {
    let status = try StatusWorld(Self.two)
    try await status.open(["status.wlan.wlan0", "status.load"])
    try await eventually("both rows") {
      try !status.scripts.rows("status.wlan.wlan0").isEmpty
        && !status.scripts.rows("status.load").isEmpty
    }
    kill(try #require(status.pids.last), SIGKILL)
    try await eventually("the failure on both") {
      try status.names.allSatisfy { try status.scripts.trouble($0).contains("SIGKILL") }
    }
    #expect(try status.scripts.rows("status.wlan.wlan0") == ["W 1"])
    #expect(try status.scripts.rows("status.load") == ["L 1"])
    status.scripts.center?.updates.refresh(nil)
    try await eventually("the end of the failure") {
      try status.names.allSatisfy { try status.scripts.trouble($0) == "" }
    }
    #expect(status.pids.count == 2)
    await status.scripts.end()
  }

  @Test func `that cannot be started is not tried again for each of its cards`() async throws {
    let status = try StatusWorld(Self.two)
    try await status.open(["status.wlan.wlan0", "status.load"])
    await status.scripts.end()
    try status.scripts.add(
      "status.sh",
      "#!/bin/sh\n# today: format=i3bar split=true\necho x >>\"$HOME/runs\"; exit 3\n"
    )
    try status.scripts.open()
    try await eventually("the failure on both") {
      try status.names.allSatisfy { try status.scripts.trouble($0).contains("exit 3") }
    }
    #expect(status.text("runs") == "x\n")
    await status.scripts.end()
  }

  @Test func `keeps names of all kinds apart, and inside of its folders`() async throws {
    let long = String(repeating: "n", count: 10_000)
    let names = [
      "../../etc", "a/b", "a-b", "..", "\\u001b[2Jx", long, long + "x", "gün", "%2e", "",
    ]
    var blocks = names.map { #"{"name":"\#($0)","full_text":"of \#($0.prefix(8))"}"# }
    blocks += [#"{"full_text":"none"}"#, #"{"name":"a/b","full_text":"second"}"#]
    let status = try StatusWorld("[" + blocks.joined(separator: ",") + "]")
    try status.scripts.open()
    await eventually("the cards") { status.names.count == blocks.count }
    status.show()
    let identifiers = status.names
    #expect(Set(identifiers).count == blocks.count, "\(identifiers)")
    for name in identifiers {
      let words = name.dropFirst("status.".count)
      #expect(words.utf8.allSatisfy { $0 == 0x2D || $0 == 0x2E || FileNameCoding.isPlain($0) })
      #expect(!words.contains("..") && words.utf8.count < 100, "\(words)")
    }
    #expect(identifiers.contains("status.a-b-2") && identifiers.contains("status.11"))
    try await eventually("all rows") {
      try identifiers.allSatisfy { try !status.scripts.rows($0).isEmpty }
    }
    let rows = try identifiers.map { try status.scripts.rows($0).joined() }
    #expect(Set(rows).count == blocks.count - 1, "the long names begin alike: \(rows)")
    for card in status.scripts.center?.page.all ?? [] {
      #expect(card.name.string.count <= 90 && !card.name.string.contains("\u{1B}"))
    }
    await status.scripts.end()
    #expect(
      try FileManager.default.contentsOfDirectory(
        atPath: "\(status.scripts.world.path)/state/today/blocks"
      )
      .filter { $0.hasSuffix(".json") } == ["script.status.json"]
    )
  }

  @Test func `can have only some of its blocks as cards, with what config.json says about them`()
    async throws
  {
    let status = try StatusWorld(Self.two, options: "blocks=wlan0")
    try status.scripts.open { configuration in
      var own = ScriptOptions()
      own.title = "The network"
      own.span = 2
      own.interval = 5
      own.format = .nagios
      configuration.scripts = ScriptSettings(options: ["script.status.wlan.wlan0": own])
    }
    await status.cards(["status.wlan.wlan0"])
    try await eventually("its row") { try status.scripts.rows("status.wlan.wlan0") == ["W 1"] }
    #expect(try status.scripts.card("status.wlan.wlan0").name == "The network")
    #expect(try status.scripts.card("status.wlan.wlan0").span == 2)
    #expect(
      status.scripts.center?.page.catalog.match("script.status")
        == .widgets(["script.status.wlan.wlan0"])
    )
    await status.scripts.end()
  }

  @Test func `whose blocks cannot be kept is one card, and says why in its log`() async throws {
    let status = try StatusWorld(Self.two)
    let state = "\(status.scripts.world.path)/state/today"
    try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
    try status.scripts.world.write("", to: "\(state)/blocks")
    try status.scripts.open()
    try await eventually("both rows") { try status.scripts.rows("status") == ["W 1", "L 1"] }
    let folders = StateFolders(environment: status.scripts.world.environment())
    await eventually("the reason") {
      folders.readLog(of: ExtensionIdentity("script.status"))?.contains("its blocks get no cards")
        ?? false
    }
    await status.scripts.end()
  }
}

/// The blocks of status commands that are known.
@Suite nonisolated struct `The list of blocks` {
  @Test(
    arguments: [
      ("wlan", "wlan0", 1, "wlan.wlan0", "wlan wlan0"),
      ("cpu_usage", "cpu_usage", 1, "cpu-usage", "cpu_usage"),
      ("disk_info", "/", 1, "disk-info", "disk_info /"),
      ("wireless", "_first_", 2, "wireless.first-2", "wireless _first_ 2"),
      (nil, "only", 1, "only", "only"), (nil, nil, 3, "3", "Status 3"),
      ("", "", 3, "3", "Status 3"),
      ("..", nil, 1, "block", ".."), ("ü", nil, 1, "fc", "ü"),
    ] as [(String?, String?, Int, String, String)]
  )
  func `has words for names`(
    name: String?,
    instance: String?,
    number: Int,
    word: String,
    title: String
  ) throws {
    let block = ScriptBlock(name: name, instance: instance, number: number)
    #expect(block.word == word)
    let world = try TestWorld()
    try world.write(
      "#!/bin/sh\n# today: title=Status format=i3bar split=true\n",
      to: "\(world.path)/s.sh"
    )
    #expect(unsafe chmod("\(world.path)/s.sh", 0o755) == 0)
    let found = try WidgetBundle.script(at: "\(world.path)/s.sh", trust: .named(world.path))
    let widget = found?.widget.block(block, identifier: "script.s.x", own: nil)
    #expect(widget?.displayName.string == title)
  }

  @Test func `makes room for blocks that are printed, and keeps the identifiers of others`() {
    var list = ScriptBlockList()
    func block(_ number: Int) -> ScriptBlock {
      ScriptBlock(name: "b\(number)", instance: nil, number: 1)
    }
    list.add((0..<ScriptBlockList.limit).map(block), of: "script.s")
    let before = list.entries
    list.add([block(0), block(1_000)], of: "script.s")
    #expect(list.entries.count == ScriptBlockList.limit)
    #expect(list.entries.first == before.first && list.entries.last?.block == block(1_000))
    #expect(!list.entries.contains { $0.block == block(1) })
    list.add((2_000..<3_000).map(block), of: "script.s")
    #expect(list.entries.count == ScriptBlockList.limit)
  }

  @Test(arguments: [
    "", "[]", "{",
    #"{"entries":[{"block":{"number":1},"identifier":"com.example.other","isAbsent":false}]}"#,
    #"{"entries":[{"block":{"number":1},"identifier":"script.s./../x","isAbsent":false}]}"#,
  ])
  func `that cannot be used is empty`(text: String) throws {
    let world = try TestWorld()
    let folder = "\(world.path)/state/today/blocks"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = ScriptBlockList.path(of: "script.s", in: folder)
    try world.write(text, to: path)
    #expect(unsafe chmod(path, 0o600) == 0)
    #expect(ScriptBlockList.read(path, of: "script.s").entries.isEmpty)
    let list = try ScriptBlockList.change(path, of: "script.s") {
      $0.add([ScriptBlock(name: "a", instance: nil, number: 1)], of: "script.s")
    }
    #expect(list == ScriptBlockList.read(path, of: "script.s") && list.entries.count == 1)
  }
}
