import ExtensionContent
import WidgetExtensions
import WidgetKitCore

/// Finds extensions by what users call them.
struct ExtensionChoice {
  let extensions: [ContentExtension]
  /// What else there is.
  let others: UnusableExtension

  /// Finds those of a catalog.
  init(_ catalog: BundleCatalog, _ paths: SearchPaths) {
    extensions = catalog.contentExtensions
    others = UnusableExtension(paths: paths)
  }

  /// The extension that a user has named: by its identifier, its last part, or the name that is shown.
  ///
  /// - Throws: ``CommandError`` if there is none, with what is wrong with one that cannot be used, or several.
  func named(_ name: String) throws(CommandError) -> ContentExtension {
    let wanted = name.lowercased()
    if let exact = extensions.first(where: { $0.identifier.lowercased() == wanted }) {
      return exact
    }
    let found = extensions.filter { target in
      target.bundle.displayName.string.lowercased() == wanted
        || target.identifier.lowercased().split(separator: ".").last.map(String.init) == wanted
    }
    if found.count == 1, let only = found.first { return only }
    guard found.isEmpty else {
      let all = found.map(\.identifier).joined(separator: ", ")
      throw .usage("“\(name)” may be \(all); use the identifier")
    }
    if let words = others.words(for: name) { throw .missing(words) }
    let names = extensions.flatMap { [$0.identifier, $0.bundle.displayName.string] }
    let near = NearName.nearest(to: name, among: names).map { "; did you mean “\($0)”?" } ?? ""
    throw .missing("no share or action extension “\(name)”\(near); “today extensions” lists them")
  }
}
