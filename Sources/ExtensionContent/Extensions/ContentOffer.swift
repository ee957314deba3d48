import WidgetKitCore

/// An extension, and whether it is offered for some content.
package struct ContentOffer: Sendable {
  package let target: ContentExtension
  package let verdict: ActivationVerdict

  /// What content is offered to, and what not, in the order of lists: share extensions before actions, by name.
  ///
  /// - Parameters:
  ///   - extensions: All that are installed.
  ///   - items: The content.
  ///   - table: The types that are known.
  ///   - canReplace: Whether the content can be replaced, without which no editor is offered.
  /// - Returns: One offer for each extension.
  package static func all(
    _ extensions: [ContentExtension],
    for items: [ExtensionItem],
    _ table: TypeTable,
    canReplace: Bool = true
  ) -> [ContentOffer] {
    extensions.map { target in
      var verdict = target.verdict(on: items, table)
      if verdict.isOffered, !canReplace, !target.shares, target.role == .editor {
        verdict = .refused("it is an editor, and the content cannot be replaced")
      }
      return ContentOffer(target: target, verdict: verdict)
    }.sorted { first, second in
      if first.target.shares != second.target.shares { return first.target.shares }
      return first.key < second.key
    }
  }

  private var key: (String, String) {
    (target.bundle.displayName.string.lowercased(), target.identifier)
  }
}
