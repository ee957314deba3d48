import FoundationEssentials
import Testing
import WidgetTestSupport

/// `today new`: what it makes can be tested and shown as it is.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct NewCommandTests {
  private func today(_ arguments: String..., in world: TestWorld) throws -> ProgramRun {
    try today(arguments, in: world)
  }

  private func today(_ arguments: [String], in world: TestWorld) throws -> ProgramRun {
    try ProgramRun(
      ProgramDescription(
        BuiltProgram.path ?? "/nowhere/today",
        arguments,
        environment: world.environment(term: nil),
        directory: world.path
      )
    )
  }

  @Test(arguments: [("python", "Cups.widget"), ("sh", "Cups.widget"), ("script", "cups.1m.sh")])
  func `a new widget passes its test untouched`(language: String, made: String) throws {
    let world = try TestWorld()
    let new = try today("new", "Cups", "--language", language, in: world)
    #expect(new.status == .exited(code: 0), "\(new.errorText)")
    #expect(new.outputText.contains(made))
    let lint = try today("lint", made, in: world)
    #expect(lint.status == .exited(code: 0), "\(lint.outputText)")
    let test = try today("test", made, in: world)
    #expect(test.status == .exited(code: 0), "\(test.outputText)")
    for text in [lint.outputText, lint.errorText, test.outputText, test.errorText] {
      #expect(!text.contains("warning:"), "\(text)")
    }
    // The scenario is one of the checks.
    #expect(test.outputText.contains(language == "script" ? "cups.tests/" : "Tests/counts.json: "))
    let snapshot = try today("snapshot", "--bundle", made, in: world)
    #expect(snapshot.outputText.contains(language == "script" ? "%  /" : "0 of 6 cups"))
  }

  @Test(arguments: [
    ("share", "python", "Tests/appends.json"), ("share", "sh", "Tests/appends.json"),
    ("share", "script", "probe.tests/appends.json"),
    ("filter", "python", "Tests/margin.json"), ("filter", "sh", "Tests/margin.json"),
    ("filter", "script", "probe.tests/wraps.json"),
    ("action", "python", "Tests/sorts.json"), ("action", "sh", "Tests/sorts.json"),
  ])
  func `a new extension for content passes its test untouched`(
    kind: String,
    language: String,
    scenario: String
  ) throws {
    let world = try TestWorld()
    let new = try today("new", "Probe", "--kind", kind, "--language", language, in: world)
    #expect(new.status == .exited(code: 0), "\(new.errorText)")
    let made = language == "script" ? "probe.sh" : "Probe.appex"
    let lint = try today("lint", "--static", made, in: world)
    #expect(lint.status == .exited(code: 0))
    #expect(lint.outputText == "nothing found\n", "\(lint.errorText)")
    let test = try today("test", made, in: world)
    #expect(test.status == .exited(code: 0), "\(test.outputText)\(test.errorText)")
    // The scenario is one of the checks.
    #expect(test.outputText.contains(" - \(scenario): "), "\(test.outputText)")
  }

  @Test func `a new filter without a language is a script, and works where scripts are`() throws {
    let world = try TestWorld()
    let new = try today("new", "Wrap", "--kind", "filter", in: world)
    #expect(new.status == .exited(code: 0), "\(new.errorText)")
    #expect(new.outputText == "wrap.sh\nwrap.tests\n")
    let scripts = "\(world.path)/config/today/scripts"
    let files = FileManager.default
    try files.createDirectory(atPath: scripts, withIntermediateDirectories: true)
    try files.moveItem(atPath: "\(world.path)/wrap.sh", toPath: "\(scripts)/wrap.sh")
    let text = "\(world.path)/words.txt"
    try Data("\(String(repeating: "word ", count: 20))\n".utf8).write(to: URL(filePath: text))
    let act = try today("act", text, "--with", "wrap", "--option", "width=40", in: world)
    #expect(act.status == .exited(code: 0), "\(act.errorText)")
    #expect(act.outputText.split(separator: "\n").allSatisfy { $0.count <= 40 })
    #expect(act.outputText.split(separator: " ").count >= 20)
  }

  @Test func `without a language a share extension is a script, and an action in Python`() throws {
    let world = try TestWorld()
    let keep = try today("new", "Keep", "--kind", "share", in: world)
    #expect(keep.outputText == "keep.sh\nkeep.tests\n")
    #expect(try today("new", "Show", "--kind", "action", in: world).outputText == "Show.appex\n")
    let files = try FileManager.default.contentsOfDirectory(atPath: "\(world.path)/Show.appex")
    #expect(files.contains("todaykit.py"))
  }

  @Test func `the help has the kinds by their languages, and what is not there is refused`() throws
  {
    let world = try TestWorld()
    let help = try today("new", "--help", in: world)
    #expect(
      help.outputText.contains(
        """
          kind    swift  python   sh   script
          widget  yes    yes      yes  yes
          share   yes    yes      yes  default
          action  yes    default  yes  –
          filter  yes    yes      yes  default
        """
      )
    )
    let refused = try today("new", "Show", "--kind", "action", "--language", "script", in: world)
    #expect(refused.status == .exited(code: 64))
    #expect(
      refused.errorText.contains(
        "a script cannot have a view; --kind action exists for swift, python and sh; see “today help new”"
      )
    )
    #expect(try today("new", "Cups", in: world).status == .exited(code: 64))
  }

  @Test(arguments: ["python", "sh"])
  func `a new share extension and a new filter in a bundle work untouched`(language: String) throws
  {
    let world = try TestWorld()
    for kind in ["share", "filter"] {
      let name = kind == "share" ? "Shelf" : "Margin"
      let new = try today("new", name, "--kind", kind, "--language", language, in: world)
      #expect(new.outputText == "\(name).appex\n", "\(new.errorText)")
      let lint = try today("lint", "--static", "\(name).appex", in: world)
      #expect(
        lint.status == .exited(code: 0) && !lint.outputText.contains("warning:"),
        "\(lint.outputText)"
      )
    }
    try expectMargin(by: "Margin.appex", in: world)
    try expectKeeping(by: "Shelf.appex", in: world)
  }

  /// Passes lines through a filter that puts a margin before them.
  private func expectMargin(by bundle: String, in world: TestWorld) throws {
    let file = "\(world.path)/words.txt"
    try world.write("one\ntwo\n", to: file)
    let act = try today("--widgets", bundle, "act", "--with", "margin", file, in: world)
    #expect(act.outputText == "> one\n> two\n", "\(act.errorText)")
  }

  /// Gives lines to a share extension that keeps them in a file.
  private func expectKeeping(by bundle: String, in world: TestWorld) throws {
    let file = "\(world.path)/words.txt"
    try world.write("one\ntwo\n", to: file)
    let share = try today(
      "--widgets",
      bundle,
      "share",
      "--with",
      "shelf",
      "--yes",
      "--option",
      "file=kept.txt",
      file,
      in: world
    )
    #expect(share.outputText.contains("/kept.txt"), "\(share.errorText)")
    let kept = try ProgramRun(
      ProgramDescription(
        "/bin/sh",
        ["-c", "find . -name kept.txt -exec cat {} +"],
        environment: world.environment(term: nil),
        directory: world.path
      )
    )
    #expect(kept.outputText.contains("one\ntwo\n"))
  }

  /// Passes lines through an action that sorts them, by its toggle and its button.
  private func expectSorting(by bundle: String, in world: TestWorld) throws {
    let name = URL(filePath: bundle).deletingPathExtension().lastPathComponent.lowercased()
    try world.write("b\nA\na\nC\n", to: "\(world.path)/lines.txt")
    let terminal = try PseudoTerminal(
      ProgramDescription(
        BuiltProgram.path ?? "/nowhere/today",
        [
          "--widgets", bundle, "act", "--with", name, "--option", "rows=3", "-o", "sorted.txt",
          "lines.txt",
        ],
        environment: world.environment(term: "xterm-256color"),
        directory: world.path
      )
    )
    try terminal.waitForText("… 1 more")
    try terminal.click("Ignore case")
    try terminal.waitForText("☑ Ignore case")
    try terminal.click("[ Sort ]")
    try terminal.waitForEnd()
    #expect(terminal.status == .exited(code: 0), "\(terminal.screen.text)")
    let sorted = try String(contentsOfFile: "\(world.path)/sorted.txt", encoding: .utf8)
    #expect(sorted == "A\na\nb\nC\n")
  }

  @Test(arguments: ["python", "sh"])
  func `a new action shows the content, and returns it by its button`(language: String) throws {
    let world = try TestWorld()
    let new = try today("new", "Lines", "--kind", "action", "--language", language, in: world)
    #expect(new.outputText == "Lines.appex\n", "\(new.errorText)")
    let lint = try today("lint", "--static", "Lines.appex", in: world)
    #expect(lint.outputText == "nothing found\n")
    try expectSorting(by: "Lines.appex", in: world)
  }

  /// Runs the script of a new package.
  private func build(_ package: String, in world: TestWorld) throws {
    let environment = ProcessInfo.processInfo.environment
    let build = try ProgramRun(
      ProgramDescription(
        "\(world.path)/\(package)/build",
        ["debug"],
        environment: world.environment(term: nil).merging(
          // The toolchain, wherever it is, and a cache that other builds share.
          environment.filter { ["PATH", "HOME"].contains($0.key) },
          uniquingKeysWith: { $1 }
        )
        // The library is built once for all packages of a test.
        .merging(["SWIFTPM_BUILD_DIR": "\(world.path)/build"]) { $1 },
        directory: world.path
      ),
      patience: 20
    )
    #expect(build.status == .exited(code: 0), "\(build.outputText)\(build.errorText)")
  }

  @Test func `new packages in Swift of each kind are built into bundles, and work untouched`()
    throws
  {
    // The library is built once, which takes longest.
    let world = try TestWorld()
    for (kind, name) in [("filter", "Margin"), ("share", "Shelf"), ("action", "Lines")] {
      let new = try today("new", name, "--kind", kind, "--language", "swift", in: world)
      #expect(new.outputText == "\(name)\n", "\(new.errorText)")
      try build(name, in: world)
      let lint = try today("lint", "\(name)/\(name).appex", in: world)
      #expect(lint.outputText == "nothing found\n")
    }
    try expectMargin(by: "Margin/Margin.appex", in: world)
    try expectKeeping(by: "Shelf/Shelf.appex", in: world)
    try expectSorting(by: "Lines/Lines.appex", in: world)
    try expectWidget(in: world)
  }

  /// Makes and builds a widget in Swift, and runs its scenarios.
  private func expectWidget(in world: TestWorld) throws {
    let words = ["new", "Cups", "--language", "swift", "--identifier", "org.test.Cups"]
    let new = try today(words, in: world)
    #expect(new.status == .exited(code: 0), "\(new.errorText)")
    try build("Cups", in: world)
    let test = try today("test", "Cups/Cups.widget", in: world)
    #expect(test.status == .exited(code: 0), "\(test.outputText)")
    #expect(test.outputText.contains("# org.test.Cups at "))
    #expect(!test.outputText.contains("warning:"), "\(test.outputText)")
    let lint = try today("lint", "Cups/Cups.widget", in: world)
    #expect(lint.outputText == "nothing found\n")
    #expect(test.outputText.contains("Tests/counts.json: "))
  }

  @Test func `a new package in Swift finds the library in a repository, at a branch or a tag`()
    throws
  {
    let world = try TestWorld()
    var environment = world.environment(term: nil)
    environment["PATH"] = ProcessInfo.processInfo.environment["PATH"]
    func run(_ command: String) throws {
      let run = try ProgramRun(
        ProgramDescription(
          "/bin/sh",
          ["-ec", command],
          environment: environment,
          directory: world.path
        ),
        patience: 4
      )
      try #require(run.status == .exited(code: 0), "\(command)\n\(run.outputText)\(run.errorText)")
    }
    // As small as a library can be, with the products of the real one.
    try run(
      """
      mkdir -p source/Sources/WidgetKitCore source/Sources/WidgetTesting
      cd source
      touch Sources/WidgetKitCore/Core.swift Sources/WidgetTesting/Testing.swift
      cat >Package.swift <<'END'
      // swift-tools-version: 6.2
      import PackageDescription
      let names = ["WidgetKitCore", "WidgetTesting"]
      let package = Package(
        name: "today",
        products: names.map { .library(name: $0, targets: [$0]) },
        targets: names.map { .target(name: $0) }
      )
      END
      git init --quiet --initial-branch=main .
      git add .
      git -c user.name=Test -c user.email=test@example.com commit --quiet -m 'Begin'
      git tag 0.9.1
      git branch next
      cd ..
      git clone --quiet --bare source today.git
      """
    )
    for (index, revision) in ["", "#0.9.1", "#v0.9.1", "#next"].enumerated() {
      let name = "Cups\(index)"
      let url = "file://\(world.path)/today.git\(revision)"
      let new = try today("new", name, "--language", "swift", "--package", url, in: world)
      #expect(new.status == .exited(code: 0), "\(new.errorText)")
      try run("cd \(name); swift package resolve; swift package show-dependencies | grep today.git")
    }
    let path = try today("new", "Cups", "--language", "swift", "--package", "source", in: world)
    #expect(path.status == .exited(code: 0), "\(path.errorText)")
    try run("cd Cups; swift package show-dependencies | grep \(world.path)/source")
  }

  @Test func `the script for continuous integration annotates, reports and makes pictures`() throws
  {
    let world = try TestWorld()
    _ = try today("new", "Cups", "--language", "python", in: world)
    let program = BuiltProgram.path ?? "/nowhere/today"
    let prefix = URL(filePath: program).deletingLastPathComponent().deletingLastPathComponent().path
    func check(_ arguments: String...) throws -> ProgramRun {
      try ProgramRun(
        ProgramDescription(
          "\(prefix)/share/today/check-widget",
          arguments,
          environment: world.environment(term: nil).merging(
            ["TODAY": program, "GITHUB_ACTIONS": "true"],
            uniquingKeysWith: { $1 }
          ),
          directory: world.path
        )
      )
    }
    let sound = try check("--reports", "out", "--pictures", "out", "Cups.widget")
    #expect(sound.status == .exited(code: 0), "\(sound.outputText)\(sound.errorText)")
    #expect(sound.outputText.contains("::notice file=Cups.widget/Info.plist,line=5,col=3,title="))
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(world.path)/out").sorted()
    #expect(names == ["Cups-dark.svg", "Cups-light.svg", "lint.sarif", "test.xml"])
    let scenario = "\(world.path)/Cups.widget/Tests/counts.json"
    let text = try String(contentsOf: URL(filePath: scenario), encoding: .utf8)
    try world.write(text.replacing("2 of 4", with: "3 of 4"), to: scenario)
    let failed = try check("Cups.widget")
    #expect(failed.status == .exited(code: 1))
    let place = "::error file=Cups.widget/Tests/counts.json,line=9,col=5,"
    #expect(failed.outputText.contains("\(place)title=com.example.Cups%3A Tests/counts.json%3A"))
    #expect(try check("--colour").status == .exited(code: 64))
  }

  @Test func `nothing is overwritten, and what is wrong is named`() throws {
    let world = try TestWorld()
    try world.write("mine", to: "\(world.path)/cups.tests")
    let taken = try today("new", "Cups", "--language", "script", in: world)
    #expect(taken.status == .exited(code: 1))
    #expect(taken.errorText.contains("cups.tests exists already"))
    // All of it, or nothing.
    let names = try FileManager.default.contentsOfDirectory(atPath: world.path)
    #expect(!names.contains { $0.hasPrefix("cups.1m") || $0.hasSuffix(".new") })
    for (arguments, words) in [
      (["new", "../Cups", "--language", "sh"], "expected a name of a letter"),
      (["new", "Cups"], "expected --language swift, python, sh or script"),
      (["new", "Cups", "--language", "perl"], "expected one of swift, python, sh, script"),
      (["new", "Cups", "--language", "sh", "--identifier", "cups"], "reverse-DNS order"),
      (["new", "Cups", "--language", "swift", "--package", "/nowhere"], "no such folder"),
      (["new", "Cups", "--language", "swift", "--package", "/"], "no Package.swift"),
      (["new", "Cups", "--language", "swift", "--package", "https://"], "URL of a repository"),
      (["new", "--language", "sh"], "expected a name"),
    ] {
      let run = try ProgramRun(
        ProgramDescription(
          BuiltProgram.path ?? "/nowhere/today",
          arguments,
          environment: world.environment(term: nil),
          directory: world.path
        )
      )
      #expect(run.status != .exited(code: 0))
      #expect(run.errorText.contains(words), "\(arguments): \(run.errorText)")
    }
  }
}
