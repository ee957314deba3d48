package import ExtensionContent
import FoundationEssentials
public import WidgetKitCore

/// The scenarios of an extension: the files `Tests/*.json` in its bundle, or `NAME.tests/*.json` beside a script.
public final class ScenarioFolder {
  private let path: String
  private let play:
    (Scenario, HarnessOptions) async throws(HarnessFailure) -> (
      problem: String?, recorded: [String]
    )
  private let options: HarnessOptions

  /// Prepares the scenarios of a widget.
  ///
  /// - Parameters:
  ///   - bundle: The widget.
  ///   - options: The world of the tests.
  ///   - records: Whether goldens are written.
  public init(_ bundle: WidgetBundle, _ options: HarnessOptions, records: Bool) {
    path = Self.path(of: bundle)
    self.options = options
    play = { scenario, options throws(HarnessFailure) in
      let run = try ScenarioRun(scenario, bundle, options, records: records)
      return (await run.run(), run.recorded)
    }
  }

  /// Prepares the scenarios of a share extension or an action.
  ///
  /// - Parameters:
  ///   - target: The extension.
  ///   - table: The types that are known.
  ///   - options: The world of the tests.
  ///   - records: Whether goldens are written.
  package init(
    _ target: ContentExtension,
    _ table: TypeTable,
    _ options: HarnessOptions,
    records: Bool
  ) {
    path = Self.path(of: target.bundle.path, isScript: target.script != nil)
    self.options = options
    play = { scenario, options throws(HarnessFailure) in
      let run = try RequestScenarioRun(scenario, target, table, options, records: records)
      return (await run.run(), run.recorded)
    }
  }

  /// Plays the scenarios in the order of the names of their files, and adds a check for each to the report.
  public func run(_ report: inout TestReport) async {
    let folderName = path.split(separator: "/").last ?? ""
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    for name in names.sorted() where name.hasSuffix(".json") && !name.hasPrefix(".") {
      let shown = "\(folderName)/\(name)"
      let scenario: Scenario
      do throws(HarnessFailure) {
        scenario = try ScenarioReader.read("\(path)/\(name)", name: shown)
      } catch {
        report.check("\(shown) can be read", problem: error.description, in: "\(path)/\(name)")
        continue
      }
      var options = options
      options.part = String(name.dropLast(".json".count))
      defer { options.traces?.name(in: &report) }
      do throws(HarnessFailure) {
        let (problem, recorded) = try await play(scenario, options)
        report.check("\(shown): \(scenario.name)", problem: problem, in: "\(path)/\(name)")
        for path in recorded { report.noteRecording(path) }
      } catch {
        report.check(
          "\(shown): \(scenario.name)",
          problem: error.description,
          in: "\(path)/\(name)"
        )
      }
    }
  }

  /// The folder of the scenarios of a widget; it need not exist.
  static func path(of bundle: WidgetBundle) -> String {
    path(of: bundle.path, isScript: bundle.script != nil)
  }

  /// The folder of the scenarios of an extension; it need not exist.
  ///
  /// That of the script `load.10s.sh` is `load.tests`.
  static func path(of path: String, isScript: Bool) -> String {
    guard isScript else { return "\(path)/Tests" }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let name = ScriptName(file: parts.last.map(String.init) ?? "")?.name ?? ""
    return (parts.dropLast() + ["\(name).tests"]).joined(separator: "/")
  }
}
