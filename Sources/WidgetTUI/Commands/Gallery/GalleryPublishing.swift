import FoundationEssentials
import Registries
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// `today gallery publish`: checks a bundle, makes its entry, and proposes that to a registry.
struct GalleryPublishing {
  private let desk: GalleryDesk
  private let git: GitCommand

  private static let repeats = "20"

  init(_ desk: GalleryDesk) {
    self.desk = desk
    git = GitCommand(environment: desk.options.environment)
  }

  private struct Report: Encodable {
    var id: String
    var version: String
    /// The address of the pull request; nil for a patch.
    var request: SafeText?
    /// The file of the patch; nil for a pull request.
    var patch: String?
  }

  func run(_ path: String) async throws(CommandError) -> ExitCode {
    guard let bundle = NamedBundles.absolute(path) else {
      throw .missing("\(SafeText(path).onOneLine): no such bundle or script")
    }
    guard let target = desk.terms.target, let address = RepositoryAddress(target) else {
      throw .usage("publish: expected --to with \(RepositoryAddress.rule)")
    }
    guard let license = desk.terms.license else {
      throw .usage("publish: expected --license with an identifier of SPDX, such as MIT")
    }
    if let fault = LicenseIdentifier.fault(license) { throw .usage("publish: \(fault)") }
    let origin = try await CommitOrigin(of: bundle, git, desk.options.environment)
    let clone = try await RegistryClone(of: address, git, desk.options.environment)
    defer { clone.remove() }
    try await check(bundle)
    let draft = try await EntryDraft(bundle, origin, license: license, in: clone, desk.options)
    for line in draft.lines { desk.say(line) }
    guard desk.agrees(to: "Propose it to \(address)?") else { return .failure }
    try await clone.commit(draft)
    if let request = try await clone.openRequest(draft) {
      report(Report(id: draft.id, version: draft.version, request: request))
      desk.say("Opened \(request)")
    } else {
      let patch = try await clone.writePatch(draft)
      report(Report(id: draft.id, version: draft.version, patch: patch))
      desk.say(
        SafeText(
          "Wrote \(patch): send it to the maintainer of \(address), who applies it with “git am”."
        )
      )
    }
    return .success
  }

  private func report(_ report: Report) {
    if desk.terms.isJSON { StandardStreams.writeJSON(report) }
  }

  /// Runs lint and test, of which more than a line is only said where one fails.
  private func check(_ bundle: String) async throws(CommandError) {
    let environment = desk.options.environment
    let commands = [["lint", bundle], ["test", bundle, "--repeat", Self.repeats]]
    for command in commands {
      let words = SafeText("today \(command.joined(separator: " "))")
      if let complaint = await OwnProgram.complaint(command, environment: environment) {
        if !desk.terms.isJSON { StandardStreams.write(complaint) }
        throw .failure("“\(words)” fails; nothing was proposed")
      }
      desk.say("“\(words)” passes")
    }
  }
}
