import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// `today snapshot`: the page on standard output, without a terminal and without `TERM`.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct SnapshotCommandTests {
  private struct Page: Decodable {
    struct Card: Decodable {
      var bundleIdentifier: String
      var name: String
      var state: String
      var rows: [String]
      var age: Double?
      var stale: Bool
    }
    var width: Int
    var cards: [Card]
  }

  @Test func `text is the cards without escape sequences`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let run = try world.run(["snapshot", "--format", "text", "--width", "50"])
    #expect(run.status == .exited(code: 0), "\(run.errorText)")
    #expect(run.outputText.contains("All is well"))
    #expect(run.outputText.contains("updates: 1"))
    #expect(!run.output.contains(0x1b))
    for line in run.outputText.split(separator: "\n") { #expect(line.count <= 50) }
    #expect(world.processesLeft() == [])
  }

  @Test func `plain output has no frames`() throws {
    let world = try TestWorld(fixtures: ["Good", "Crashing"])
    let run = try world.run(["snapshot", "--plain", "--width", "50"])
    #expect(run.status == .exited(code: 1))
    #expect(run.outputText.contains("All is well\nupdates: 1\n[ More ]"), "\(run.outputText)")
    #expect(run.outputText.contains("Crashing, Unable to Load: exited with code 3"))
    #expect(!run.outputText.contains { "│─╭╮╰╯".contains($0) })
    #expect(try world.run(["snapshot", "--plain", "--format", "svg"]).status == .exited(code: 64))
  }

  @Test func `plain cards have all of the width`() throws {
    let world = try TestWorld(fixtures: [])
    let folder = "\(world.path)/config/today/scripts"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for name in ["a", "b", "c"] {
      let path = "\(folder)/\(name).sh"
      try world.write(
        "#!/bin/sh\necho 123456789-123456789-123456789-123456789-123456789-123456789-\n",
        to: path
      )
      #expect(unsafe chmod(path, 0o755) == 0)
    }
    let run = try world.installed(["snapshot", "--plain", "--width", "80", "script.a", "script.b"])
    let line = "123456789-123456789-123456789-123456789-123456789-123456789-"
    #expect(run.outputText.split(separator: "\n").count { $0 == line } == 2, "\(run.outputText)")
  }

  @Test func `ansi is the same text with colours`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let run = try world.run(["snapshot", "--format", "ansi", "--width", "60"])
    #expect(run.status == .exited(code: 0), "\(run.errorText)")
    #expect(run.output.contains(0x1b))
    #expect(CursesOutput.strangers(inPicture: run.output) == [])
    let screen = TestScreen(columns: 60, rows: 40)
    // A terminal's driver makes a new line of what a program writes.
    screen.write(run.output.flatMap { $0 == 0x0a ? [0x0d, 0x0a] : [$0] })
    #expect(screen.contains("All is well"))
  }

  @Test func `a bundle or a script can be printed alone, wherever it is`() throws {
    let world = try TestWorld(fixtures: ["Good", "Crashing"])
    let bundle = "\(world.widgets)/Good.widget"
    let run = try world.run(["snapshot", "--bundle", bundle, "--width", "50"])
    #expect(run.status == .exited(code: 0), "\(run.errorText)")
    #expect(run.outputText.contains("All is well") && !run.outputText.contains("Crashing"))
    // The card alone, as where it is named.
    #expect(run.outputText.hasPrefix("╭ Good"), "\(run.outputText)")
    let script = "\(world.path)/load.1m.sh"
    try world.write("#!/bin/sh\necho from a script\n", to: script)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
    let printed = try world.run(["snapshot", "--bundle", script, "--width", "50"])
    #expect(printed.outputText.contains("from a script"), "\(printed.errorText)")
    let missing = try world.run(["snapshot", "--bundle", "\(world.path)/none.widget"])
    #expect(missing.status == .exited(code: 66))
  }

  @Test func `with data of its own it shows and changes none of the user's`() throws {
    let world = try TestWorld()
    let script = "\(world.path)/words.sh"
    func print(_ words: String, _ arguments: [String]) throws -> ProgramRun {
      try world.write("#!/bin/sh\necho \(words)\n", to: script)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
      return try world.installed(["snapshot", "--bundle", script, "--plain"] + arguments)
    }
    #expect(try print("mine", []).outputText.contains("mine"))
    #expect(try print("sample", ["--data", "data"]).outputText.contains("sample"))
    #expect(try print("", ["--cached"]).outputText.contains("mine"))
    let kept = try print("", ["--cached", "--data", "\(world.path)/data"])
    #expect(kept.outputText.contains("sample"))
    let refused = try print("", ["--data", "/proc/x"])
    #expect(refused.errorText.contains("/proc/x/data could not be made"), "\(refused)")
  }

  @Test func `json is an object with cards`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let run = try world.run(["snapshot", "--format", "json", "--width", "70"])
    #expect(run.status == .exited(code: 0), "\(run.errorText)")
    let page = try JSONDecoder().decode(Page.self, from: Data(run.output))
    #expect(page.width == 70)
    let card = try #require(page.cards.first)
    #expect(page.cards.count == 1)
    #expect(card.bundleIdentifier == "com.example.fixture.good")
    #expect(card.name == "Good")
    #expect(card.state == "live")
    #expect(card.rows.contains { $0.contains("All is well") })
  }

  @Test func `stored content has its age, and is stale after a missed update`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    // Nobody looks, so it is updated as often as what is not visible: here each second.
    try world.saveConfiguration(
      """
      {"schedule": {"floorSeconds": 1, "hiddenFloorSeconds": 1, "standardIntervalSeconds": 1}}
      """
    )
    let start = ContinuousClock.now
    #expect(try world.run(["refresh"]).status == .exited(code: 0))
    func card() throws -> Page.Card {
      let run = try world.run(["snapshot", "--cached", "--format", "json"])
      #expect(run.status == .exited(code: 0), "\(run.errorText)")
      return try #require(JSONDecoder().decode(Page.self, from: Data(run.output)).cards.first)
    }
    var ages: [Double] = []
    while start.duration(to: .now) < TestDeadline.duration {
      let card = try card()
      let age = try #require(card.age)
      ages.append(age)
      // Two intervals are two seconds; the age is taken a moment after that was decided.
      if age <= 2 { try #require(!card.stale) }
      if age > 2.5 { try #require(card.stale) }
      #expect(card.rows.contains { $0.contains("updates: 1") })
      if card.stale { break }
    }
    #expect(ages == ages.sorted())
    let oldest = try #require(ages.last)
    #expect(oldest > 2)
    #expect(.seconds(oldest) <= start.duration(to: .now))
    // An update makes it young again.
    let restart = ContinuousClock.now
    #expect(try world.run(["refresh"]).status == .exited(code: 0))
    let age = try #require(card().age)
    #expect(.seconds(age) <= restart.duration(to: .now))
  }

  @Test func `svg is one complete image`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let run = try world.run(["snapshot", "--format", "svg", "--width", "70"])
    #expect(run.status == .exited(code: 0), "\(run.errorText)")
    #expect(run.outputText.hasPrefix("<"))
    #expect(run.outputText.contains("<svg"))
    #expect(run.outputText.hasSuffix("</svg>\n"))
  }

  @Test(arguments: ["text", "ansi", "svg", "json"])
  func `no text of a widget acts on the terminal`(format: String) throws {
    let world = try TestWorld(fixtures: ["Escaping"])
    let run = try world.run(["snapshot", "--format", format, "--width", "80"])
    #expect(run.outputText.contains("harmless"))
    #expect(CursesOutput.strangers(inPicture: run.output) == [])
    #expect(CursesOutput.strangers(inPicture: run.error) == [])
  }

  @Test func `a failed widget is named and the others are printed`() throws {
    let world = try TestWorld(fixtures: ["Crashing", "Good"])
    let run = try world.run(["snapshot"])
    #expect(run.status == .exited(code: 1))
    #expect(run.outputText.contains("All is well"))
    #expect(run.errorText.contains("rashing"))
    #expect(!run.errorText.contains("fixture.good"))
  }

  @Test func `a widget that never answers times out`() throws {
    let world = try TestWorld(fixtures: ["Silent", "Good"])
    let run = try world.run(["snapshot", "--timeout", "1"])
    #expect(run.status == .exited(code: 1))
    #expect(run.outputText.contains("All is well"))
    #expect(run.errorText.contains("ilent"))
    #expect(world.processesLeft() == [])
  }

  @Test func `one widget can be selected by its identifier`() throws {
    let world = try TestWorld(fixtures: ["Crashing", "Good"])
    let run = try world.run(["snapshot", "com.example.fixture.good"])
    #expect(run.status == .exited(code: 0), "\(run.errorText)")
    #expect(run.outputText.contains("All is well"))
    #expect(!run.outputText.contains("seen before"))
  }

  static let mistakes: [(arguments: [String], code: Int32)] = [
    (["snapshot", "--format", "papyrus"], 64),
    (["snapshot", "--width", "wide"], 64),
    (["snapshot", "--no-such-option"], 64),
    (["no-such-command"], 64),
    (["snapshot", "com.example.nobody"], 66),
  ]

  @Test(arguments: mistakes)
  func `each kind of usage error has its exit status`(
    arguments: [String],
    code: Int32
  ) throws {
    let world = try TestWorld(fixtures: ["Good"])
    let run = try world.run(arguments)
    #expect(run.status == .exited(code: code))
    #expect(run.errorText.hasPrefix("today: "))
    #expect(run.output == [])
  }
}
