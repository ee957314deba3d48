import FoundationEssentials
import WidgetKitCore
import WidgetPages
import WidgetTesting

extension ArgumentType where Value == String {
  /// A widget, an app or a script, as an absolute path.
  fileprivate static var lintable: Self {
    Self(completion: .path) { argument throws(CommandError) in
      guard let path = NamedBundles.absolute(argument.text) else {
        throw .missing("\(argument.text): no such file or folder")
      }
      var isFolder = false
      _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      guard
        isFolder
          ? ExtensionBundle.isNamed(path) || path.hasSuffix(".app")
          : FileManager.default.isExecutableFile(atPath: path)
      else {
        throw .missing("\(argument.text): expected a .widget, an .app, or an executable script")
      }
      return path
    }
  }
}

/// `today lint BUNDLE...`: checks the files of widgets, their views, and how they follow the protocol.
struct LintCommand: Command {
  static let name = "lint"
  static let syntax = CommandSyntax<LintCommand>(
    name,
    "check the files of widgets, their views and the protocol",
    expected: "a bundle or a script",
    details: """
      Checks widgets against rules, and prints each finding with its file, place, rule and what to do:
      Info.plist and its settings, entitlements, the executable and its first line, scenarios and goldens. The
      widget is run with temporary folders, and its views and its answers are checked too: pictures without
      alt, figures without words for screen readers, control characters, sizes, and the checks of “today test”.
      BUNDLE is a .widget, an .appex, an .app for all that is in it, or a script.
      """,
    operands: [.several("BUNDLE", .lintable, \.paths)],
    options: [
      .flag("--fix", \.mends): """
      correct what needs no decision: modes of files, line endings, the first line of a script, \
      a missing or old todaykit
      """,
      .flag("--static", \.isStatic): "do not run the widgets",
      .choice("--format", \.format):
        "text, one finding to a line; json; sarif (2.1.0); github, annotations of a job",
    ],
    notes: """
      Exits with 1 if there is an error or a warning, and with 0 if there are only notes.
      """
  )

  var options = CommonOptions()
  private var paths: [String] = []
  private var format = LintReport.Format.text
  private var mends = false
  private var isStatic = false

  func run() async throws(CommandError) -> ExitCode {
    let interruption = Interruption { HarnessFolders.removeAll() }
    defer { withExtendedLifetime(interruption) {} }
    let paths = paths
    var lint = BundleLint.Options(
      harness: HarnessOptions(environment: options.environment),
      share: ShareFolder.path
    )
    lint.harness.traces = options.tracePath.map(TraceSeries.init)
    lint.runs = !isStatic
    let check: () async -> [LintFinding] = {
      var findings: [LintFinding] = []
      for path in paths { findings += await BundleLint(path, lint).run() }
      return findings
    }
    var findings: [LintFinding]
    if mends {
      var mending = BundleMending(check)
      do throws(HarnessFailure) {
        findings = try await mending.run()
      } catch {
        throw .failure(error.description)
      }
      for change in mending.changes { StandardStreams.writeError(change) }
    } else {
      findings = await check()
    }
    let report = LintReport(
      findings,
      folder: FileManager.default.currentDirectoryPath,
      version: HostVersion.current
    )
    for line in report.lines(format) { StandardStreams.writeLine(SafeText(line).onOneLine) }
    return report.hasFailed ? .failure : .success
  }
}
