import Testing
import WidgetKitCore
import WidgetTesting

/// Each rule of the protocol that a widget can break is caught by the check of that name.
@Suite("The checks of a widget", .timeLimit(.minutes(5)))
struct ConformanceTests {
  private func report(_ fault: String) async throws -> TestReport {
    let authored = try AuthoredBundle(fault: fault)
    defer { authored.remove() }
    var report = TestReport()
    await ConformanceRun(try authored.bundle).run(&report)
    return report
  }

  @Test(arguments: ["", "everything", "forms", "offline"])
  func `pass for a widget that keeps the rules`(_ fault: String) async throws {
    let report = try await report(fault)
    #expect(report.checks.filter { $0.problem != nil } == [])
    #expect(report.checkCount > 50)
    // A widget that has a part for each check skips none.
    let skipped = report.checks.filter { $0.skipped != nil }.map(\.name)
    #expect(fault != "everything" || skipped == ["the expanded and the compact form are shown"])
  }

  @Test(arguments: Self.faults)
  func `name the rule that a widget breaks`(_ fault: String, _ check: String) async throws {
    let report = try await report(fault)
    let failed = report.checks.filter { $0.problem != nil }.map(\.name)
    #expect(failed.contains(check), "\(failed)")
  }

  @Test(arguments: ["silent", "mute"])
  func `end with the first request that is never answered`(_ fault: String) async throws {
    let report = try await report(fault)
    // Each of the others would wait as long.
    #expect(report.checkCount < 20, "\(report.checks.map(\.name))")
    let check = report.checks.first { $0.name == "every request has one answer, in time" }
    let method = fault == "mute" ? "viewWillAppear" : "initialize"
    #expect(check?.problem == "\(method) was never answered")
  }

  @Test(arguments: [
    ("exit widgetPerformUpdate", "the process ended (exit 1)"),
    ("line", "a line that is no message came in place of the answer: at byte 1: expected a member"),
  ])
  func `say why an update is not answered, and end there`(
    _ fault: String,
    _ words: String
  ) async throws {
    let report = try await report(fault)
    #expect(report.checkCount < 20, "\(report.checks.map(\.name))")
    let check = report.checks.first { $0.name == "widgetPerformUpdate is answered" }
    #expect(check?.problem?.hasPrefix(words) == true, "\(check?.problem ?? "none")")
    let failed = report.checks.filter { $0.problem != nil }.map(\.name)
    #expect(
      Set(failed).isSubset(of: [
        "widgetPerformUpdate is answered", "every request has one answer, in time",
        "only messages on standard output",
      ])
    )
  }

  @Test func `say why the host has killed the process`() async throws {
    let report = try await report("babble")
    let problem = report.checks.first { $0.name == "another theme is accepted" }?.problem
    #expect(problem?.contains("too many invalid messages") == true, "\(problem ?? "none")")
  }

  @Test func `name what is sent before the answer to initialize`() async throws {
    let report = try await report("early")
    let name = "the messages of the widget are those of the protocol"
    let problem = report.checks.first { $0.name == name }?.problem
    for method in ["setView", "openURL"] {
      #expect(problem?.contains("\(method) was sent before the answer to initialize") == true)
    }
  }

  @Test func `name misspelt members of answers`() async throws {
    let authored = try AuthoredBundle(fault: "snake")
    defer { authored.remove() }
    var lines: [String] = []
    var report = TestReport { lines.append($0) }
    await ConformanceRun(try authored.bundle).run(&report)
    let start = "# the answer to widgetPerformUpdate: result."
    #expect(lines.contains("\(start)refresh_after is not read; did you mean refreshAfter?"))
    #expect(
      lines.contains("\(start)timeline.entries[0].relevence is not read; did you mean relevance?")
    )
  }

  @Test func `say which words of the protocol there are`() async throws {
    let report = try await report("result")
    let problem = report.checks.first { $0.name == "widgetPerformUpdate is answered" }?.problem
    #expect(
      problem?.hasPrefix("result.result: expected one of newData, noData, failed, found “maybe”")
        == true,
      "\(problem ?? "")"
    )
  }

  @Test func `all have a widget that breaks them, or a reason`() async throws {
    let broken = Set(Self.faults.map(\.check))
    let names = Set(try await report("everything").checks.map(\.name))
    #expect(names.subtracting(broken).subtracting(Self.kept.keys) == [])
    #expect(broken.subtracting(names) == [])
    #expect(Set(Self.kept.keys).subtracting(names) == [])
  }

  /// What is wrong with a widget, and the check that says so.
  private nonisolated static let faults: [(fault: String, check: String)] = [
    // The start and updates.
    ("exit initialize", "initialize is answered within 5 s"),
    ("silent", "initialize is answered within 5 s"),
    ("silent", "every request has one answer, in time"),
    ("mute", "every request has one answer, in time"),
    ("press", "every request has one answer, in time"),
    ("version", "uses protocol version 1"),
    ("implements", "implements lists only methods of the protocol"),
    ("error widgetMarginInsets", "widgetMarginInsets is answered within 1 s"),
    ("appear", "viewWillAppear is answered within 1 s"),
    ("result", "widgetPerformUpdate is answered"),
    ("reasonless", "a failed update has an error text"),
    ("error2 widgetPerformUpdate", "a second update is answered"),
    ("late", "the view is complete when an update is answered"),
    ("twice", "every request has one answer, in time"),
    // The view.
    ("empty", "there is a view after the first update"),
    ("blank", "the view is visible at 16 columns"),
    ("lamp", "views contain only elements of the protocol"),
    ("rows", "lists, rows and fields can be told from each other"),
    ("nameless", "everything that can be pressed has a name for screen readers"),
    ("link", "links are URLs"),
    ("alt", "pictures have an alt text"),
    ("figure", "figures have words for screen readers"),
    ("escape", "texts have no control characters"),
    // What a user does.
    ("exit fieldDidChange", "typing in the field “new” is accepted"),
    ("deaf", "performAction is implemented where elements have actions"),
    ("press", "a press on “more” is answered"),
    ("toggle", "and the toggle back"),
    ("refused", "a URL that is not opened is survived"),
    ("exit widgetDidBeginEditing", "the widget can be edited"),
    ("order", "a row that was moved and moved back is where it was"),
    // A locked page.
    ("private", "what is private is covered on a locked page"),
    ("locked", "a URL that is requested while the page is locked is survived"),
    // Changes.
    ("transition", "viewWillTransitionToSize is answered within 100 ms, animated"),
    ("still", "viewWillTransitionToSize is answered within 100 ms, not animated"),
    ("exit transitionDidComplete", "a transition that is finished is completed"),
    ("replaced", "a transition that is replaced is completed"),
    (
      "exit widgetActiveDisplayModeDidChange", "the expanded and the compact form are shown"
    ),
    ("wide", "other widths are accepted"),
    ("sample", "between updates the view shows the same data"),
    ("narrow", "the content is there at 40 columns"),
    ("clipped", "the content is there at 40 columns"),
    ("cut", "the content is there at 40 columns"),
    ("theme", "another theme is accepted"),
    ("exit configurationDidChange", "changed settings are accepted"),
    ("memory", "a memory warning is survived"),
    ("unknown", "an unknown notification is ignored"),
    ("request", "an unknown request does no harm"),
    ("members", "unknown members are ignored"),
    ("nonblocking", "output that is read late, as by a slow terminal, is complete"),
    // Rest.
    ("error viewWillDisappear", "viewWillDisappear is answered within 2 s"),
    ("expired", "an expiring activity ends when its time is up"),
    ("exit2 viewWillAppear", "the view appears again"),
    ("resample", "a view that appears again shows the same data until the next update"),
    ("toil", "a view that appears again is made in less than 250 ms"),
    ("exit hostDidEnterBackground", "a page that is hidden and shown again is survived"),
    ("stop", "a suspension during an update is survived"),
    ("denied", "it works where no expiring activity is granted"),
    // A card that is hidden for good, and a full disk.
    ("stay", "setHasContent(false): the card goes, and the process ends by itself"),
    ("content", "it starts again when its card comes back"),
    ("disk", "it starts on a full disk, and answers updates"),
    ("write", "presses on a full disk are survived"),
    // The end.
    ("stay", "shutdown: the process exits within 2 s"),
    ("handled", "shutdown: the process exits within 2 s"),
    ("handled", "setHasContent(false): the card goes, and the process ends by itself"),
    ("code", "shutdown: it exits with code 0"),
    ("start", "it starts again after it was killed during an update"),
    ("forgetful", "a new process begins with the cells of the last one, but for numbers"),
    ("eof", "the end of its input: the process exits within 2 s"),
    // What it writes.
    ("print", "only messages on standard output"),
    ("params", "the messages of the widget are those of the protocol"),
  ]

  /// The checks for which there is no widget that breaks only them, with the reason.
  private nonisolated static let kept: [String: String] = [
    "a press on “lamp” is answered": "the same check as for “more”",
    "a press on “open” is answered": "the same check as for “more”",
    "the view is visible at 20 columns": "the same check as at 16 columns",
    "the view is visible at 30 columns": "the same check as at 16 columns",
    "the view is visible at 40 columns": "the same check as at 16 columns",
    "the view is visible at 60 columns": "the same check as at 16 columns",
    "the view is visible at 80 columns": "the same check as at 16 columns",
    "the view is visible at 120 columns": "the same check as at 16 columns",
    "the view is visible at 200 columns": "the same check as at 16 columns",
    "the process can be suspended": "the page suspends it, whatever it does",
    "a locked page is survived, and no press reaches the widget":
      "the page keeps presses back, and does not tell the widget that it is locked",
    "a page that is unlocked is survived": "the widget is not told",
  ]
}
