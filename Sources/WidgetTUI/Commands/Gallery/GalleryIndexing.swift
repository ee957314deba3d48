import Registries
import WidgetKitCore
import WidgetPlatform

/// `today gallery index`: the list of a registry of the user.
struct GalleryIndexing {
  private let desk: GalleryDesk

  init(_ desk: GalleryDesk) { self.desk = desk }

  private struct Report: Encodable {
    var entries: Int
    var changed: [String]
    var problems: [SafeText]
  }

  func run(_ path: String) async throws(CommandError) -> ExitCode {
    guard let folder = NamedBundles.absolute(path) else {
      throw .missing("\(SafeText(path).onOneLine): no such folder")
    }
    let result = try await CommandError.from { () async throws(HostError) in
      try await RegistryMaker(folder: folder, environment: desk.options.environment)
        .make(writes: !desk.terms.onlyChecks)
    }
    if desk.terms.isJSON {
      StandardStreams.writeJSON(
        Report(entries: result.count, changed: result.changed, problems: result.problems)
      )
    } else {
      for problem in result.problems { StandardStreams.writeError(problem.string) }
      for name in result.changed { StandardStreams.writeLine(SafeText(name)) }
      desk.say(SafeText(GalleryDesk.entries(result.count)))
      if !desk.terms.onlyChecks, result.changed.contains("index.json") {
        desk.say(
          "Sign it: minisign -S -m index.json, or gpg --detach-sign --output index.json.sig index.json"
        )
      }
    }
    let isStale = desk.terms.onlyChecks && !result.changed.isEmpty
    return result.problems.isEmpty && !isStale ? .success : .failure
  }
}
