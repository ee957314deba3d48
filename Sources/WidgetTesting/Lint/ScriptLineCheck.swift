import FoundationEssentials
import WidgetExtensions
public import WidgetKitCore
import WidgetPlatform
import WidgetScripts

/// The check of what a script says of itself in lines `today:`.
///
/// A value that cannot be used is left out on a page, which shows the script in spite of it.
public struct ScriptLineCheck {
  private let script: WidgetBundle
  private let faults: [BundleError]

  /// Prepares the check.
  ///
  /// - Parameters:
  ///   - script: A widget; one that is no script is not checked.
  ///   - faults: What was found when it was read, which may be about other scripts too.
  public init(_ script: WidgetBundle, _ faults: [BundleError]) {
    self.script = script
    self.faults = faults.filter { $0.bundlePath == script.path } + script.scriptFaults
  }

  /// Makes the check, and adds its result to a report.
  public func run(_ report: inout TestReport) {
    guard script.script != nil else { return }
    let bytes = UserFile.bytes(script.path, byteLimit: ManifestLint.byteLimit) ?? []
    let name = script.path.split(separator: "/").last ?? ""
    let problems = faults.map { fault in
      let key = fault.key ?? "it"
      let place = ScriptExtension.place(of: key, in: bytes).map { ":\($0.line):\($0.column)" }
      return "\(name)\(place ?? ""): \(key) is \(fault.found); expected \(fault.expected)"
    }
    report.check(
      "the values of its lines “today:” can be used",
      problem: problems.isEmpty ? nil : problems.joined(separator: "\n"),
      in: script.path
    )
  }
}
