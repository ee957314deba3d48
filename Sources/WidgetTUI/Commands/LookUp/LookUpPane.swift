import WidgetKitCore
import WidgetRequests

/// Lets a person choose what was found in content, and what is done with it.
struct LookUpPane {
  let pane: SharePane
  let preview: ContentPreview

  /// Shows the list, and for what is chosen what can be done; Esc goes back from that to the list.
  ///
  /// - Returns: The command; nil if the person has left the list.
  func choose(among results: [LookUpResult]) async -> LookUpAction? {
    while let row = await pane.choose(
      ExtensionChooser(title: "Look Up", results.map(item), preview: preview)
    ) {
      let result = results[row]
      if result.actions.count == 1 { return result.actions[0] }
      let rows = result.actions.map { action in
        ExtensionChooser.Item(name: SafeText(action.title), detail: "")
      }
      let title = SafeText(result.text).onOneLine
      if let chosen = await pane.choose(ExtensionChooser(title: title, rows, preview: preview)) {
        return result.actions[chosen]
      }
    }
    return nil
  }

  private func item(_ result: LookUpResult) -> ExtensionChooser.Item {
    ExtensionChooser.Item(name: SafeText(result.text).onOneLine, detail: SafeText(result.kind))
  }
}
