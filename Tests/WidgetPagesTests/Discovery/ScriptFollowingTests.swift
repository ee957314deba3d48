import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetPlatform

/// Folders of scripts that change while the page is open.
@Suite(.timeLimit(.minutes(5))) struct `A folder of scripts of an open page` {
  /// The scripts that have a card, in order.
  private func cards(_ scripts: ScriptWorld) -> [String] {
    scripts.center?.page.all.map(\.id.bundleIdentifier) ?? []
  }

  private func wait(for expected: [String], _ scripts: ScriptWorld) async {
    await eventually("the cards \(expected)") { cards(scripts) == expected }
    scripts.center?.screen.setVisible(Set(scripts.center?.page.all.map(\.id) ?? []))
  }

  private func remove(_ name: String, _ scripts: ScriptWorld) throws {
    try FileManager.default.removeItem(atPath: "\(scripts.folder)/\(name)")
  }

  @Test func `shows a script that comes, and the card of one that goes leaves`() async throws {
    let scripts = try ScriptWorld(["a.sh": "echo a\n"])
    try scripts.open()
    try await eventually("the first script") { try scripts.rows("a") == ["a"] }
    try scripts.add("b.sh", "echo b\n")
    await wait(for: ["script.a", "script.b"], scripts)
    try await eventually("its output") { try scripts.rows("b") == ["b"] }
    try remove("a.sh", scripts)
    await wait(for: ["script.b"], scripts)
    #expect(try scripts.rows("b") == ["b"])
    // It has its old place when it comes back.
    try scripts.add("a.sh", "echo again\n")
    await eventually("both") { cards(scripts).count == 2 }
    await scripts.end()
  }

  @Test func `shows a file that becomes executable, and not one that is no more`() async throws {
    let scripts = try ScriptWorld(["a.sh": "echo a\n"])
    try scripts.world.write("echo b\n", to: "\(scripts.folder)/b.sh")
    try scripts.open()
    await wait(for: ["script.a"], scripts)
    #expect(unsafe chmod("\(scripts.folder)/b.sh", 0o755) == 0)
    await wait(for: ["script.a", "script.b"], scripts)
    try await eventually("its output") { try scripts.rows("b") == ["b"] }
    #expect(unsafe chmod("\(scripts.folder)/a.sh", 0o644) == 0)
    await wait(for: ["script.b"], scripts)
    await scripts.end()
  }

  @Test func `takes over another line, another name with the same identifier, and what is wrong`()
    async throws
  {
    let scripts = try ScriptWorld(["a.1m.sh": "#!/bin/sh\n# today: title=One\necho 1\n"])
    try scripts.open()
    await wait(for: ["script.a"], scripts)
    try await eventually("the first output") { try scripts.rows("a") == ["1"] }
    try scripts.add("a.1m.sh", "#!/bin/sh\n# today: title=Two lines=x\necho 2\n")
    try await eventually("the other title") { try scripts.card("a").name == "Two" }
    try await eventually("the other output") { try scripts.rows("a") == ["2"] }
    func problems() -> Int {
      scripts.center?.notices.problems.count { $0.string.contains("lines is \"x\"") } ?? 0
    }
    await eventually("what is wrong") { problems() == 1 }
    let renamed = unsafe rename("\(scripts.folder)/a.1m.sh", "\(scripts.folder)/a.5s.sh")
    #expect(renamed == 0)
    await eventually("its interval") {
      scripts.center?.page.controllers.first?.state.widget.bundleInterval == 5
    }
    try scripts.add("a.5s.sh", "#!/bin/sh\n# today: title=Three\necho 3\n")
    try await eventually("the last output") { try scripts.rows("a") == ["3"] }
    // The output can be there before the folder is read again.
    await eventually("nothing to be wrong") { problems() == 0 }
    #expect(cards(scripts) == ["script.a"])
    await scripts.end()
  }

  @Test func `that is written to all the time is read all the same`() async throws {
    let scripts = try ScriptWorld([
      "a.sh": """
      #!/bin/sh
      # today: follow=true
      while :; do echo x >"${0%/*}/log"; echo x; sleep 0.05; done
      """
    ])
    try scripts.open()
    await wait(for: ["script.a"], scripts)
    try await eventually("its first rows") { try scripts.rows("a").first == "x" }
    try scripts.add("b.sh", "echo b\n")
    await wait(for: ["script.a", "script.b"], scripts)
    await scripts.end()
  }

  @Test func `can be missing at first, with the folders above it`() async throws {
    let scripts = try ScriptWorld(["a.sh": "echo a\n"])
    let more = "\(scripts.world.path)/home/one/two/three"
    try scripts.open { $0.scripts = ScriptSettings(sources: [ScriptSource(folder: more)]) }
    await wait(for: ["script.a"], scripts)
    try FileManager.default.createDirectory(atPath: more, withIntermediateDirectories: true)
    try scripts.world.write("echo b\n", to: "\(more)/b.sh")
    #expect(unsafe chmod("\(more)/b.sh", 0o755) == 0)
    await wait(for: ["script.a", "script.b"], scripts)
    try FileManager.default.removeItem(atPath: "\(scripts.world.path)/home/one")
    await wait(for: ["script.a"], scripts)
    await scripts.end()
  }

  @Test func `can be set and left out in config.json, also for what it says about its scripts`()
    async throws
  {
    let scripts = try ScriptWorld(["a.sh": "echo a\n"])
    let more = "\(scripts.world.path)/home/more"
    #expect(unsafe mkdir(more, 0o755) == 0)
    try scripts.world.write("echo b\n", to: "\(more)/b.sh")
    #expect(unsafe chmod("\(more)/b.sh", 0o755) == 0)
    try scripts.open()
    await wait(for: ["script.a"], scripts)
    let center = try #require(scripts.center)
    func apply(_ settings: ScriptSettings) {
      var configuration = center.configuration
      configuration.scripts = settings
      center.apply(configuration)
    }
    apply(ScriptSettings(sources: [ScriptSource(folder: "~/more")]))
    await wait(for: ["script.a", "script.b"], scripts)
    var options = ScriptOptions()
    #expect(options.set("title", "Of the folder") == nil)
    var own = ScriptOptions()
    #expect(own.set("title", "Of the script") == nil)
    let source = ScriptSource(folder: "~/more", options: options)
    apply(ScriptSettings(sources: [source], options: ["script.a": own]))
    try await eventually("the titles") {
      try scripts.card("b").name == "Of the folder" && scripts.card("a").name == "Of the script"
    }
    // What comes into it now is noticed, too.
    try scripts.world.write("echo c\n", to: "\(more)/c.sh")
    #expect(unsafe chmod("\(more)/c.sh", 0o755) == 0)
    await wait(for: ["script.a", "script.b", "script.c"], scripts)
    apply(ScriptSettings())
    await wait(for: ["script.a"], scripts)
    await scripts.end()
  }

  @Test func `can be a link, or in place of a folder a pipe, which is never read`() async throws {
    let scripts = try ScriptWorld()
    let home = "\(scripts.world.path)/home"
    #expect(unsafe mkfifo("\(home)/pipe", 0o644) == 0)
    #expect(unsafe mkdir("\(home)/first", 0o755) == 0)
    #expect(unsafe mkdir("\(home)/second", 0o755) == 0)
    #expect(unsafe symlink("first", "\(home)/link") == 0)
    for (folder, name) in [("first", "a"), ("second", "b")] {
      try scripts.world.write("echo \(name)\n", to: "\(home)/\(folder)/\(name).sh")
      #expect(unsafe chmod("\(home)/\(folder)/\(name).sh", 0o755) == 0)
    }
    let sources = ["pipe", "link"].map { ScriptSource(folder: "\(home)/\($0)") }
    try scripts.open { $0.scripts = ScriptSettings(sources: sources) }
    await wait(for: ["script.a"], scripts)
    let problem = scripts.center?.notices.problems.first { $0.string.contains("pipe") }
    #expect(problem != nil)
    #expect(unsafe unlink("\(home)/link") == 0)
    #expect(unsafe symlink("second", "\(home)/link") == 0)
    await wait(for: ["script.b"], scripts)
    #expect(unsafe unlink("\(home)/pipe") == 0)
    #expect(unsafe mkdir("\(home)/pipe", 0o755) == 0)
    await eventually("no problem") {
      scripts.center?.notices.problems.contains { $0.string.contains("pipe") } == false
    }
    // The file behind a link is followed as well.
    #expect(unsafe symlink("\(home)/first/a.sh", "\(home)/second/c.sh") == 0)
    await wait(for: ["script.b", "script.c"], scripts)
    try FileManager.default.removeItem(atPath: "\(home)/first/a.sh")
    await wait(for: ["script.b"], scripts)
    await scripts.end()
  }
}
