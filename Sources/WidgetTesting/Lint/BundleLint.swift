import ExtensionContent
import FoundationEssentials
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform
import WidgetScripts

/// Checks what an author has named against all rules: the files of a bundle, an app with bundles, or a script.
///
/// | part | what is checked |
/// | --- | --- |
/// | ``ManifestLint`` | Info.plist and Entitlements.plist |
/// | ``ProgramLint`` | the executable, and the files of functions beside it |
/// | ``ContentLint`` | what extensions for content accept |
/// | ``ScenarioLint`` | scenarios and goldens |
/// | ``ViewLint`` | the views of the widget, which is run, and the protocol |
/// | ``RequestLint`` | share extensions and actions, which are run, and the protocol |
public struct BundleLint {
  /// The world in which widgets are run.
  public struct Options {
    /// The world of the widget.
    public var harness: HarnessOptions
    /// The folder `share/today` of the program.
    public var share: String
    /// Whether widgets are run.
    public var runs = true

    /// A run in the environment of the author.
    public init(harness: HarnessOptions, share: String) {
      self.harness = harness
      self.share = share
    }
  }

  private let path: String
  private let options: Options

  /// Prepares the checks of a path without links.
  public init(_ path: String, _ options: Options) {
    self.path = path
    self.options = options
  }

  /// Makes the checks, and returns what was found, in the order of the files.
  public func run() async -> [LintFinding] {
    let catalog = BundleCatalog.scan(
      SearchPaths(named: [path], environment: options.harness.environment, executable: nil)
    )
    var findings = catalog.problems.map(finding)
    for bundle in bundlePaths { findings += ManifestLint(bundle).run() }
    for widget in catalog.widgets {
      findings += widget.scriptFaults.map(finding)
      if widget.script == nil {
        findings += ManifestLint(widget.path).run(widget, isBundled: isBundled)
      }
      findings += ProgramLint(widget, share: options.share).run()
      findings += ScenarioLint(widget.path, isScript: widget.script != nil).run()
      if options.runs { findings += await ViewLint(widget, options.harness).run() }
    }
    let table = TypeTable.of(catalog.apps).table
    findings += ContentLint(catalog.contentExtensions, table).run()
    for target in catalog.contentExtensions {
      let (path, isScript) = (target.bundle.path, target.script != nil)
      if !isScript {
        findings += ProgramLint(WidgetBundle(target.bundle), share: options.share).run()
      }
      findings += ScenarioLint(path, isScript: isScript, isOfRequests: true).run()
      if options.runs { findings += await RequestLint(target, table, options.harness).run() }
    }
    var seen: Set<LintFinding> = []
    return findings.filter { seen.insert($0).inserted }
  }

  /// The bundles of widgets at the path, readable or not.
  private var bundlePaths: [String] {
    if ExtensionBundle.isNamed(path) { return [path] }
    let folder = "\(path)/PlugIns"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().filter { ExtensionBundle.isNamed($0) }.map { "\(folder)/\($0)" }
  }

  /// Whether the path is among the widgets that come with the program.
  private var isBundled: Bool {
    let prefix = options.share.split(separator: "/").dropLast(2).joined(separator: "/")
    return path.hasPrefix("/\(prefix)/lib/today/widgets/")
  }

  // MARK: - Problems of the engine

  private func finding(_ error: BundleError) -> LintFinding {
    let parent = path.split(separator: "/").dropLast().joined(separator: "/")
    let file = error.file.hasPrefix("/") ? error.file : "/\(parent)/\(error.file)"
    let isScript = error.key?.hasPrefix("today: ") == true
    let rule: LintRule =
      switch error.code {
      case .notTrusted: .permissions
      case _ where isScript: .scriptLine
      case _ where error.key?.contains("TodaySettings") == true: .settings
      case _ where file.hasSuffix("/Info.plist"): .manifest
      case _ where file.hasSuffix("/Entitlements.plist"): .entitlements
      default: .executable
      }
    let text = UserFile.bytes(file, byteLimit: ManifestLint.byteLimit) ?? []
    var found = error.found
    var place: TextPlace?
    if file.hasSuffix(".plist") {
      let places = PropertyListPlaces(text)
      place = error.key.flatMap { places[String($0.prefix { $0 != " " })] }
      if error.code == .malformed, let fault = places.fault {
        (place, found) = (fault.place, "not a property list: this \(fault.words)")
      }
    } else if isScript {
      place = ScriptExtension.place(of: error.key ?? "", in: text)
    }
    return LintFinding(
      rule,
      file,
      at: place,
      member: error.key,
      "\(error.key ?? "this file") is \(found)",
      advice: "expected \(error.expected)",
      fix: fix(error, file)
    )
  }

  private func fix(_ error: BundleError, _ file: String) -> LintFix? {
    switch error.code {
    case .notExecutable where error.found == "not executable":
      .mode(file, set: 0o755, clear: 0)
    case .notTrusted where error.found.contains("writable by every user"):
      .mode(file, set: 0, clear: 0o002)
    default: nil
    }
  }
}
