import WidgetKitCore
import WidgetRequests

/// A sheet on the pane that an extension changes while a person looks at it.
///
/// A class because the extension and the keys change the same sheet.
final class PresentedSheet {
  private(set) var sheet: PaneSheet
  private let onChange: () -> Void
  private var textRevision = 0

  init(_ sheet: PaneSheet, onChange: @escaping () -> Void) {
    (self.sheet, self.onChange) = (sheet, onChange)
  }

  /// Takes a key, or what the mouse has pressed.
  func take(_ key: Key, _ action: PaneAction?) -> [PaneSheet.Event] { sheet.take(key, action) }

  /// Draws the sheet, by whose rows the keys then move.
  func picture(_ look: PaneLook) -> PanePicture {
    sheet.text?.columns = SheetPicture.textColumns(look)
    return sheet.picture(look)
  }

  /// Changes the sheet, and shows it.
  func change(_ change: (inout PaneSheet) -> Void) {
    change(&sheet)
    onChange()
  }

  /// Shows what the extension has set.
  ///
  /// - Parameter compose: The state of the sheet; nil if the extension has none, and takes the text as it is.
  func show(_ compose: ComposeContent?) {
    change { sheet in
      guard let compose else {
        sheet.isValid = true
        return
      }
      sheet.placeholder =
        compose.placeholder.isEmpty ? nil : SafeText(compose.placeholder).onOneLine
      sheet.ownPreview = compose.preview
      sheet.isValid = compose.isContentValid
      sheet.charactersRemaining = compose.charactersRemaining
      if compose.textRevision != textRevision {
        textRevision = compose.textRevision
        sheet.text = ComposeText(compose.text)
      }
      let items = compose.configurationItems.map { item in
        PaneSheet.Item(
          id: item.id,
          title: SafeText(item.title).onOneLine,
          value: SafeText(item.value ?? "").onOneLine,
          isPending: item.valuePending ?? false,
          choices: item.choices ?? []
        )
      }
      sheet.replaceItems(items)
      let completions = compose.completions?.map { completion in
        PaneSheet.Completion(
          text: completion.text,
          detail: completion.detail.map { SafeText($0).onOneLine },
          replaces: completion.replaces ?? 0
        )
      }
      if completions != sheet.completions { sheet.completions = completions }
    }
  }
}
