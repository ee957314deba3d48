import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// Sharing content through scripts, without a terminal.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct ShareTests {
  private let world: TestWorld

  init() throws {
    world = try TestWorld()
    try world.script(
      "keep.sh",
      """
      # today: share accepts="public.plain-text, public.url" title="Keep It" leaves=false
      # today: option name=mark title=Mark choices="!, ?" default=!
      # today: option name=text title=Comment
      printf '%s%s %s %s\\n' "$(cat)" "$TODAY_OPTION_MARK" "$TODAY_TYPE" "$TODAY_OPTION_TEXT"
      """
    )
    try world.script("paste.sh", "# today: share accepts=public.text\necho https://paste.test/1")
    try world.script(
      "fail.sh",
      "# today: share accepts=public.text leaves=false\necho no >&2; exit 3"
    )
    try world.script("upper.sh", "# today: action accepts=public.text\ntr a-z A-Z")
  }

  private func file(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(world.path)/\(name)"))
  }

  /// Runs a command line of a shell in the folder of the world; `$today` is the program.
  private func shell(_ line: String) throws -> ProgramRun {
    var environment = world.environment(term: nil)
    environment["today"] = BuiltProgram.path
    return try ProgramRun(
      ProgramDescription("/bin/sh", ["-c", line], environment: environment, directory: world.path)
    )
  }

  @Test func `what an extension returns is printed, and nothing else`() throws {
    for name in ["keep", "script.keep", "'keep it'", "KEEP"] {
      let run = try shell("printf a | \"$today\" share --with \(name) --yes")
      #expect(run.outputText == "a! public.plain-text \n" && run.errorText.isEmpty, "\(name)")
      #expect(run.status == .exited(code: 0))
    }
    #expect(world.processesLeft() == [])
  }

  @Test func `a text that is one web address is a URL first of all`() throws {
    let run = try shell("\"$today\" share --text https://a.test/x --with keep --yes")
    #expect(run.outputText == "https://a.test/x! public.url \n")
  }

  @Test func `files are given one after another, with options and a comment`() throws {
    try file("a.txt", "1")
    try file("b.txt", "2")
    let run = try shell(
      "\"$today\" share a.txt b.txt --with keep --yes --option 'mark=?' --text seen --json"
    )
    #expect(run.outputText.contains(#""1? public.plain-text seen\n""#), "\(run.errorText)")
    #expect(run.outputText.contains(#""2? public.plain-text seen\n""#))
    #expect(run.outputText.contains(#""identifier" : "script.keep""#))
  }

  @Test func `what may leave the machine needs its sheet before the first use with --yes`() throws {
    let run = try shell("printf a | \"$today\" share --with paste --yes")
    #expect(run.status == .exited(code: 77) && run.outputText.isEmpty)
    #expect(
      run.errorText
        == "today: paste may send content to other machines; use it once without --yes, and look at what is sent\n"
    )
  }

  @Test(arguments: [
    ("share --with fail --yes", 1, "fail: no"), ("share --yes", 64, "--yes needs --with"),
    ("share - - --with keep", 64, "standard input is given twice"),
    ("share --with upper --yes", 64, "script.upper is an action"),
    ("share --with keep --yes --title x", 64, "unknown option “title” of this extension"),
    ("share --with keep --yes data.bin", 65, "Keep It does not accept public.data"),
    ("share --with nothing --yes", 66, "no share or action extension “nothing”"),
    ("share --with keep --yes missing.txt", 66, "missing.txt: No such file"),
    ("share --with keep", 69, "use --yes"),
  ])
  func `what is wrong is said, with an exit status for scripts`(
    arguments: String,
    status: Int32,
    words: String
  ) throws {
    try file("data.bin", "a\0b")
    let run = try shell("printf '\\1a' | \"$today\" \(arguments)")
    #expect(run.status == .exited(code: status), "\(run.errorText)")
    #expect(run.errorText.contains(words), "\(run.errorText)")
    #expect(run.outputText.isEmpty)
  }

  @Test func `uses are noted in a file of the user alone`() throws {
    _ = try shell("printf a | \"$today\" share --with keep --yes")
    let path = "\(world.path)/state/today/extension-uses.json"
    var status = stat()
    #expect(unsafe stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains(#""script.keep""#))
  }
}
