import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// Actions as filters of standard input and of files.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct ActTests {
  private let world: TestWorld

  init() throws {
    world = try TestWorld()
    try world.script(
      "upper.sh",
      """
      # today: action accepts="public.plain-text" title="Upper Case"
      # today: option name=mark title=Mark choices="!, ?" default=!
      tr a-z A-Z; printf '%s' "$TODAY_OPTION_MARK"
      """
    )
    try world.script(
      "fail.sh",
      "# today: action accepts=public.plain-text\ncat >/dev/null; echo no >&2; exit 3"
    )
    try world.script("json.sh", "# today: action accepts=public.json\ncat; echo \"$TODAY_TYPE\"")
    try world.script("view.sh", "# today: action accepts=public.data role=viewer\necho seen")
    try world.script("env.sh", "# today: action accepts=public.data\ncat >/dev/null; env")
  }

  private func file(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(world.path)/\(name)"))
  }

  private func text(_ name: String) -> String? {
    try? String(contentsOfFile: "\(world.path)/\(name)", encoding: .utf8)
  }

  /// Runs a command line of a shell in the folder of the world; `$today` is the program.
  private func shell(_ line: String, _ variables: [String: String] = [:]) throws -> ProgramRun {
    var environment = world.environment(term: nil).merging(variables) { $1 }
    environment["today"] = BuiltProgram.path
    return try ProgramRun(
      ProgramDescription("/bin/sh", ["-c", line], environment: environment, directory: world.path)
    )
  }

  // MARK: - Standard input

  @Test func `an action is a filter of standard input`() throws {
    for name in ["upper", "script.upper", "'upper case'", "UPPER"] {
      let run = try shell("printf 'a\\nb' | \"$today\" act --with \(name)")
      #expect(
        run.outputText == "A\nB!" && run.status == .exited(code: 0),
        "\(name): \(run.errorText)"
      )
    }
    #expect(world.processesLeft() == [])
  }

  @Test func `options reach the action, and wrong ones are named`() throws {
    let run = try shell("printf a | \"$today\" act --with upper --option 'mark=?'")
    #expect(run.outputText == "A?")
    let wrong = try shell("printf a | \"$today\" act --with upper --option mark=x")
    #expect(wrong.errorText == "today: --option mark=x: expected !, ?\n")
    let unknown = try shell("printf a | \"$today\" act --with upper --option makr=!")
    #expect(
      unknown.errorText
        == "today: unknown option “makr” of these actions; did you mean “mark”? there are mark\n"
    )
    #expect([wrong, unknown].allSatisfy { $0.status == .exited(code: 64) && $0.outputText == "a" })
  }

  @Test func `several actions are a chain, each of which must accept what the one before returned`()
    throws
  {
    #expect(try shell("printf a | \"$today\" act --with upper,upper").outputText == "A!!")
    let run = try shell("printf 'a' | \"$today\" act --with upper,json")
    #expect(run.status == .exited(code: 65) && run.outputText == "a")
    #expect(
      run.errorText
        == "today: json does not accept public.plain-text: it accepts public.json; this is public.plain-text\n"
    )
  }

  @Test(arguments: [
    ("act --with json", 65),
    ("act --with nothing", 66),
    ("act --wiht upper", 64), ("act", 69), ("act --with upper --in-place", 64),
  ])
  func `when an action fails, the input is printed as it was`(
    arguments: String,
    status: Int32
  ) throws {
    let run = try shell("printf 'keep\\0\\377me' | \"$today\" \(arguments)")
    #expect(run.status == .exited(code: status), "\(run.errorText)")
    #expect(run.output == Array("keep\0".utf8) + [0xFF] + Array("me".utf8))
  }

  @Test func `a failed filter of text says why, and prints nothing where that is wanted`() throws {
    let run = try shell("printf a | \"$today\" act --with fail")
    #expect(run.errorText == "today: fail: no\n" && run.outputText == "a")
    let empty = try shell("printf a | \"$today\" act --with fail --on-failure empty")
    #expect(empty.outputText.isEmpty && empty.status == .exited(code: 1))
  }

  @Test func `a viewer replaces nothing`() throws {
    #expect(try shell("printf a | \"$today\" act --with view").outputText == "a")
  }

  @Test func `an action gets the type and the name, and nothing else of the shell`() throws {
    try file("a.json", "{}")
    let run = try shell(
      "\"$today\" act --with env a.json",
      ["SECRET": "x", "TODAY_OPTION_MARK": "y"]
    )
    let lines = run.outputText.split(separator: "\n")
    #expect(lines.contains("TODAY_TYPE=public.json") && lines.contains("TODAY_NAME=a.json"))
    #expect(!lines.contains { $0.hasPrefix("SECRET=") || $0.hasPrefix("TODAY_OPTION_") })
  }

  @Test func `more input than allowed is passed through whole`() throws {
    try file("config/today/config.json", "{\"limits\": {\"requestBytes\": 4096}}")
    let run = try shell("seq 100000 | \"$today\" act --with upper | cksum; seq 100000 | cksum")
    let sums = run.outputText.split(separator: "\n")
    #expect(sums.count == 2 && sums[0] == sums[1])
    #expect(run.errorText == "today: the input is larger than limits.requestBytes, 4096 bytes\n")
  }

  @Test func `an empty input is content too`() throws {
    #expect(try shell(": | \"$today\" act --with upper").outputText == "!")
  }

  @Test func `a selection that vim filters is replaced, and kept where the action fails`() throws {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/vim") else { return }
    try file("notes", "a\nb\nc\n")
    let vim = "vim -u NONE -es -c 'set shellredir=>' -c"
    _ = try shell("\(vim) '2!\"$today\" act --with upper' -c wq notes </dev/null")
    #expect(text("notes") == "a\nB\n!\nc\n")
    _ = try shell("\(vim) '1,2!\"$today\" act --with fail' -c wq notes </dev/null")
    #expect(text("notes") == "a\nB\n!\nc\n")
  }

  // MARK: - Files

  @Test func `files are printed, written to a file, or into a folder`() throws {
    try file("a", "a")
    try file("b", "b")
    #expect(try shell("\"$today\" act --with upper a b").outputText == "A!B!")
    #expect(try shell("\"$today\" act --with upper a -o c").status == .exited(code: 0))
    #expect(text("c") == "A!")
    #expect(
      try shell("mkdir d; \"$today\" act --with upper a b --output d").status == .exited(code: 0)
    )
    #expect(text("d/a") == "A!" && text("d/b") == "B!" && text("a") == "a")
    let several = try shell("\"$today\" act --with upper a b -o e")
    #expect(several.status == .exited(code: 66) && text("e") == nil)
    #expect(try shell("\"$today\" act --with upper nothing").status == .exited(code: 66))
  }

  @Test func `a file is replaced with its mode and its link, and taken back`() throws {
    try file("a", "a")
    _ = try shell("chmod 640 a; ln -s a link")
    let run = try shell("\"$today\" act --with upper -i link && stat -c %a a && readlink link")
    #expect(run.outputText == "640\na\n", "\(run.errorText)")
    #expect(text("a") == "A!")
    #expect(try shell("\"$today\" act --undo").status == .exited(code: 0))
    #expect(text("a") == "a")
    #expect(try shell("stat -c %a a").outputText == "640\n")
    let again = try shell("\"$today\" act --undo")
    #expect(
      again.status == .exited(code: 66)
        && again.errorText == "today: no replacement of any file is kept\n"
    )
  }

  @Test func `a failed action leaves all files as they were`() throws {
    try file("a", "a")
    try file("b", "{}")
    let run = try shell("\"$today\" act --with upper,json --in-place a b")
    #expect(run.status == .exited(code: 65) && run.outputText.isEmpty)
    #expect(text("a") == "a" && text("b") == "{}")
    #expect(try shell("\"$today\" act --undo").status == .exited(code: 66))
  }

  @Test func `a read-only file, and one with several names, is not replaced`() throws {
    try file("a", "a")
    try file("b", "b")
    _ = try shell("chmod 444 a; ln b c; mkfifo d")
    for (name, words) in [
      ("a", "it is read-only"), ("b", "it has 2 names, of which only one would be changed"),
      ("d", "it is a pipe, which cannot be replaced"),
    ] {
      let run = try shell("\"$today\" act --with upper -i \(name)")
      #expect(run.status == .exited(code: 77))
      #expect(run.errorText == "today: \(name): \(words); write to another file with --output\n")
    }
    #expect(text("a") == "a" && text("b") == "b")
  }

  @Test func `what was changed since is not taken back`() throws {
    try file("a", "a")
    _ = try shell("\"$today\" act --with upper -i a; echo more >> a")
    let run = try shell("\"$today\" act --undo a")
    #expect(run.status == .exited(code: 77) && text("a") == "A!more\n")
    #expect(run.errorText.hasSuffix("was changed since, and stays as it is\n"))
  }

  @Test func `the last change of a named file is taken back, and the others stay`() throws {
    for name in ["a", "b"] { try file(name, name) }
    _ = try shell("\"$today\" act --with upper -i a b; \"$today\" act --with upper -i b")
    #expect(text("a") == "A!" && text("b") == "B!!")
    _ = try shell("\"$today\" act --undo a")
    #expect(text("a") == "a" && text("b") == "B!!")
    _ = try shell("\"$today\" act --undo; \"$today\" act --undo b")
    #expect(text("b") == "b")
  }

  @Test func `the same action is made again on the original with other options`() throws {
    try file("a", "a")
    _ = try shell("\"$today\" act --with upper -i a")
    let run = try shell("\"$today\" act --redo --option 'mark=?'")
    #expect(run.status == .exited(code: 0) && text("a") == "A?", "\(run.errorText)")
    _ = try shell("\"$today\" act --undo")
    #expect(text("a") == "a")
  }

  // MARK: - Cancelling

  @Test func `an action that is interrupted gives the input back`() throws {
    try world.script("slow.sh", "# today: action accepts=public.data\ntouch begun; sleep 1000")
    let run = try shell(
      """
      printf keep | { exec 3<&0; "$today" act --with slow <&3 & pid=$!; while [ ! -e config/today/scripts/begun ]; do sleep 0.05; done
      kill -INT $pid; wait $pid; echo " $?"; }
      """
    )
    #expect(run.outputText == "keep 130\n", "\(run.errorText)")
    #expect(world.processesLeft() == [])
  }

  // MARK: - Listing

  @Test func `extensions are listed for content, with the reason for the others`() throws {
    try file("a.json", "{}")
    let run = try shell("\"$today\" extensions a.json --why")
    #expect(run.status == .exited(code: 0) && run.errorText.isEmpty, "\(run.errorText)")
    #expect(run.outputText.contains("filter  json  "))
    #expect(run.outputText.contains("  script.json\n"))
    let piped = try shell("printf hello | \"$today\" extensions - --json")
    #expect(piped.outputText.contains("\"identifier\" : \"script.upper\""))
    #expect(!piped.outputText.contains("script.json"))
    let missing = try shell("\"$today\" extensions nothing")
    #expect(missing.status == .exited(code: 66))
    #expect(try shell("\"$today\" list").outputText.contains("script.upper") == false)
  }

  @Test func `extensions without cards are listed with their point and their path`() throws {
    try world.script("keep.sh", "# today: share accepts=public.text title=\"Keep It\"\ncat")
    let run = try shell("\"$today\" list --extensions")
    #expect(run.status == .exited(code: 0) && run.errorText.isEmpty, "\(run.errorText)")
    let scripts = "\(world.path)/config/today/scripts"
    let lines = run.outputText.split(separator: "\n")
    let fields = lines.map { line in
      // Between columns there are two spaces or more.
      line.split(separator: "  ").map { String($0.trimmingPrefix(" ")) }
    }
    #expect(
      fields.contains([
        "script.keep", "com.apple.share-services", "Keep It", "\(scripts)/keep.sh",
      ])
    )
    #expect(
      fields.contains(["script.upper", "com.apple.services", "Upper Case", "\(scripts)/upper.sh"])
    )
    #expect(fields.contains { $0.first == "script.copy" })
    // As columns.
    let places = lines.map { line in
      line.firstRange(of: "com.apple.").map { line[..<$0.lowerBound].count }
    }
    #expect(Set(places).count == 1)
    struct Row: Decodable, Equatable { var identifier, name, point, path: String }
    let json = try shell("\"$today\" list --extensions --json")
    let rows = try JSONDecoder().decode([Row].self, from: Data(json.output))
    #expect(rows.map(\.identifier) == fields.map { $0[0] })
    #expect(
      rows.contains(
        Row(
          identifier: "script.keep",
          name: "Keep It",
          point: "com.apple.share-services",
          path: "\(scripts)/keep.sh"
        )
      )
    )
  }

  @Test func `content that nobody accepts has a status of its own`() throws {
    _ = try shell("rm config/today/scripts/env.sh config/today/scripts/view.sh")
    try world.replaceBundledExtensions()
    let run = try shell("printf '\\0' | \"$today\" extensions -")
    #expect(run.status == .exited(code: 65) && run.outputText.isEmpty)
  }
}
