import Testing
import WidgetKitCore
import WidgetTesting

/// Each rule of the protocol that a widget can break is caught by the check of that name.
@Suite("The checks of a widget", .timeLimit(.minutes(2)))
struct ConformanceTests {
  private func report(_ fault: String) async throws -> TestReport {
    let authored = try AuthoredBundle(fault: fault)
    defer { authored.remove() }
    var report = TestReport()
    await ConformanceRun(try authored.bundle).run(&report)
    return report
  }

  @Test func `pass for a widget that keeps the rules`() async throws {
    let report = try await report("")
    #expect(report.checks.filter { $0.problem != nil } == [])
    #expect(report.checkCount > 40)
  }

  @Test(arguments: [
    ("version", "uses protocol version 1"),
    ("implements", "implements lists only methods of the protocol"),
    ("print", "only messages on standard output"),
    ("twice", "every request has one answer, in time"),
    ("result", "widgetPerformUpdate is answered"),
    ("reasonless", "a failed update has an error text"),
    ("late", "the view is complete when an update is answered"),
    ("empty", "there is a view after the first update"),
    ("lamp", "views contain only elements of the protocol"),
    ("rows", "lists, rows and fields can be told from each other"),
    ("nameless", "everything that can be pressed has a name for screen readers"),
    ("deaf", "performAction is implemented where elements have actions"),
    ("press", "a press on “more” is answered"),
    ("transition", "viewWillTransitionToSize is answered within 100 ms, animated"),
    ("unknown", "an unknown notification is ignored"),
    ("members", "unknown members are ignored"),
    ("stay", "shutdown: the process exits within 2 s"),
    ("code", "shutdown: it exits with code 0"),
    ("forgetful", "a new process begins with the cells of the last one, but for numbers"),
    ("theme", "another theme is accepted"),
    ("memory", "a memory warning is survived"),
    ("appear", "viewWillAppear is answered within 1 s"),
    ("eof", "the end of its input: the process exits within 2 s"),
    ("params", "the messages of the widget are those of the protocol"),
  ])
  func `name the rule that a widget breaks`(_ fault: String, _ check: String) async throws {
    let report = try await report(fault)
    let failed = report.checks.filter { $0.problem != nil }.map(\.name)
    #expect(failed.contains(check), "\(failed)")
  }
}
