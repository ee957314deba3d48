import FoundationEssentials
import Testing
import WidgetTestSupport

/// What commands say of names that nothing has: the one that was probably meant.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct NearNamesTests {
  private func expect(
    _ world: TestWorld,
    _ arguments: [String],
    _ code: Int32,
    says words: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let run = try world.run(arguments)
    #expect(run.status == .exited(code: code), sourceLocation: sourceLocation)
    #expect(run.outputText == "", sourceLocation: sourceLocation)
    #expect(run.errorText.contains(words), "\(run.errorText)", sourceLocation: sourceLocation)
  }

  @Test func `of commands the nearest is named, also in length`() throws {
    let world = try TestWorld()
    let commands = [
      ("snapsho", "snapshot"), ("lis", "list"), ("lnt", "lint"), ("uninstal", "uninstall"),
      ("unin", "uninstall"), ("inst", "install"), ("set", "settings"), ("schedules", "schedule"),
      ("DOCTOR", "doctor"),
    ]
    for (typed, meant) in commands {
      try expect(world, [typed], 64, says: "unknown command “\(typed)”; did you mean “\(meant)”?")
    }
    for typed in ["version", "Version", "versio"] {
      try expect(world, [typed], 64, says: "“\(typed)”; did you mean “--version”?")
      try expect(world, ["help", typed], 64, says: "“\(typed)”; did you mean “--version”?")
    }
    try expect(world, ["locked"], 64, says: "did you mean “--locked”?")
    try expect(world, ["hlep"], 64, says: "did you mean “help”?")
    let run = try world.run(["zzzzzz"])
    #expect(run.status == .exited(code: 64) && !run.errorText.contains("did you mean"))
    #expect(run.errorText.contains("“today help” lists all commands"))
  }

  @Test func `of options the nearest of the command is named, also in length`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let options = [
      ("snapshot", "--formt", "--format"), ("snapshot", "--wid", "--width"),
      ("snapshot", "--pag", "--page"), ("snapshot", "--paeg", "--page"),
      ("list", "--jsno", "--json"), ("new", "--pack", "--package"), ("snapshot", "--alll", "--all"),
      ("add", "--pages", "--page"),
    ]
    for (command, typed, meant) in options {
      let words = "unknown option “\(typed)” for \(command); did you mean “\(meant)”?"
      try expect(world, [command, typed], 64, says: words)
    }
    // Another command has it.
    let run = try world.run(["list", "--span"])
    #expect(run.status == .exited(code: 64) && !run.errorText.contains("did you mean"))
  }

  @Test func `an option of the page is named though what follows it is no command`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let lines: [(arguments: [String], typed: String, meant: String)] = [
      (["--heigth", "3"], "--heigth", "--height"),
      (["--hight", "50%", "Good"], "--hight", "--height"),
      (["--heigth=3", "Good"], "--heigth", "--height"),
      (["--poppup", "Good"], "--poppup", "--popup"),
      (["--widget", "/tmp"], "--widget", "--widgets"),
      (["--lokced", "Good"], "--lokced", "--locked"),
    ]
    for (arguments, typed, meant) in lines {
      let words = "unknown option “\(typed)” for today; did you mean “\(meant)”?"
      try expect(world, arguments, 64, says: words)
    }
    try expect(world, ["--locked", "snapsho"], 64, says: "did you mean “snapshot”?")
  }

  @Test func `of widgets the nearest is named, also in length`() throws {
    let world = try TestWorld(fixtures: ["Good", "Counting", "Private"])
    let scripts = "\(world.path)/config/today/scripts"
    let files = FileManager.default
    try files.createDirectory(atPath: scripts, withIntermediateDirectories: true)
    for name in ["paper-white", "paper", "papers"] {
      try world.write("#!/bin/sh\necho \(name)\n", to: "\(scripts)/\(name).5m.sh")
      try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(scripts)/\(name).5m.sh")
    }
    try world.install()
    let widgets = [
      ("Goo", "Good"), ("countin", "Counting"), ("privaet", "Private"), ("pap", "paper"),
      ("paper-w", "papers"), ("paper-whit", "paper-white"),
      ("com.example.fixture.god", "com.example.fixture.good"),
    ]
    for (typed, meant) in widgets {
      let words = "no widget “\(typed)”; did you mean “\(meant)”?"
      let run = try world.installed(["snapshot", typed])
      #expect(run.status == .exited(code: 66) && run.errorText.contains(words), "\(run.errorText)")
    }
    let run = try world.installed(["snapshot", "Unheard-of"])
    #expect(run.status == .exited(code: 66) && !run.errorText.contains("did you mean"))
    #expect(run.errorText.contains("“today list” lists the installed widgets"))
  }
}
