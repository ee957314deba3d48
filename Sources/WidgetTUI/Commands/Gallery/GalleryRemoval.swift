import Glibc
import Registries
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// `today gallery remove`.
struct GalleryRemoval {
  private let desk: GalleryDesk

  init(_ desk: GalleryDesk) { self.desk = desk }

  private struct Row: Encodable {
    var id: String
    var result: String
    var path: String
  }

  func remove(_ word: String) async throws(CommandError) -> ExitCode {
    let id = try await desk.installedIdentifier(word)
    let book = desk.gallery.installed
    // Also what is gone: a program that was killed may have removed it, and not what was stored for it.
    guard let version = book.state(of: id)?.version ?? book.versions(of: id).last else {
      throw .missing("“\(SafeText(id).onOneLine)” is not installed from the gallery")
    }
    let path = version.path
    desk.say(SafeText("\(path)"))
    desk.say("  its files, settings, secrets and logs are removed too")
    guard desk.agrees(to: "Remove it?") else { return .failure }
    let trouble = try CommandError.from { () throws(HostError) in try uninstall(version) }
    book.forget(id)
    if let trouble { throw .failure("\(id) is removed; \(trouble)") }
    if desk.terms.isJSON { StandardStreams.writeJSON(Row(id: id, result: "removed", path: path)) }
    desk.say(SafeText("Removed \(id)."))
    return .success
  }

  private func uninstall(_ version: InstalledVersion) throws(HostError) -> String? {
    let id = version.id
    if version.kind == RegistryEntry.Kind.script.rawValue,
      let installer = ScriptInstaller(environment: desk.options.environment)
    {
      try installer.uninstall(id, at: installer.installed(id) ?? version.path)
      return nil
    }
    let installer = BundleInstaller(environment: desk.options.environment, catalog: desk.catalog)
    var status = stat()
    let isThere = unsafe lstat(version.path, &status) == 0
    return try installer.uninstall(
      isThere
        ? try installer.installed(id)
        : BundleInstaller.Installed(path: version.path, identifiers: [id]),
      secrets: SecretStorage(desk.options)
    )
  }
}
