import Registries
import WidgetKitCore
import WidgetPlatform

/// `today gallery verify`: whether lists are signed, and what is installed is what was installed.
struct GalleryVerification {
  private let desk: GalleryDesk

  init(_ desk: GalleryDesk) { self.desk = desk }

  private struct Report: Encodable {
    struct Registry: Encodable {
      var address: String
      var isSigned: Bool
      /// Whether it comes with the program.
      var isOwn: Bool
      var entries: Int?
      var problems: [SafeText]
    }

    struct Installed: Encodable {
      var id: String
      var version: String
      var path: String
      var isUnchanged: Bool
    }

    var registries: [Registry] = []
    var installed: [Installed] = []

    var isGood: Bool {
      registries.allSatisfy { $0.entries != nil && $0.problems.isEmpty }
        && installed.allSatisfy(\.isUnchanged)
    }
  }

  func run() async throws(CommandError) -> ExitCode {
    var report = Report()
    let sources = try CommandError.from { () throws(HostError) in try desk.gallery.sources() }
    for source in sources { report.registries.append(await check(source)) }
    for state in desk.gallery.installed.states() {
      report.installed.append(
        Report.Installed(
          id: state.version.id,
          version: state.version.version,
          path: state.version.path,
          isUnchanged: state.isUnchanged
        )
      )
    }
    if desk.terms.isJSON { StandardStreams.writeJSON(report) } else { say(report) }
    return report.isGood ? .success : .failure
  }

  private func check(_ source: RegistrySource) async -> Report.Registry {
    var result = Report.Registry(
      address: source.place.description,
      isSigned: source.key != nil,
      isOwn: source.isOwn,
      problems: []
    )
    do throws(HostError) {
      let checked = try await desk.gallery.checked(source)
      (result.entries, result.problems) = (checked.entries.count, checked.problems)
    } catch {
      result.problems = [SafeText(error.description).onOneLine]
    }
    return result
  }

  private func say(_ report: Report) {
    for registry in report.registries {
      let count = registry.entries.map { "\(GalleryDesk.entries($0)), " } ?? ""
      let trust =
        registry.isOwn
        ? "comes with the program" : registry.isSigned ? "signed" : "not signed"
      desk.say(SafeText("\(registry.address)  \(count)\(trust)"))
      for problem in registry.problems { desk.say("  wrong: \(problem)") }
    }
    for installed in report.installed {
      let words =
        installed.isUnchanged
        ? "unchanged" : "wrong: modified since installation; install it again"
      desk.say(SafeText("\(installed.id) \(installed.version)  \(words)"))
    }
  }
}
