import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// `today post`, `notices`, `quiet` and `line` in the real program.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct NoticeTests {
  private func output(_ world: TestWorld, _ arguments: [String]) throws -> String {
    let run = try world.run(arguments)
    #expect(run.status == .exited(code: 0), "\(arguments): \(run.errorText)")
    return run.outputText
  }

  /// Runs a line of `sh` in which `today` is the program.
  private func shell(_ world: TestWorld, _ line: String) throws -> ProgramRun {
    let program = world.today(term: nil)
    return try ProgramRun(
      ProgramDescription(
        "/bin/bash",
        ["-c", "today() { '\(program.path)' \"$@\"; }; \(line)"],
        environment: program.environment,
        directory: world.path
      )
    )
  }

  @Test func `a notice is posted, listed, dismissed, and listed among the earlier ones`() throws {
    let world = try TestWorld()
    #expect(try output(world, ["post", "Backup ended", "12 GB", "--app", "backup"]) == "1\n")
    let odd = "Disk\u{1B}]0;x\u{7} full"
    #expect(try output(world, ["post", odd, "--urgency", "critical"]) == "2\n")
    let list = try output(world, ["notices"])
    #expect(list.contains("backup\n  a  now         Backup ended\n                 12 GB\n"))
    #expect(list.contains("! b  now") && !list.contains("\u{1B}"))
    #expect(try output(world, ["notices", "dismiss", "a"]) == "")
    #expect(try output(world, ["notices", "--waiting", "--app", "backup"]) == "no notices\n")
    let earlier = "Earlier\n  1  now         backup: Backup ended"
    #expect(try output(world, ["notices"]).contains(earlier))
    _ = try output(world, ["notices", "dismiss", "--all"])
    #expect(try output(world, ["notices", "--waiting"]) == "no notices\n")
  }

  @Test func `applications are chosen by patterns`() throws {
    let world = try TestWorld()
    for name in ["mail-work", "Mail-home", "make"] {
      _ = try output(world, ["post", "new", "--app", name])
    }
    let list = try output(world, ["notices", "--app", "mail*"])
    #expect(list.contains("mail-work") && list.contains("Mail-home") && !list.contains("make"))
    #expect(try output(world, ["notices", "--app", "?ake", "--app", "nobody"]).contains("make\n"))
    #expect(try output(world, ["notices", "--app", "x*"]) == "no notices\n")
    _ = try output(world, ["notices", "dismiss", "--all", "--app", "MAIL*"])
    let left = try output(world, ["notices", "--waiting", "--json"])
    #expect(left.ranges(of: "\"id\":").count == 1 && left.contains("make"))
  }

  @Test func `who follows in words gets new ones below those before, in one form`() throws {
    let world = try TestWorld()
    let run = try shell(
      world,
      """
      today post first --app a >/dev/null; today post gone --app a >/dev/null; today notices dismiss 2
      mkfifo lines; today notices --follow > lines & pid=$!; exec 3< lines
      read -r one <&3; read -r two <&3
      today post '10 %' --app a --tag t >/dev/null; read -r three <&3
      exec 3<&-; today post next >/dev/null; wait $pid
      echo "$one"; echo "$two"; echo "$three"
      """
    )
    let lines = run.outputText.split(separator: "\n").map { line in
      line.split(separator: " ").filter { !$0.contains(/^\d\d:\d\d$/) }.joined(separator: " ")
    }
    #expect(lines == ["a a: first", "a: gone", "b a: 10 %"], "\(run.outputText)\(run.errorText)")
  }

  @Test func `the list in JSON has the members of the protocol`() throws {
    let world = try TestWorld()
    #expect(try output(world, ["notices", "--json"]) == "[]\n")
    let json = "{\"title\": \"Done\", \"app\": \"ci\", \"action\": [\"Log=https://example.com/\"]}"
    let run = try shell(world, "echo '\(json)' | today post --json")
    #expect(run.outputText == "1\n", "\(run.errorText)")
    let data = Data(try output(world, ["notices", "--json"]).utf8)
    struct Item: Decodable {
      var id, date, application, source, title, urgency, state: String
      var actions: [[String: String]]
    }
    let item = try #require(try JSONDecoder().decode([Item].self, from: data).first)
    #expect(item.id == "1" && item.application == "ci" && item.source == "post")
    #expect(item.title == "Done" && item.urgency == "normal" && item.state == "waiting")
    #expect(item.actions == [["name": "Log", "url": "https://example.com/"]])
    #expect(try Date(item.date, strategy: .iso8601).timeIntervalSinceNow > -600)
  }

  @Test(arguments: [
    ("notices dismiss 1", "dismissed", 0), ("notices act 1 YES", "acted yes", 0),
    ("post again --tag t --app a", "replaced", 1),
  ])
  func `who waits for a notice hears what became of it`(
    command: String,
    words: String,
    code: Int32
  ) throws {
    let world = try TestWorld()
    let run = try shell(
      world,
      """
      mkfifo ids
      today post question --app a --tag t --action yes --action no --wait > ids & pid=$!
      exec 3< ids; read -r id <&3; today \(command) >/dev/null; cat <&3; wait $pid
      """
    )
    #expect(run.outputText == "\(words)\n", "\(run.errorText)")
    #expect(run.status == .exited(code: code))
  }

  @Test func `who waits for a notice that expires hears that`() throws {
    let world = try TestWorld()
    let run = try world.run(["post", "question", "--expire", "1s", "--wait"])
    #expect(run.outputText == "1\nexpired\n" && run.status == .exited(code: 1))
  }

  @Test func `an action runs its command with the notice among the earlier ones`() throws {
    let world = try TestWorld()
    let json =
      #"{"title": "a", "action": [{"name": "Run", "command": ["sh", "-c", "echo ran; exit 5"]}]}"#
    let run = try shell(world, "echo '\(json)' | today post --json; today notices act 1 run")
    #expect(run.outputText == "1\nran\n" && run.status == .exited(code: 5), "\(run.errorText)")
    let list = try output(world, ["notices", "--json"])
    #expect(list.contains("\"acted\":\"Run\",\"state\":\"earlier\""))
  }

  @Test func `who follows gets each notice and change once, and ends with its reader`() throws {
    let world = try TestWorld()
    let run = try shell(
      world,
      """
      today post first >/dev/null
      mkfifo lines; today notices --follow --json > lines & pid=$!; exec 3< lines
      read -r one <&3; today post second >/dev/null; read -r two <&3
      today notices dismiss 1; read -r three <&3
      echo "$one"; echo "$two"; echo "$three"
      exec 3<&-; today post third >/dev/null; wait $pid; echo "ended $?"
      """
    )
    let lines = run.outputText.split(separator: "\n")
    try #require(lines.count == 4, "\(run.outputText)\(run.errorText)")
    #expect(lines[0].hasPrefix("{\"id\":\"1\"") && lines[0].contains("\"waiting\""))
    #expect(lines[1].hasPrefix("{\"id\":\"2\""))
    #expect(lines[2].hasPrefix("{\"id\":\"1\"") && lines[2].contains("\"earlier\""))
    #expect(lines[3] == "ended 0")
  }

  @Test func `who follows gets a line when a notice expires`() throws {
    let world = try TestWorld()
    let run = try shell(
      world,
      """
      mkfifo lines; today notices --follow --json > lines & pid=$!; exec 3< lines
      today post short --expire 1s >/dev/null
      read -r one <&3; read -r two <&3; echo "$one"; echo "$two"
      exec 3<&-; today post next >/dev/null; wait $pid
      """
    )
    let lines = run.outputText.split(separator: "\n")
    try #require(lines.count == 2, "\(run.outputText)\(run.errorText)")
    #expect(lines.allSatisfy { $0.hasPrefix("{\"id\":\"1\"") })
    #expect(lines[0].contains("\"waiting\"") && lines[1].contains("\"earlier\""))
  }

  @Test func `a text of 10 MB from standard input is cut, and says so`() throws {
    let world = try TestWorld()
    let run = try shell(world, "head -c 10000000 /dev/zero | tr '\\0' a | today post big -")
    #expect(run.outputText == "1\n", "\(run.errorText)")
    let list = try output(world, ["notices", "--json"])
    #expect(list.contains("a\\n… cut: the text has 10000000 bytes, of which 16384 are kept"))
  }

  @Test func `quiet time is begun, said and ended`() throws {
    let world = try TestWorld()
    #expect(try output(world, ["quiet"]) == "off\n")
    #expect(try output(world, ["quiet", "on"]) == "on\n")
    #expect(try output(world, ["quiet", "1h"]).hasPrefix("on until "))
    #expect(try output(world, ["quiet", "until", "17:00"]).hasSuffix("17:00\n"))
    #expect(try output(world, ["quiet", "off"]) == "off\n")
    #expect(try world.run(["quiet", "maybe"]).status == .exited(code: 64))
    let long = try world.run(["quiet", "400d"])
    #expect(long.status == .exited(code: 64) && long.errorText.contains("400d is a year or longer"))
    #expect(try output(world, ["quiet"]) == "off\n")
  }

  @Test func `a line for another bar says what waits`() throws {
    let world = try TestWorld()
    #expect(try output(world, ["line"]) == "\n")
    _ = try output(world, ["post", "a", "--app", "x"])
    #expect(try output(world, ["line"]) == "1 waiting\n")
    #expect(
      try output(world, ["line", "--format", "waybar"])
        == "{\"alt\":\"waiting\",\"class\":\"waiting\",\"text\":\"1 waiting\",\"tooltip\":\"x: a\"}\n"
    )
  }

  @Test func `a line for another bar has the first row of a card as it was stored last`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    _ = try world.run(["snapshot"])
    let shown = try output(world, ["line", "Good"])
    #expect(shown == "All is well\n")
    #expect(try world.run(["line", "org.example.Nothing"]).status == .exited(code: 66))
  }

  @Test(
    arguments: [
      (["post"], 64, "expected TITLE"), (["post", " "], 64, "the title is empty"),
      (
        ["post", "a", "--action", "A=https://a", "--action", "A"], 64,
        "two actions have the name “A”"
      ),
      (["post", "a", "b", "c"], 64, "expected TITLE"),
      (["post", "a", "--progress", "101"], 64, "a whole number from 0 to 100"),
      (["post", "a", "--action", "x=y"], 64, "expected NAME=URL"),
      (["post", "a", "--urgency", "critical", "--expire", "1h"], 64, "leave out --expire"),
      (["post", "a", "--expire", "soon"], 64, "a time such as 10s"),
      (["post", "--json", "--urgency", "low"], 64, "--json reads all"),
      (["post", "--json", "--wait"], 64, "--json reads all"),
      (["post", "--on-exit", "1s", "--wait", "--", "true"], 64, "has no --progress"),
      (["post", "a", "--show-progress"], 64, "is of --on-exit"),
      (["notices", "dismiss", "zz"], 66, "no notice “zz”"),
      (["notices", "dismiss", "7"], 66, "no notice “7”"), (["notices", "dismiss"], 64, "--all"),
      (["notices", "act", "7", "x"], 66, "no notice “7”"), (["notices", "--all"], 64, "dismiss"),
    ] as [([String], Int32, String)]
  )
  func `wrong use is said in words`(arguments: [String], code: Int32, words: String) throws {
    let run = try TestWorld().run(arguments)
    #expect(run.status == .exited(code: code))
    #expect(run.errorText.contains(words), "\(run.errorText)")
  }

  @Test func `a full disk and a foreign file are errors in words with exit status 1`() throws {
    let world = try TestWorld()
    _ = try output(world, ["post", "a"])
    let full = try shell(world, "ulimit -f 1; today post title \"$(printf %9000s x)\"")
    #expect(full.status == .exited(code: 1))
    #expect(full.errorText.contains("could not write") && full.errorText.contains("File too large"))
    #expect(try output(world, ["post", "b"]) == "2\n")
    let journal = "\(world.path)/state/today/notices/journal"
    #expect(unlink(journal) == 0 && mkfifo(journal, 0o600) == 0)
    for arguments in [["post", "c"], ["notices"], ["line"]] {
      let run = try world.run(arguments)
      #expect(run.status == .exited(code: 1))
      #expect(run.errorText.contains("it is a pipe"), "\(run.errorText)")
    }
  }

  @Test func `a damaged journal costs its damaged lines, of which the user is told once`() throws {
    let world = try TestWorld()
    for title in ["a", "b", "c"] { _ = try output(world, ["post", title]) }
    let folder = "\(world.path)/state/today/notices"
    var lines = try String(contentsOfFile: "\(folder)/journal", encoding: .utf8).split(
      separator: "\n",
      omittingEmptySubsequences: false
    )
    lines[2] = "\u{1B}]0;x\u{7}"
    try world.write(lines.joined(separator: "\n"), to: "\(folder)/journal")
    let first = try world.run(["notices", "--json"])
    #expect(first.status == .exited(code: 0) && !first.outputText.contains("\u{1B}"))
    #expect(
      first.errorText
        == "today: notices: a damaged line was left out; the journal with all of its lines is kept as "
        + "\(folder)/damaged-1\n"
    )
    let list = try output(world, ["notices"])
    #expect(list.contains("  a  now") && list.contains("  b  now") && !list.contains("  c  now"))
    #expect(try output(world, ["post", "d"]) == "4\n")
    let doctor = try world.run(["doctor"])
    #expect(doctor.outputText.contains("a damaged line was left out of the journal on 20"))
    #expect(unlink("\(folder)/damaged-1") == 0)
    #expect(try !world.run(["doctor"]).outputText.contains("damaged line"))
  }

  @Test(.enabled(if: geteuid() == 0, "only root can mount a small file system"))
  func `on a full disk the journal is not written anew, and a post is stored or fails in words`()
    throws
  {
    let world = try TestWorld()
    let state = "\(world.path)/state/today"
    // It is written anew at 256 KiB and is to be again at 512 KiB, when there is no room for a second one, while
    // there is some for more notices.
    let line = """
      mkdir -p '\(state)' && chmod 700 '\(state)' && mount -t tmpfs -o size=1m,mode=700 none '\(state)' &&
      for i in $(seq 240); do today post "n$i" "$(printf %01000d $i)" >/dev/null || exit 3; done
      dd if=/dev/zero of='\(state)/full' bs=4096 2>/dev/null; truncate -s -280K '\(state)/full'
      for i in $(seq 400); do today post last "$(printf %01000d 0)" 2>errors || break; done
      cat errors; today notices --json >list && grep -c '"id"' list
      rm '\(state)/full'; today post more && today notices --json | grep -c '"id"'
      ls '\(state)/notices'
      """
    let program = world.today(term: nil)
    let run = try ProgramRun(
      ProgramDescription(
        "/usr/bin/unshare",
        ["-m", "bash", "-c", "today() { '\(program.path)' \"$@\"; }; \(line)"],
        environment: program.environment,
        directory: world.path
      )
    )
    #expect(run.status == .exited(code: 0), "\(run.outputText)\(run.errorText)")
    let lines = run.outputText.split(separator: "\n").map(String.init)
    let words = try #require(lines.firstIndex { $0.contains("No space left on device") })
    #expect(lines[words].hasPrefix("today: could not write"))
    // All that were stored are listed, and the next one after it.
    let stored = try #require(Int(lines[words + 1]))
    #expect(stored == 240 + words && words > 180, "\(run.outputText)")
    #expect(lines[words + 3] == "\(stored + 1)", "\(run.outputText)")
    #expect(lines[(words + 4)...] == ["journal"], "\(run.outputText)")
  }

  @Test(.enabled(if: geteuid() == 0, "only root can run the program as another user"))
  func `the folder of another user is refused, also through a link`() throws {
    let world = try TestWorld()
    _ = try output(world, ["post", "mine"])
    let notices = "\(world.path)/state/today/notices"
    let before = try Data(contentsOf: URL(filePath: "\(notices)/journal"))
    let program = world.today(term: nil)
    let line = """
      chmod 755 '\(world.path)' '\(world.path)/state' '\(world.path)/state/today' '\(notices)'
      chmod 644 '\(notices)/journal'
      mkdir -p other/today && chown -R 65534:65534 other && ln -s '\(notices)' linked && chown -h 65534:65534 linked
      as() { setpriv --reuid=65534 --regid=65534 --clear-groups env XDG_STATE_HOME="$1" '\(program.path)' "${@:2}"; }
      as '\(world.path)/state' post theirs; echo $?
      as '\(world.path)/state' notices; echo $?
      mv linked other/today/notices
      as '\(world.path)/other' post theirs; echo $?
      as '\(world.path)/other' notices; echo $?
      chown 65534 '\(notices)'; '\(program.path)' post root; echo $?
      """
    let run = try ProgramRun(
      ProgramDescription(
        "/bin/bash",
        ["-c", line],
        environment: program.environment,
        directory: world.path
      )
    )
    #expect(run.outputText == "1\n1\n1\n1\n1\n", "\(run.outputText)\(run.errorText)")
    let reasons = run.errorText.split(separator: "\n").filter { $0.contains("/notices") }
    #expect(reasons.count == 5, "\(run.errorText)")
    #expect(reasons.allSatisfy { $0.hasPrefix("today: could not") }, "\(run.errorText)")
    #expect(run.errorText.contains("it is a link"), "\(run.errorText)")
    #expect(run.errorText.contains("another user"), "\(run.errorText)")
    #expect(try Data(contentsOf: URL(filePath: "\(notices)/journal")) == before)
  }

  /// The library with which a program has another clock (faketime(1)).
  private static let fakeTime = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"

  @Test(.enabled(if: access(fakeTime, R_OK) == 0, "no libfaketime"))
  func `with a clock that was set back or is far ahead no notice is lost`()
    throws
  {
    let world = try TestWorld()
    for time in ["+0", "-30m", "+40d", "-5y", "+0"] {
      var program = world.today(["post", "at \(time)"], term: nil)
      program.environment["LD_PRELOAD"] = Self.fakeTime
      program.environment["FAKETIME"] = time
      let run = try ProgramRun(program)
      #expect(run.status == .exited(code: 0) && run.errorText == "", "\(run.errorText)")
    }
    let list = try output(world, ["notices", "--json"])
    // Five years ago is longer than notices are kept.
    #expect(list.split(separator: "\n").count { $0.contains("\"id\"") } == 4, "\(list)")
    #expect(list.contains("\"id\":\"5\""))
  }

  @Test func `without a folder for state a post fails in words`() throws {
    let world = try TestWorld()
    let program = world.today(["post", "a"], term: nil)
    let run = try ProgramRun(
      ProgramDescription(program.path, program.arguments, environment: ["HOME": "/proc/nowhere"])
    )
    #expect(run.status == .exited(code: 1) && run.outputText == "")
    #expect(run.errorText.contains("could not"), "\(run.errorText)")
  }

  @Test func `four programs that post at once lose nothing`() throws {
    let world = try TestWorld()
    let run = try shell(
      world,
      """
      for w in a b c d; do
        (for n in $(seq 25); do today post $w$n >/dev/null || echo lost; done) &
      done
      wait
      """
    )
    #expect(run.outputText == "", "\(run.errorText)")
    let list = try output(world, ["notices", "--json"])
    #expect(list.ranges(of: "\"id\":").count == 100)
  }
}
