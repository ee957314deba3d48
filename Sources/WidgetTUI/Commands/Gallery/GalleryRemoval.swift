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

  func remove(_ id: String) async throws(CommandError) -> ExitCode {
    guard let state = desk.gallery.installed.state(of: id) else {
      throw .missing("“\(SafeText(id).onOneLine)” is not installed from the gallery")
    }
    let path = state.version.path
    desk.say(SafeText("\(path)"))
    desk.say("  its files, settings, secrets and logs are removed too")
    guard desk.agrees(to: "Remove it?") else { return .failure }
    let trouble = try CommandError.from { () throws(HostError) in try uninstall(id) }
    desk.gallery.installed.forget(id)
    if let trouble { throw .failure("\(id) is removed; \(trouble)") }
    if desk.terms.isJSON { StandardStreams.writeJSON(Row(id: id, result: "removed", path: path)) }
    return .success
  }

  private func uninstall(_ id: String) throws(HostError) -> String? {
    if let installer = ScriptInstaller(environment: desk.options.environment),
      let path = installer.installed(id)
    {
      try installer.uninstall(id, at: path)
      return nil
    }
    let installer = BundleInstaller(environment: desk.options.environment, catalog: desk.catalog)
    return try installer.uninstall(
      try installer.installed(id),
      secrets: SecretStorage(desk.options)
    )
  }
}
