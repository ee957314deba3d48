import ExtensionContent
import WidgetKitCore
import WidgetRequests

/// What accepts some content, in the order of the chooser.
struct ExtensionList {
  let extensions: [ContentExtension]

  /// Share extensions before actions, those used last first, then by name.
  ///
  /// - Parameters:
  ///   - all: The extensions that are installed.
  ///   - content: The content.
  ///   - table: The types that are known.
  ///   - uses: When each was used last.
  ///   - needs: What the extensions need to be offered.
  ///   - isWanted: Which of them can be chosen.
  init(
    _ all: [ContentExtension],
    for content: [ExtensionItem],
    _ table: TypeTable,
    _ uses: ExtensionUses,
    _ needs: ExtensionNeeds,
    where isWanted: (ContentExtension) -> Bool
  ) {
    let offers = ContentOffer.all(all.filter(isWanted), for: content, table) { needs.lack(of: $0) }
    let targets = offers.filter(\.verdict.isOffered).map(\.target)
    let ranked = targets.enumerated().map { index, target in
      (target, uses.last(target.identifier) ?? -1, index)
    }
    extensions = ranked.sorted { first, second in
      if first.0.shares != second.0.shares { return first.0.shares }
      return (second.1, first.2) < (first.1, second.2)
    }.map(\.0)
  }

  /// The rows of the chooser.
  var items: [ExtensionChooser.Item] {
    let names = extensions.map { $0.bundle.displayName.onOneLine }
    return zip(extensions, names).map { target, name in
      let isUnique = names.count { $0 == name } == 1
      let kind = target.shares ? "share" : target.role == .viewer ? "view" : "action"
      return ExtensionChooser.Item(
        glyph: target.glyph,
        name: name,
        words: target.bundle.infoPlist.widgetDescription?.onOneLine,
        // Two of one name differ in their identifiers.
        detail: SafeText(isUnique ? kind : "\(target.identifier) \(kind)").onOneLine
      )
    }
  }
}
