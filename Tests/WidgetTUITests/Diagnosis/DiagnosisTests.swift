import FoundationEssentials
import Testing
import WidgetExtensions
import WidgetKitCore

@testable import WidgetTUI

@Suite struct DiagnosisTests {
  /// A run of a widget, as it is stored.
  private func run(
    milliseconds: Int = 60_000,
    cpu: Int = 10,
    update: Int? = nil,
    failed: Int = 0,
    end: String = "exit 0"
  ) throws -> RunRecord {
    let longest = update.map { #","longestUpdateMilliseconds":\#($0)"# } ?? ""
    let text =
      #"{"start":800000000,"reason":"appear","milliseconds":\#(milliseconds),"#
      + #""cpuMilliseconds":\#(cpu),"bytesReceived":1,"bytesSent":1,"newData":0,"noData":0,"#
      + #""failed":\#(failed),"faults":0,"end":"\#(end)"\#(longest)}"#
    return try #require(RunRecord.decode(text.utf8))
  }

  @Test func `a finding is one line without control characters`() {
    let finding = Finding(.folders, .wrong, "/tmp/\u{1B}[2J\nx is bad", advice: "mend it")
    #expect(finding.line.string == "wrong    folders        /tmp/␛[2J x is bad; mend it")
  }

  @Test func `the slowest and the most expensive widget are named`() throws {
    let findings = RunDiagnosis([
      ("a", [try run(cpu: 100, update: 1_500)]), ("b", [try run(cpu: 600, update: 300)]),
    ]).findings
    #expect(
      findings.map(\.line.string) == [
        "ok       widgets        the slowest is a: an update took 1.5 s",
        "ok       widgets        the most expensive is b: 1.0 % of a processor while it runs",
      ]
    )
  }

  @Test(arguments: [
    (0, "less than 1 ms"), (30, "30 ms"), (99, "99 ms"), (100, "0.1 s"), (960, "1 s"),
  ])
  func `an update never takes no time at all`(milliseconds: Int, words: String) throws {
    let findings = RunDiagnosis([("a", [try run(update: milliseconds)])]).findings
    #expect(findings.first?.what.string == "the slowest is a: an update took \(words)")
  }

  @Test func `too much work, too long updates and failures are warnings`() throws {
    let findings = RunDiagnosis([
      ("a", [try run(cpu: 6_000, update: 12_000)]), ("b", [try run(), try run(end: "SIGSEGV")]),
      ("c", [try run(failed: 2)]),
    ]).findings
    #expect(findings.map(\.level) == [.warning, .warning, .warning, .warning])
    #expect(findings[0].what.string == "b: 1 of the last 2 runs failed, the latest with “SIGSEGV”")
    #expect(findings[1].what.string == "c: its last updates failed")
  }

  @Test func `a widget of which every run fails is wrong, and ends by the host are no failures`()
    throws
  {
    let crashing = RunDiagnosis([("a", [try run(end: "exit 3"), try run(end: "exit 3")])])
    #expect(crashing.findings.first?.level == .wrong)
    let ended = RunDiagnosis([("a", [try run(end: "SIGKILL"), try run(end: "SIGTERM")])])
    #expect(ended.findings.allSatisfy { $0.level == .ok })
    #expect(RunDiagnosis([("a", [])]).findings.map(\.level) == [.ok])
  }

  @Test(arguments: [
    (RefreshTimer.State.unavailable, nil, Finding.Level.warning), (.off, nil, .ok),
    (.off, "/bin/sh", .warning), (.on, "/bin/sh", .ok), (.on, "/bin/ls", .warning),
    (.on, "/nowhere/today", .wrong),
  ])
  func `the timer is right if it starts this program`(
    state: RefreshTimer.State,
    program: String?,
    level: Finding.Level
  ) {
    #expect(TimerDiagnosis.finding(state, program: program, current: "/bin/sh").level == level)
  }

  @Test func `answers of terminals are read, whatever stands between them`() {
    let bytes = Array("x\u{1B}[?2026;2$y\u{1B}[?1004;0$yj\u{1B}[?2031;4$y\u{1B}[?62;4c".utf8)
    #expect(TerminalAnswer.modes(in: bytes) == [2026: true, 1004: false, 2031: false])
    #expect(TerminalAnswer.column(in: Array("\u{1B}[12;7R".utf8)) == 7)
    for odd in ["", "\u{1B}[R", "\u{1B}[1;99999999999999999999R", "\u{1B}[1;0R", "\u{1B}[?;$y"] {
      #expect(TerminalAnswer.column(in: Array(odd.utf8)) == nil)
      #expect(TerminalAnswer.modes(in: Array(odd.utf8)).isEmpty)
    }
  }

  private func facts(_ change: (inout TerminalFacts) -> Void) -> [Finding] {
    var facts = TerminalFacts(
      kind: TerminalKind(environment: ["TERM": "xterm-256color"]),
      isUTF8: true,
      depth: .full,
      hasMouse: true,
      modes: [2026: true]
    )
    change(&facts)
    return TerminalDiagnosis(facts: facts).findings
  }

  @Test func `a terminal with everything has nothing wrong`() {
    let findings = facts { facts in
      for sample in TerminalFacts.samples { facts.widths[sample.name] = sample.columns }
    }
    #expect(findings.allSatisfy { $0.level == .ok })
    #expect(findings.contains { $0.what == "whole frames (synchronized output): yes" })
  }

  @Test func `characters of another width, few colours and no UTF-8 are warnings`() {
    let wide = facts { $0.widths = ["frames": 12, "bars": 12] }.filter { $0.level == .warning }
    #expect(wide.map(\.what.string) == ["frames “╭─╮│╰╯” take 12 cells, expected 6"])
    let poor = facts {
      $0.isUTF8 = false
      $0.depth = .none
      $0.hasMouse = false
      $0.modes = nil
    }
    #expect(poor.filter { $0.level == .warning }.count == 4)
  }

  @Test func `a terminal that cannot position text is wrong`() {
    let findings = facts { $0.kind = TerminalKind(environment: ["TERM": "dumb"]) }
    #expect(findings.first?.level == .wrong)
  }
}
