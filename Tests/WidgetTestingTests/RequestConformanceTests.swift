import ExtensionContent
import Foundation
import Testing
import WidgetExtensions
import WidgetKitCore
import WidgetTestSupport

@testable import WidgetTesting

/// Each rule of the protocol that a share extension or an action can break is caught by the check of that name.
@Suite("The checks of share extensions and actions", .timeLimit(.minutes(2)))
struct RequestConformanceTests {
  /// What is reported of an extension: of all parts, or of one.
  private func report(
    _ kind: AuthoredExtension.Kind,
    _ fault: String = "",
    attributes: String = "",
    part: RequestConformanceRun.Part? = nil
  ) async throws -> TestReport {
    let authored = try AuthoredExtension(kind, fault: fault, attributes: attributes)
    defer { authored.remove() }
    var options = HarnessOptions(environment: authored.world.environment())
    options.patience = .seconds(3)
    var report = TestReport()
    let run = RequestConformanceRun(try authored.target, .standard, options)
    if let part { await run.run(part, &report) } else { await run.run(&report) }
    return report
  }

  @Test(arguments: AuthoredExtension.Kind.allCases)
  func `pass for an extension that keeps the rules`(_ kind: AuthoredExtension.Kind) async throws {
    let report = try await report(kind)
    #expect(report.checks.filter { $0.problem != nil } == [])
    #expect(report.checks.count { $0.skipped == nil } >= 25)
  }

  @Test(arguments: ["late", "late brief"])
  func `pass for an extension that answers Post when the request was completed`(
    _ order: String
  ) async throws {
    let report = try await report(.share, order, part: .completion)
    #expect(report.checks.filter { $0.problem != nil } == [])
    let name = "didSelectPost is answered, before or after the request is completed"
    #expect(report.checks.contains { $0.name == name && $0.skipped == nil })
  }

  @Test(arguments: Self.faults)
  func `name the rule that an extension breaks`(
    _ kind: AuthoredExtension.Kind,
    _ fault: String,
    _ check: String
  ) async throws {
    // The others pass, as they do for an extension that keeps the rules.
    let report = try await report(kind, fault, part: Self.part(of: check))
    let failed = report.checks.filter { $0.problem != nil }.map(\.name)
    #expect(failed.contains(check), "\(failed)")
  }

  @Test func `name members of messages that are not read, and pass`() async throws {
    for (fault, remarks) in [
      (
        "members",
        [
          "# setCompose: params.placeHolder is not read; did you mean placeholder?",
          "# setCompose: params.configurationItems[1].valuepending is not read; did you mean valuePending?",
        ]
      ), ("", []),
    ] {
      let authored = try AuthoredExtension(.share, fault: fault)
      defer { authored.remove() }
      var lines: [String] = []
      var report = TestReport { lines.append($0) }
      let options = HarnessOptions(environment: authored.world.environment())
      await RequestConformanceRun(try authored.target, .standard, options).run(&report)
      #expect(report.checks.filter { $0.problem != nil } == [])
      #expect(Set(lines.filter { $0.contains("is not read") }) == Set(remarks))
    }
  }

  @Test func `end with an extension that does not start`() async throws {
    let report = try await report(.share, "mute initialize")
    #expect(report.checkCount < 10, "\(report.checks.map(\.name))")
  }

  @Test func `fail for a rule that accepts nothing`() async throws {
    let rule = "NSExtensionActivationRule = { NSExtensionActivationSupportsText = NO; };"
    let report = try await report(.filter, attributes: rule)
    let failed = report.checks.filter { $0.problem != nil }.map(\.name)
    #expect(failed == ["its activation rule accepts a content"])
  }

  @Test func `let a viewer return nothing`() async throws {
    let viewer = "NSExtensionServiceRoleType = NSExtensionServiceRoleTypeViewer;"
    let report = try await report(.filter, "nothing", attributes: viewer)
    #expect(report.checks.filter { $0.problem != nil } == [])
    let returning = try await self.report(.filter, attributes: viewer)
    let failed = returning.checks.filter { $0.problem != nil }.map(\.name)
    #expect(failed.contains("the host takes what is returned"), "\(failed)")
  }

  @Test func `all have an extension that breaks them, or a reason`() async throws {
    let broken = Set(Self.faults.map(\.check))
    var names: Set<String> = []
    for kind in AuthoredExtension.Kind.allCases {
      names.formUnion(try await report(kind).checks.map(\.name))
    }
    #expect(names.subtracting(broken).subtracting(Self.kept.keys) == [])
    #expect(broken.subtracting(names) == [])
    #expect(Set(Self.kept.keys).subtracting(names) == [])
  }

  /// What is wrong with an extension, and the check that says so.
  private nonisolated static let faults:
    [(kind: AuthoredExtension.Kind, fault: String, check: String)] = [
      // The start.
      (.share, "exit initialize", "initialize is answered within 5 s"),
      (.filter, "mute initialize", "initialize is answered within 5 s"),
      (.share, "mute viewWillAppear", "every request has one answer, in time"),
      (.share, "version", "uses protocol version 1"),
      (.filter, "implements", "implements lists only methods of requests"),
      (.action, "error viewWillAppear", "viewWillAppear is answered within 1 s"),
      (.share, "bare", "there is a sheet or a view when it has appeared"),
      (.action, "quits", "it waits for its user"),
      (.filter, "never", "it completes the request, or cancels it with a reason"),
      (.filter, "cancel", "it completes the request, or cancels it with a reason"),
      (.filter, "nothing", "an editor returns content in place of what it was given"),
      // The sheet.
      (.share, "preview", "its preview is visible, in at most 8 rows"),
      (
        .share, "items",
        "configuration items have ids of their own, titles, and values among their choices"
      ),
      (
        .share, "value",
        "configuration items have ids of their own, titles, and values among their choices"
      ),
      (.share, "error contentDidChange", "contentDidChange is answered for an empty text"),
      (.share, "long", "contentDidChange is answered for a text of 10,000 characters"),
      (.share, "combined", "contentDidChange is answered for a text of combined characters"),
      (
        .share, "count",
        "the count of characters falls as the text grows, and the same text has the same one"
      ),
      (.share, "choice", "a choice of an item is taken, and shown"),
      (.share, "push", "a choice of an item is taken, and shown"),
      (.share, "completions", "completions have texts, and replace characters that are there"),
      // The view.
      (.action, "blank", "the view is visible at 16 columns"),
      (.action, "blank", "the view is visible at 200 columns"),
      (.action, "lamp", "views contain only elements of the protocol"),
      (.action, "exit performAction", "every press is answered"),
      (.action, "exit fieldDidChange", "what is typed in a field is accepted"),
      // Post and Cancel.
      (.share, "never", "Post completes the request, or says why it cannot"),
      (.share, "exit didSelectPost", "Post completes the request, or says why it cannot"),
      (
        .share, "unanswered", "didSelectPost is answered, before or after the request is completed"
      ),
      (
        .share, "mute didSelectPost",
        "didSelectPost is answered, before or after the request is completed"
      ),
      (.filter, "twice", "the request is completed once"),
      (.filter, "outside", "the host takes what is returned"),
      (.share, "early", "nothing is sent to other machines before Post"),
      (.share, "lingers", "it ends when its time after the request is over"),
      (.share, "deaf", "shutdown: the process exits within 2 s"),
      (.share, "code", "shutdown: it exits with code 0"),
      (.share, "deaf", "Cancel ends the request and the process"),
      // Contents.
      (.filter, "type public.plain-text", "it takes a text (public.plain-text)"),
      (.filter, "type public.url", "it takes an address (public.url)"),
      (.filter, "type public.json", "it takes a JSON (public.json)"),
      (
        .filter, "type public.comma-separated-values-text",
        "it takes a CSV (public.comma-separated-values-text)"
      ),
      (.filter, "type public.patch-file", "it takes a patch (public.patch-file)"),
      (.filter, "type public.python-script", "it takes a source file (public.python-script)"),
      (.filter, "type public.png", "it takes a picture (public.png)"),
      (.filter, "type public.data", "it takes a file (public.data)"),
      (.filter, "several", "it takes several attachments"),
      (.filter, "empty", "it takes an empty content"),
      (.filter, "large", "it takes a content of 1 MiB"),
      (.filter, "bytes", "it takes bytes that are no text"),
      (.filter, "unended", "it takes a content without a line feed at its end"),
      (.filter, "unsized", "it takes a content whose size is not known"),
      (.filter, "odd", "it takes an odd name"),
      (.filter, "unloadable", "content that cannot be loaded does no harm"),
      (.filter, "reasonless", "content that cannot be loaded does no harm"),
      // The world.
      (.filter, "locale", "it works in another locale and zone"),
      (.filter, "impatient", "it works while the host is slow to answer"),
      (.filter, "disk", "a full disk does no harm"),
      (.share, "lax", "an unknown request is answered with an error"),
      (.share, "strict", "an unknown notification does no harm"),
      // The end.
      (.share, "again", "the next request begins as the first one, but for numbers"),
      (.share, "orphan", "the end of its input: the process exits within 2 s"),
      (
        .action, "lock",
        "a request after one that was killed begins as the first one, but for numbers"
      ),
      // The talk.
      (.share, "unknown", "the messages of the extension are those of the protocol"),
      (.filter, "noise", "only messages on standard output"),
      (.share, "malformed", "the messages of the extension are those of the protocol"),
    ]

  /// The part that has a check; nil for those of the whole run.
  private static func part(of check: String) -> RequestConformanceRun.Part? {
    if check.hasPrefix("the view is") || check.hasPrefix("views contain") { return .view }
    let parts: [(RequestConformanceRun.Part, [String])] = [
      (
        .sheet,
        [
          "its preview", "configuration items", "contentDidChange", "the count", "a choice",
          "completions",
        ]
      ),
      (.view, ["every press", "what is typed"]),
      (
        .completion,
        [
          "Post completes", "didSelectPost", "the request is completed once", "the host takes",
          "nothing is sent", "it ends when", "shutdown", "Cancel",
        ]
      ),
      (.content, ["it takes", "content that"]),
      (.world, ["it works", "a full disk", "an unknown"]),
      (.end, ["the next request", "the end of its input", "a request after"]),
    ]
    if check.contains("messages") { return nil }
    return parts.first { $0.1.contains { check.hasPrefix($0) } }?.0 ?? .start
  }

  /// The checks that no program breaks, and why.
  private nonisolated static let kept: [String: String] = {
    var kept = [
      "its activation rule accepts a content": "it is tried above, with another rule",
      "the request can be begun": "it fails where the machine has no room",
      "a request that is cancelled at once leaves no process": "the host ends each by force",
    ]
    for width in [20, 30, 40, 60, 80, 120] {
      kept["the view is visible at \(width) columns"] = "as at 16 columns"
    }
    return kept
  }()

  // MARK: - Scripts

  private func script(
    _ text: String,
    onLine: @escaping (String) -> Void = { _ in }
  ) async throws -> TestReport {
    let world = try TestWorld()
    try world.script("note.sh", text)
    let paths = SearchPaths(named: [], environment: world.environment(), executable: nil)
    let target = try #require(BundleCatalog.scan(paths).contentExtensions.first)
    var options = HarnessOptions(environment: world.environment())
    options.patience = .seconds(3)
    var report = TestReport(onLine: onLine)
    await RequestConformanceRun(target, .standard, options).run(&report)
    return report
  }

  @Test func `pass for a script that keeps the rules`() async throws {
    let report = try await script(
      """
      # today: action accepts="public.plain-text"
      # today: option name=way title="Way" choices="up, down" default=up
      case $TODAY_OPTION_WAY in
      up) exec tr a-z A-Z ;;
      down) exec tr A-Z a-z ;;
      esac
      """
    )
    #expect(report.checks.filter { $0.problem != nil } == [])
    #expect(report.checks.contains { $0.name == "it takes every choice for “way”" })
  }

  @Test func `wait only once in full for a script that never ends, and end`() async throws {
    let report = try await script(
      "# today: share accepts=\"public.plain-text\"\nexec tail -f /dev/null"
    )
    let problems = report.checks.compactMap(\.problem)
    #expect(problems.count > 12)
    #expect(problems.count { $0.hasPrefix("it did not end in 3 s") } == 1, "\(problems)")
    #expect(problems.dropFirst().allSatisfy { $0.hasPrefix("it did not end in 1 s") })
  }

  @Test func `say what is wrong with all contents once, and name its check at the others`()
    async throws
  {
    var lines: [String] = []
    let report = try await script(
      "# today: action accepts=\"public.plain-text\"\nexec /nowhere/program 2>/dev/null"
    ) { lines.append($0) }
    let failed = report.checks.indices.filter { report.checks[$0].problem != nil }
    let first = try #require(failed.first)
    #expect(failed.count > 12)
    // The report of each check has it in full, as programs read them.
    let problem = try #require(report.checks[first].problem)
    #expect(failed.allSatisfy { report.checks[$0].problem == problem })
    #expect(lines.count { $0 == "# \(problem)" } == 1)
    #expect(lines.count { $0 == "# as for check \(first + 1)" } == failed.count - 1)
    let references = lines.indices.filter { lines[$0] == "# as for check \(first + 1)" }
    #expect(references.allSatisfy { lines[$0 - 1].hasPrefix("not ok ") })
  }

  @Test(arguments: [
    ("exit 1", "it completes the request, or cancels it with a reason"),
    (
      "printf '\\033[31m'; cat", "what it returns has no control characters but tabs and line feeds"
    ),
    ("cat >/dev/null", "an editor returns content in place of what it was given"),
    ("test \"$TODAY_OPTION_WAY\" = up || exit 1; cat", "it takes every choice for “way”"),
    ("test \"$(wc -c)\" -lt 100000 || exit 1; echo x", "it takes a content of 1 MiB"),
    ("case $LANG in de*) exit 1 ;; esac; cat", "it works in another locale and zone"),
    ("tail -f /dev/null", "it completes the request, or cancels it with a reason"),
    (
      "test -e \"$HOME/again\" && { echo again >&2; exit 1; }; touch \"$HOME/again\"; cat",
      "the next request begins as the first one, but for numbers"
    ),
  ])
  func `name the rule that a script breaks`(_ commands: String, _ check: String) async throws {
    let report = try await script(
      """
      # today: action accepts="public.plain-text"
      # today: option name=way title="Way" choices="up, down" default=up
      \(commands)
      """
    )
    let failed = report.checks.filter { $0.problem != nil }.map(\.name)
    #expect(failed.contains(check), "\(failed)")
  }
}
