import FoundationEssentials
import Testing
import WidgetTestSupport

/// The widgets, share extensions and actions that ship with the program keep all rules, in every run.
@Suite(
  .enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"),
  .enabled(if: BundledWidgets.isThere, "no bundled widgets: name their folder with TODAY_WIDGETS"),
  .timeLimit(.minutes(5))
)
struct BundledChecksTests {
  private static let names: [String] = {
    let names = try? FileManager.default.contentsOfDirectory(atPath: BundledWidgets.path ?? "")
    return (names ?? []).filter { $0.hasSuffix(".widget") || $0.hasSuffix(".app") }.sorted()
  }()

  private static let folder = BundledWidgets.path ?? ""
  /// Where the share extensions and actions are that ship with the program.
  private static let extensions = "\(folder)/../extensions"
  private static let extensionNames =
    ((try? FileManager.default.contentsOfDirectory(atPath: extensions)) ?? []).sorted()

  private func test(_ path: String, rounds: Int) throws {
    let world = try TestWorld()
    let run = try ProgramRun(
      ProgramDescription(
        BuiltProgram.path ?? "/nowhere/today",
        ["test", path, "--repeat", "\(rounds)"],
        environment: world.environment(term: nil),
        directory: world.path
      ),
      patience: 3
    )
    let lines = run.outputText.split(separator: "\n")
    let failed = lines.indices.filter { lines[$0].hasPrefix("not ok") }
      .flatMap { lines[$0..<min($0 + 6, lines.count)] }
    #expect(run.status == .exited(code: 0), "\(failed.joined(separator: "\n"))\(run.errorText)")
    #expect(lines.contains("# round \(rounds) of \(rounds)"))
  }

  @Test(arguments: names)
  func `each passes its checks three times`(name: String) throws {
    try test("\(Self.folder)/\(name)", rounds: 3)
  }

  @Test(arguments: extensionNames)
  func `each share extension and action passes its checks twice`(name: String) throws {
    try test("\(Self.extensions)/\(name)", rounds: 2)
  }
}
