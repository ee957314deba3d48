import WidgetKitCore

/// An extension, and whether it is offered for some content.
package struct ContentOffer: Sendable {
  package let target: ContentExtension
  package let verdict: ActivationVerdict
  /// What it needs and does not have, in words; nil if it lacks nothing, or does not accept the content anyway.
  package let lack: String?

  /// What content is offered to, and what not, in the order of lists: share extensions before actions, by name.
  ///
  /// - Parameters:
  ///   - extensions: All that are installed.
  ///   - items: The content.
  ///   - table: The types that are known.
  ///   - canReplace: Whether the content can be replaced, without which no editor is offered.
  ///   - lack: What an extension needs and does not have, in words; nil if it can be offered.
  /// - Returns: One offer for each extension.
  package static func all(
    _ extensions: [ContentExtension],
    for items: [ExtensionItem],
    _ table: TypeTable,
    canReplace: Bool = true,
    lack: (ContentExtension) -> String? = { _ in nil }
  ) -> [ContentOffer] {
    extensions.map { target in
      var verdict = target.verdict(on: items, table)
      if verdict.isOffered, !canReplace, !target.shares, target.role == .editor {
        verdict = .refused("it is an editor, and the content cannot be replaced")
      }
      let lack = verdict.isOffered || items.isEmpty ? lack(target) : nil
      if let lack { verdict = .refused(lack) }
      return ContentOffer(target: target, verdict: verdict, lack: lack)
    }.sorted { first, second in
      if first.target.shares != second.target.shares { return first.target.shares }
      return first.key < second.key
    }
  }

  private var key: (String, String) {
    (target.bundle.displayName.string.lowercased(), target.identifier)
  }
}
