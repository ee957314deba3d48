import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// Files that actions write and replace, and what takes that back: no content is lost.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct ActFilesTests {
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
  }

  private func text(_ name: String) -> String? {
    try? String(contentsOfFile: "\(world.path)/\(name)", encoding: .utf8)
  }

  /// Runs a command line of a shell in the folder of the world; `$today` is the program.
  @discardableResult
  private func shell(_ line: String) throws -> ProgramRun {
    var environment = world.environment(term: nil)
    environment["today"] = BuiltProgram.path
    return try ProgramRun(
      ProgramDescription("/bin/sh", ["-c", line], environment: environment, directory: world.path)
    )
  }

  // MARK: - Writing

  @Test func `two files of one name are not written into one folder`() throws {
    let run = try shell(
      "mkdir x y out; printf a >x/n; printf b >y/n; printf old >out/n; \"$today\" act --with upper x/n y/n -o out"
    )
    #expect(run.status == .exited(code: 64))
    #expect(run.errorText == "today: x/n and y/n would both be out/n; nothing was written\n")
    #expect(text("out/n") == "old")
  }

  @Test func `the file that an output replaces is kept, and taken back`() throws {
    let run = try shell("printf a >a; printf old >b; \"$today\" act --with upper a -o b")
    #expect(run.status == .exited(code: 0) && text("b") == "A!", "\(run.errorText)")
    // Its content is not what was passed through the action.
    #expect(try shell("\"$today\" act --redo --option 'mark=?'").status == .exited(code: 66))
    let undone = try shell("\"$today\" act --undo")
    #expect(undone.outputText == "put back b\n" && text("b") == "old" && text("a") == "a")
  }

  @Test func `standard input is written to a file, and - is standard output`() throws {
    #expect(try shell("printf a | \"$today\" act --with upper -o out").outputText.isEmpty)
    #expect(text("out") == "A!")
    #expect(try shell("printf b >b; \"$today\" act --with upper b -o -").outputText == "B!")
    #expect(text("-") == nil)
  }

  @Test func `a file that is named twice, or by a link, is replaced once`() throws {
    let run = try shell(
      "printf a >a; ln -s a link; \"$today\" act --with ' upper' -i a ./a link"
    )
    #expect(run.status == .exited(code: 0) && text("a") == "A!", "\(run.errorText)")
    #expect(try shell("\"$today\" act --undo").outputText == "put back a\n")
    #expect(text("a") == "a")
  }

  // MARK: - Taking back

  @Test func `a file that has changed since does not stand in the way of others`() throws {
    try shell(
      """
      for name in a b c; do printf $name >$name; done
      "$today" act --with upper -i c; "$today" act --with upper -i a b; rm b; echo more >>a
      """
    )
    let first = try shell("\"$today\" act --undo")
    #expect(first.status == .exited(code: 77) || first.status == .exited(code: 66))
    #expect(first.errorText.contains("a was changed since, and stays as it is"))
    #expect(first.errorText.contains("b: No such file"))
    let second = try shell("\"$today\" act --undo")
    #expect(second.outputText == "put back c\n" && second.status == .exited(code: 0))
    #expect(text("a") == "A!more\n" && text("b") == nil && text("c") == "c")
    // By its name it is taken back as soon as it is what the command has written.
    let third = try shell("printf 'A!' >a; \"$today\" act --undo a")
    #expect(third.outputText == "put back a\n" && text("a") == "a", "\(third.errorText)")
  }

  @Test func `what was taken back is made again, in the order of the commands`() throws {
    try shell(
      "printf a >a; printf b >b; \"$today\" act --with upper -i b; \"$today\" act --with upper -i a"
    )
    #expect(try shell("\"$today\" act --undo").outputText == "put back a\n")
    let redone = try shell("\"$today\" act --redo --option 'mark=?'")
    #expect(redone.outputText == "changed a\n" && text("a") == "A?" && text("b") == "B!")
    try shell("\"$today\" act --undo; \"$today\" act --undo")
    #expect(text("a") == "a" && text("b") == "b")
    #expect(try shell("\"$today\" act --redo").outputText == "changed b\n")
    #expect(try shell("\"$today\" act --redo").outputText == "changed a\n")
    #expect(text("a") == "A!" && text("b") == "B!")
  }

  @Test func `after another change what was taken back is not made again`() throws {
    try shell("printf a >a; \"$today\" act --with upper -i a; \"$today\" act --undo")
    try shell("printf new >a; \"$today\" act --with upper -i a; \"$today\" act --undo")
    #expect(text("a") == "new")
    #expect(try shell("\"$today\" act --redo").outputText == "changed a\n")
    #expect(text("a") == "NEW!")
  }

  // MARK: - Ends at any point

  /// What is there as soon as a replacement has come to a point, as a condition of a shell.
  private static let killPoints = [
    "[ -e home/started ]", "[ -e state/today/originals/*/0 ]",
    "[ -e state/today/originals/*/changes.json ]", "[ -e box/*.$pid.* ]",
    "[ \"$(head -c 1 box/a)\" = A ]",
  ]

  @Test(arguments: killPoints)
  func `a file is whole at each point at which the command is killed`(point: String) throws {
    let size = 6_000_000
    let (old, new) = (Data(repeating: 0x61, count: size), Data(repeating: 0x41, count: size))
    let file = "\(world.path)/box/a"
    try world.script(
      "large.sh",
      "# today: action accepts=\"public.plain-text\"\ntouch \"$HOME/started\"; tr a-z A-Z"
    )
    try FileManager.default.createDirectory(
      atPath: "\(world.path)/box",
      withIntermediateDirectories: false
    )
    try old.write(to: URL(filePath: file))
    // A killed process has no command line before the shell has waited for it.
    let run = try shell(
      """
      "$today" act --with large --type public.plain-text -i box/a & pid=$!
      until \(point) || [ -z "$(tr -d '\\0' </proc/$pid/cmdline)" ]; do :; done 2>/dev/null
      kill -9 $pid; wait $pid; echo $?
      """
    )
    let content = try Data(contentsOf: URL(filePath: file))
    #expect(content == old || content == new, "\(content.count) bytes; \(run.outputText)")
    if run.outputText == "137\n", point == Self.killPoints[0] { #expect(content == old) }
    // Nothing of it is in the way of the next command.
    let next = try shell("\"$today\" act --with large --type public.plain-text -i box/a")
    #expect(next.status == .exited(code: 0), "\(next.errorText)")
    #expect(try Data(contentsOf: URL(filePath: file)) == new)
    guard content == old else { return }
    #expect(try shell("\"$today\" act --undo").outputText == "put back box/a\n")
    #expect(try Data(contentsOf: URL(filePath: file)) == old)
  }

  // MARK: - Words

  @Test func `a name that is not UTF-8, a folder, and a terminal without positions are named`()
    throws
  {
    let name = "b$(printf '\\377')d"
    let run = try shell("printf a >\"\(name)\"; \"$today\" act --with upper -i \"\(name)\"")
    let words =
      "today: b\\xFFd: the name is not UTF-8; rename the file, or give its content on standard input\n"
    #expect(run.status == .exited(code: 66) && run.errorText == words)
    #expect(try shell("\"$today\" share --with x --yes \"\(name)\"").errorText == words)
    let output = try shell("printf a | \"$today\" act --with upper --output=\"\(name)\"")
    #expect(output.errorText == words && output.outputText == "a")
    #expect(try shell("\"$today\" act --with upper <\"\(name)\"").outputText == "A!")
    for command in ["act --with upper .", "share --with copy --yes ."] {
      let folder = try shell("\"$today\" \(command)")
      #expect(folder.status == .exited(code: 66))
      #expect(folder.errorText == "today: .: it is a folder; expected a file\n")
    }
    for command in ["act", "share"] {
      let dumb = try shell("TERM=dumb \"$today\" \(command) --text a")
      #expect(dumb.status == .exited(code: 69))
      #expect(dumb.errorText.contains("no terminal that can position text (TERM is “dumb”)"))
    }
  }

  // MARK: - Streams and signals

  @Test func `a closed stream is an error, and no other file takes its place`() throws {
    for command in ["act --with upper", "share --with x --yes"] {
      let run = try shell("\"$today\" \(command) <&-")
      #expect(
        run.status == .exited(code: 64) || run.status == .exited(code: 66),
        "\(run.errorText)"
      )
      #expect(!run.errorText.isEmpty)
    }
    let input = try shell("\"$today\" act --with upper <&-")
    #expect(input.errorText == "today: standard input is closed; expected files, or a pipe\n")
    let output = try shell("printf a | \"$today\" act --with upper >&-")
    #expect(output.status == .exited(code: 1))
    #expect(output.errorText.contains("could not write standard output"))
    #expect(try shell("printf a | \"$today\" act --with upper 2>&-").outputText == "A!")
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func `a signal ends it while it reads, and what was read is given back`(number: Int32) throws {
    let run = try shell(
      """
      mkfifo pipe; "$today" act --with upper <pipe >out & pid=$!
      exec 3>pipe; printf part >&3
      while [ "$(ls -l /proc/$pid/fd 2>/dev/null | grep -c deleted)" = 0 ]; do sleep 0.02; done
      until kill -\(number) $pid; do :; done; wait $pid; echo $?
      """
    )
    #expect(run.outputText == "\(128 + number)\n", "\(run.errorText)")
    #expect(["", "part"].contains(text("out")))
  }

  @Test func `a job that cannot come to the foreground draws nothing`() throws {
    var environment = world.environment(term: "xterm-256color")
    environment["today"] = BuiltProgram.path
    let terminal = try PseudoTerminal(
      ProgramDescription(
        "/bin/sh",
        [
          "-c",
          """
          set -m; printf a >a
          ( ( "$today" share a 2>err; echo $? >code ) & ) & wait
          while [ ! -s code ]; do sleep 0.02; done; echo done
          """,
        ],
        environment: environment,
        directory: world.path
      ),
      rows: 24
    )
    try terminal.waitForEnd()
    #expect(text("code") == "69\n")
    #expect(text("err")?.contains("there is no terminal to choose on") == true)
    #expect(
      terminal.screen.rows.filter { !$0.isEmpty && !$0.contains("[") } == ["done"],
      "\(terminal.screen.text)"
    )
  }
}
