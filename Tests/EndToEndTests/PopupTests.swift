import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// Popups of zellij and kitty, which stand-ins open: they take the arguments of these programs, and return before the
/// command in the popup runs, which the test does on a terminal of its own.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct PopupTests {
  enum Kind: CaseIterable {
    case zellij, kitty

    /// What the program sets in its terminals.
    var variables: [String: String] {
      switch self {
      case .zellij: ["ZELLIJ": "0", "ZELLIJ_SESSION_NAME": "main"]
      case .kitty: ["KITTY_WINDOW_ID": "3"]
      }
    }
  }

  private let world: TestWorld

  init() throws {
    world = try TestWorld()
    try world.replaceBundledExtensions()
    try world.script(
      "mark.sh",
      "# today: action accepts=public.text title=Mark\ncat; printf ' %s' \"$HOME\""
    )
    try world.script("fail.sh", "# today: action accepts=public.text title=Fail\nexit 1")
    try linkTools()
    try tool("zellij", Self.zellij)
    try tool("kitten", Self.kitten)
    try world.write(
      "printf keep | \"$today\" act --popup $FILES >out 2>errors; echo \"status $?\"\n",
      to: "\(world.path)/filter"
    )
  }

  // `zellij run`, as its help has it; it prints the identifier of the pane.
  private static let zellij = #"""
    if [ "$1" != run ]; then echo "error: unrecognized subcommand '$1'" >&2; exit 2; fi
    shift
    isFloating= place=
    while [ $# -gt 0 ]; do
      case $1 in
        -f | --floating) isFloating=1; shift ;;
        -c | --close-on-exit) shift ;;
        -n | --name) [ $# -ge 2 ] || exit 2; shift 2 ;;
        -x | --x | -y | --y | --width | --height)
          case $2 in
            *[!0-9%]* | '') echo "error: Invalid value '$2' for '$1'" >&2; exit 2 ;;
          esac
          place=1; shift 2 ;;
        --) shift; break ;;
        *) echo "error: Found argument '$1' which wasn't expected" >&2; exit 2 ;;
      esac
    done
    if [ -n "$place" ] && [ -z "$isFloating" ]; then echo 'error: --floating is missing' >&2; exit 2; fi
    if [ $# -eq 0 ]; then echo 'error: <COMMAND>... is missing' >&2; exit 2; fi
    echo terminal_4
    """#

  // `kitten @ [--to ADDRESS] launch`; it prints the number of the window. Without a socket it asks the terminal.
  private static let kitten = #"""
    to=
    if [ "$1 $2" = '@ --to' ]; then to=$3; shift 3; set -- @ "$@"; fi
    if [ "$1 $2" != '@ launch' ]; then echo "Error: unknown command $1 $2" >&2; exit 1; fi
    shift 2
    if [ "$to" != "$KITTY_LISTEN_ON" ]; then echo "Error: asked at '$to'" >&2; exit 1; fi
    if [ -z "$to" ] && ! (: </dev/tty); then exit 1; fi
    if [ -n "$IS_OFF" ]; then echo 'Error: Remote control is disabled' >&2; exit 1; fi
    while [ $# -gt 0 ]; do
      case $1 in
        --type=overlay | --cwd=current | --title=* | --match=window_id:3) shift ;;
        --) shift; break ;;
        *) echo "Error: Unknown flag: $1" >&2; exit 1 ;;
      esac
    done
    echo 17
    """#

  /// A PATH with what a shell needs, and with no program that opens popups.
  private static let bare = "bare"

  /// Puts a program in PATH that writes the command of the popup to a file, and returns.
  private func tool(_ name: String, _ text: String) throws {
    let folder = "\(world.path)/tools"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let ending = "for word in \"$@\"; do printf '%s\\n' \"$word\"; done >opening; mv opening opened"
    try world.write("#!/bin/sh\n\(text)\n\(ending)\n", to: "\(folder)/\(name)")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755],
      ofItemAtPath: "\(folder)/\(name)"
    )
  }

  private func linkTools() throws {
    let folder = "\(world.path)/\(Self.bare)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for name in ["sh", "cat", "mkfifo", "mktemp", "rm", "sed", "timeout"] {
      let folders = ["/usr/bin", "/bin"]
      let found = folders.first { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/\(name)",
        withDestinationPath: "\(try #require(found))/\(name)"
      )
    }
  }

  private func text(_ name: String) -> String? {
    try? String(contentsOfFile: "\(world.path)/\(name)", encoding: .utf8)
  }

  private func program(
    _ words: [String],
    term: String?,
    _ variables: [String: String]
  ) -> ProgramDescription {
    var environment = world.environment(term: term)
    environment["PATH"] = "\(world.path)/tools:\(environment["PATH"] ?? "")"
    environment["today"] = BuiltProgram.path
    environment.merge(variables) { $1 }
    if environment["PATH"] == Self.bare { environment["PATH"] = "\(world.path)/\(Self.bare)" }
    return ProgramDescription(
      words[0],
      Array(words.dropFirst()),
      environment: environment,
      directory: world.path
    )
  }

  /// A terminal in which the filter waits for its popup, with standard input or with files.
  private func begin(_ kind: Kind, _ files: String = "") throws -> PseudoTerminal {
    var variables = kind.variables
    variables["FILES"] = files
    variables["HOME"] = "\(world.path)/it's home"
    let terminal = try PseudoTerminal(
      program(["/bin/sh", "filter"], term: "xterm-256color", variables)
    )
    try terminal.wait(for: "a popup that is opened") { _ in text("opened") != nil }
    return terminal
  }

  /// The popup, which has the environment of the program that opens it.
  private func popup(_ kind: Kind) throws -> PseudoTerminal {
    let words = (text("opened") ?? "").split(separator: "\n").map(String.init)
    #expect(words.count == 2 && words.first == "sh")
    let description = ProgramDescription(
      "/bin/sh",
      Array(words.dropFirst()),
      environment: ["PATH": "/usr/bin:/bin", "TERM": "tmux-256color"]
    )
    let popup = try PseudoTerminal(description)
    try popup.waitForText("Mark")
    return popup
  }

  @Test(arguments: Kind.allCases)
  func `a popup of zellij or kitty passes on all that the command has and returns`(
    kind: Kind
  ) throws {
    try world.write("note", to: "\(world.path)/note.txt")
    for (files, content) in [("", "keep"), ("note.txt", "note")] {
      let terminal = try begin(kind, files)
      let popup = try popup(kind)
      try popup.type("mark\r")
      try terminal.waitForText("status 0")
      #expect(text("out") == "\(content) \(world.path)/it's home" && text("errors") == "")
      try popup.waitForEnd()
      try FileManager.default.removeItem(atPath: "\(world.path)/opened")
    }
  }

  @Test(arguments: Kind.allCases)
  func `the beginning of a popup is awaited without looking for it again and again`(
    kind: Kind
  ) throws {
    // Who looks again and again sleeps between two looks.
    try tool("sleep", "echo slept >slept; exit")
    let terminal = try begin(kind)
    try terminal.wait(for: "a filter that waits") { _ in waitsForBeginning() }
    let popup = try popup(kind)
    try popup.type("mark\r")
    try terminal.waitForText("status 0")
    try popup.waitForEnd()
    #expect(text("slept") == nil)
  }

  /// Whether the filter waits for a popup to begin.
  private func waitsForBeginning() -> Bool {
    text("slept") != nil
      || ProcessList.entries(withVariablesNaming: world.path).contains {
        $0.commandLine.contains("read -r line")
      }
  }

  @Test func `kitty is asked at the address that it listens on`() throws {
    let terminal = try PseudoTerminal(
      program(
        ["/bin/sh", "filter"],
        term: "xterm-256color",
        ["KITTY_WINDOW_ID": "3", "KITTY_LISTEN_ON": "unix:/tmp/my kitty", "FILES": ""]
      )
    )
    try terminal.wait(for: "a popup that is opened") { _ in text("opened") != nil }
    let popup = try popup(.kitty)
    try popup.type("mark\r")
    try terminal.waitForText("status 0")
    try popup.waitForEnd()
  }

  @Test(arguments: Kind.allCases)
  func `an action that fails in a popup of zellij or kitty gives the input back`(
    kind: Kind
  ) throws {
    let terminal = try begin(kind)
    let popup = try popup(kind)
    try popup.type("fail\r")
    try terminal.waitForText("status 1")
    #expect(text("out") == "keep" && text("errors")?.hasPrefix("today: Fail") == true)
    try popup.waitForEnd()
  }

  @Test(arguments: Kind.allCases)
  func `a popup of zellij or kitty that is closed has cancelled the command`(kind: Kind) throws {
    let terminal = try begin(kind)
    let popup = try popup(kind)
    popup.hangUp()
    try terminal.waitForText("status 130")
    #expect(text("out") == "keep" && text("errors") == "")
    try popup.waitForEnd()
  }

  @Test(arguments: Kind.allCases)
  func `an interrupted command closes its popup of zellij or kitty`(kind: Kind) throws {
    let terminal = try begin(kind)
    let popup = try popup(kind)
    try terminal.type("\u{3}")
    try popup.waitForEnd()
    try terminal.waitForEnd()
    #expect(text("out") == "keep")
    #expect(world.processesLeft().isEmpty)
  }

  /// The page in a popup: the program that opens it is told how large, and to run the same command.
  @Test(arguments: Kind.allCases)
  func `the page opens in a popup of zellij or kitty, and its end is that of the command`(
    kind: Kind
  ) throws {
    // The stand-in writes all that it is told, before it checks it.
    let record = #"for word in "$@"; do printf '%s\n' "$word"; done >told"#
    try tool("zellij", record + "\n" + Self.zellij)
    try tool("kitten", record + "\n" + Self.kitten)
    try world.script("hello.sh", "echo hello from the page")
    let page = "\"$today\" --popup script.hello; echo \"status $?\"\n"
    try world.write(page, to: "\(world.path)/page")
    let terminal = try PseudoTerminal(
      program(["/bin/sh", "page"], term: "xterm-256color", kind.variables)
    )
    try terminal.wait(for: "a popup that is opened") { _ in text("opened") != nil }
    let told = (text("told") ?? "").split(separator: "\n").map(String.init)
    let expected: [String] =
      switch kind {
      case .zellij:
        [
          "run", "--floating", "--close-on-exit", "--name", "today", "--width", "90%", "--height",
          "80%", "-x", "5%", "-y", "10%", "--", "sh",
        ]
      case .kitty:
        [
          "@", "launch", "--type=overlay", "--cwd=current", "--title=today", "--match=window_id:3",
          "--", "sh",
        ]
      }
    #expect(told.dropLast() == expected[...], "\(told)")
    let words = (text("opened") ?? "").split(separator: "\n").map(String.init)
    #expect(words.count == 2 && words.last == told.last)
    let popup = try PseudoTerminal(
      ProgramDescription(
        "/bin/sh",
        Array(words.dropFirst()),
        environment: ["PATH": "/usr/bin:/bin", "TERM": "tmux-256color"]
      )
    )
    // In the popup it opens no other one, and takes all of it.
    try popup.waitForText("hello from the page")
    #expect(popup.screen.isAlternate && popup.screen.contains("Esc all cards"))
    #expect(!terminal.screen.contains("hello"))
    try popup.type("q")
    try popup.waitForEnd()
    try terminal.waitForText("status 0")
    #expect(world.processesLeft().isEmpty)
  }

  @Test(
    arguments: [
      (["KITTY_WINDOW_ID": "3"], "“allow_remote_control yes” in kitty.conf, and “listen_on "),
      (
        ["KITTY_WINDOW_ID": "3", "KITTY_LISTEN_ON": "unix:@kitty", "IS_OFF": "1"],
        "kitty has opened no popup; it needs “allow_remote_control yes” in kitty.conf"
      ),
      (
        ["KITTY_WINDOW_ID": "3", "PATH": bare, "KITTY_LISTEN_ON": "unix:a"],
        "there is no kitten in PATH to open a popup of kitty with"
      ),
      (["ZELLIJ": "0", "PATH": bare], "zellij has opened no popup; it needs zellij "),
      (["KITTY_WINDOW_ID": "3 or id:4"], "there is no tmux, zellij or kitty to open a popup in"),
      (["TMUX": "/nowhere,1,0", "KITTY_WINDOW_ID": "3", "ZELLIJ": "0"], "tmux has opened no "),
      (["ZELLIJ": "0", "KITTY_WINDOW_ID": "3", "PATH": bare], "zellij has opened"),
    ] as [([String: String], String)]
  )
  func `what is missing for a popup is said, and the input is given back`(
    variables: [String: String],
    words: String
  ) throws {
    let run = try ProgramRun(program(["/bin/sh", "filter"], term: nil, variables))
    #expect(run.outputText == "status 69\n")
    #expect(text("out") == "keep")
    #expect(text("errors")?.contains(words) == true, "\(text("errors") ?? "")")
  }
}
