import Glibc
import Testing
import WidgetTestSupport

@Suite(.timeLimit(.minutes(5)))
struct PseudoTerminalTests {
  private func shell(_ script: String, term: String = "xterm-256color") -> ProgramDescription {
    ProgramDescription(
      "/bin/sh",
      ["-c", script],
      environment: ["PATH": "/usr/bin:/bin", "TERM": term, "LANG": "C.UTF-8"]
    )
  }

  @Test func `output appears on the screen`() throws {
    let terminal = try PseudoTerminal(shell("printf 'h\\303\\251llo \\033[1;31mred\\033[m'; cat"))
    try terminal.waitForText("héllo red")
    let place = try #require(terminal.screen.position(of: "red"))
    let cell = terminal.screen.cell(column: place.column, row: place.row)
    #expect(cell.attributes == .bold)
    #expect(cell.foreground == .index(1))
    #expect(terminal.screen.cell(column: 0, row: 0).foreground == .standard)
  }

  @Test func `the program has its own session with this terminal and no other descriptor`() throws {
    let terminal = try PseudoTerminal(
      shell(
        "tty; test -e /dev/tty && echo controlled; "
          + "for n in $(seq 3 255); do test -e /proc/$$/fd/$n && echo open: $n; done; env; cat"
      )
    )
    try terminal.waitForText("TERM=xterm-256color")
    #expect(terminal.screen.contains("controlled"))
    #expect(terminal.screen.contains("/dev/pts/"))
    #expect(!terminal.screen.contains("open:"))
    #expect(!terminal.screen.contains("HOME="))
  }

  @Test func `typed keys reach the program`() throws {
    let terminal = try PseudoTerminal(shell("read line; echo got:$line; cat"))
    try terminal.type("abc\n")
    try terminal.waitForText("got:abc")
  }

  @Test func `a new size is set and signalled`() throws {
    let terminal = try PseudoTerminal(
      shell("trap 'stty size' WINCH; stty size; while :; do read x; done"),
      columns: 120,
      rows: 40
    )
    try terminal.waitForText("40 120")
    try terminal.resize(columns: 33, rows: 11)
    try terminal.waitForText("11 33")
  }

  @Test(arguments: [SIGTERM, SIGKILL, SIGSEGV])
  func `a signal ends the program and is reported`(number: Int32) throws {
    let terminal = try PseudoTerminal(shell("echo ready; exec cat"))
    try terminal.waitForText("ready")
    terminal.signal(number)
    #expect(try terminal.waitForEnd() == .killed(signal: number))
  }

  @Test func `an exit code is reported and the last output is read`() throws {
    let terminal = try PseudoTerminal(shell("seq 1 400; echo last; exit 42"))
    #expect(try terminal.waitForEnd() == .exited(code: 42))
    #expect(terminal.screen.contains("last"))
  }

  @Test func `a missing program is reported`() throws {
    let terminal = try PseudoTerminal(ProgramDescription("/nowhere/at/all"))
    #expect(try terminal.waitForEnd() == .couldNotStart(errno: ENOENT))
  }

  @Test func `closing the terminal sends a hang-up`() throws {
    // A program that reads would see the end of its input first, now and then.
    let terminal = try PseudoTerminal(shell("echo ready; exec tail -f /dev/null"))
    try terminal.waitForText("ready")
    terminal.hangUp()
    #expect(try terminal.waitForEnd() == .killed(signal: SIGHUP))
  }

  @Test func `settings that a program leaves behind are visible`() throws {
    let raw = try PseudoTerminal(shell("stty raw -echo"))
    try raw.waitForEnd()
    #expect(raw.attributes != raw.originalAttributes)
    #expect(!raw.attributes.echoes)
    #expect(!raw.attributes.readsLines)

    let clean = try PseudoTerminal(
      shell("old=$(stty -g); stty raw -echo; stty $old; echo done")
    )
    try clean.waitForEnd()
    #expect(clean.attributes == clean.originalAttributes)
  }

  @Test func `Ctrl-Z stops and foreground continues`() throws {
    let terminal = try PseudoTerminal(
      shell("echo ready; while read line; do echo got:$line; done")
    )
    try terminal.waitForText("ready")
    try terminal.press(.controlZ)
    try terminal.wait(
      for: "the stop",
      status: { $0 == .stopped(signal: SIGTSTP) }
    )
    terminal.foreground()
    try terminal.wait(for: "the continuation", status: { $0 == .running })
    try terminal.type("back\n")
    try terminal.waitForText("got:back")
  }

  @Test func `full-screen modes are followed`() throws {
    let terminal = try PseudoTerminal(
      shell(
        "tput smcup; tput civis; printf '\\033[?1006;1000h'; read x; tput rmcup; tput cnorm; "
          + "printf '\\033[?1006;1000l\\a\\033]0;title\\a'; read x"
      )
    )
    try terminal.wait(for: "full screen") {
      $0.isAlternate && !$0.isCursorVisible && $0.reportsMouse
    }
    try terminal.type("\n")
    try terminal.wait(for: "the way back") {
      !$0.isAlternate && $0.isCursorVisible && !$0.reportsMouse && $0.titleChangeCount > 0
    }
    #expect(terminal.screen.bellCount == 1)
  }

  @Test func `the terminal answers the program's questions`() throws {
    let terminal = try PseudoTerminal(
      shell("stty raw -echo; printf '\\033[c'; dd bs=1 count=3 2>/dev/null | od -c; cat")
    )
    try terminal.waitForText("033   [   ?")
  }

  @Test func `a failed wait shows the screen and the place`() throws {
    let terminal = try PseudoTerminal(shell("echo something else"))
    let failure = try #require(throws: WaitFailure.self) {
      try terminal.waitForText("never")
    }
    #expect(failure.description.contains("something else"))
    #expect(failure.description.contains("PseudoTerminalTests.swift:"))
    #expect(failure.description.contains("exited(code: 0)"))
  }
}
