import FoundationEssentials
import WidgetHost
import WidgetKitCore
import WidgetTesting

/// `today lint BUNDLE...`: checks the files of widgets, their views, and how they follow the protocol.
struct LintCommand: Command {
  private var options: CommonOptions
  private var paths: [String] = []
  private var format = LintReport.Format.text
  private var mends = false
  private var runs = true

  init(_ reader: inout ArgumentReader, _ options: CommonOptions) throws(CommandError) {
    self.options = options
    while let argument = reader.next() {
      if try self.options.take(argument, from: &reader) { continue }
      switch argument {
      case "--format": format = try reader.choice(of: argument)
      case "--fix": mends = true
      case "--static": runs = false
      default:
        guard !argument.hasPrefix("-") else { throw reader.unknown(argument) }
        guard let path = NamedBundles.absolute(argument) else {
          throw .missing("\(argument): no such file or folder")
        }
        guard Self.isNamed(path) else {
          throw .missing("\(argument): expected a .widget, an .app, or an executable script")
        }
        paths.append(path)
      }
    }
    guard !paths.isEmpty else {
      throw .usage("expected a bundle or a script; see “today help lint”")
    }
  }

  private static func isNamed(_ path: String) -> Bool {
    var isFolder: Bool = false
    _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    return isFolder
      ? path.hasSuffix(".widget") || path.hasSuffix(".app")
      : FileManager.default.isExecutableFile(atPath: path)
  }

  func run() async throws(CommandError) -> ExitCode {
    let interruption = Interruption { WidgetHarness.removeFolders() }
    defer { withExtendedLifetime(interruption) {} }
    let paths = paths
    var lint = BundleLint.Options(
      harness: HarnessOptions(environment: options.environment),
      share: ShareFolder.path
    )
    lint.harness.tracePath = options.tracePath
    lint.runs = runs
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
