import ExtensionContent
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetRequests

/// What is known at the moment in which something on the page is shared.
struct PageShareTerms {
  let settings: Settings
  /// The extensions that are installed.
  let extensions: [ContentExtension]
  let content: SharedContent.Terms

  init(_ options: CommonOptions) {
    settings = options.readSettings()
    let catalog = BundleCatalog.scan(.ofContent(options, settings))
    extensions = catalog.contentExtensions
    content = SharedContent.Terms(
      table: TypeTable.of(catalog.apps).table,
      folder: TemporaryFolder.path(options.environment),
      byteLimit: settings.limits.requestBytes
    )
  }

  /// Something on the page as the source of a request.
  ///
  /// - Throws: ``CommandError`` if the file cannot be read, or no copy of it can be made.
  func source(of shared: PageShareContent) throws(CommandError) -> ActSource {
    switch shared.origin {
    case .file(let path):
      return try .file(
        path,
        isReplaced: false,
        in: content.folder,
        byteLimit: content.byteLimit
      )
    case .text(let text):
      let spool = try CommandError.from { () throws(HostError) in
        let spool = try RequestSpool(in: content.folder)
        try spool.append(Array(text.utf8))
        return spool
      }
      return ActSource(origin: .text, content: spool, name: nil)
    }
  }
}
