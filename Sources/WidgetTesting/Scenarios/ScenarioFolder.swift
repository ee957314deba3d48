import FoundationEssentials
public import WidgetKitCore

/// The scenarios of a widget: the files `Tests/*.json` in its bundle, or `NAME.tests/*.json` beside a script.
public final class ScenarioFolder {
  private let bundle: WidgetBundle
  private let options: HarnessOptions
  private let records: Bool

  /// Prepares the scenarios of a widget.
  ///
  /// - Parameters:
  ///   - bundle: The widget.
  ///   - options: The world of the tests.
  ///   - records: Whether goldens are written.
  public init(_ bundle: WidgetBundle, _ options: HarnessOptions, records: Bool) {
    self.bundle = bundle
    self.options = options
    self.records = records
  }

  /// Plays the scenarios in the order of the names of their files, and adds a check for each to the report.
  public func run(_ report: inout TestReport) async {
    let folder = Self.path(of: bundle)
    let folderName = folder.split(separator: "/").last ?? ""
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names.sorted() where name.hasSuffix(".json") && !name.hasPrefix(".") {
      let shown = "\(folderName)/\(name)"
      let scenario: Scenario
      do throws(HarnessFailure) {
        scenario = try ScenarioReader.read("\(folder)/\(name)", name: shown)
      } catch {
        report.check("\(shown) can be read", problem: error.description)
        continue
      }
      do throws(HarnessFailure) {
        let run = try ScenarioRun(scenario, bundle, options, records: records)
        report.check("\(shown): \(scenario.name)", problem: await run.run())
        for path in run.recorded { report.noteRecording(path) }
      } catch {
        report.check("\(shown): \(scenario.name)", problem: error.description)
      }
    }
  }

  /// The folder of the scenarios of a widget; it need not exist.
  ///
  /// That of the script `load.10s.sh` is `load.tests`.
  static func path(of bundle: WidgetBundle) -> String {
    guard bundle.script != nil else { return "\(bundle.path)/Tests" }
    let parts = bundle.path.split(separator: "/", omittingEmptySubsequences: false)
    let name = ScriptName(file: parts.last.map(String.init) ?? "")?.name ?? ""
    return (parts.dropLast() + ["\(name).tests"]).joined(separator: "/")
  }
}
