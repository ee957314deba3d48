import ExtensionContent
import WidgetKitCore
import WidgetRequests

/// The sheet of a script, which shows its options.
enum ScriptSheet {
  /// The option of a script that is the text of its sheet.
  private static let textOption = "text"

  /// The sheet of a script: its options are the rows, and the one that is called `text` is the text.
  static func sheet(
    for target: ContentExtension,
    _ preview: ContentPreview,
    _ values: [String: String]
  ) -> PaneSheet {
    let options = target.script?.options ?? []
    let comment = options.first { $0.name == textOption && $0.choices.isEmpty }
    let items = options.filter { $0 != comment }.map { option in
      PaneSheet.Item(
        id: option.name,
        title: option.title,
        value: SafeText(values[option.name] ?? option.value),
        choices: option.choices,
        isTyped: option.choices.isEmpty
      )
    }
    var sheet = PaneSheet(
      title: target.bundle.displayName.onOneLine,
      preview: preview,
      text: comment.map { ComposeText(values[$0.name] ?? $0.value) },
      items: items
    )
    sheet.placeholder = comment?.title
    if !target.shares { sheet.postWord = "Run" }
    return sheet
  }

  /// The options as they are in a sheet.
  static func values(of sheet: PaneSheet) -> [String: String] {
    var values = Dictionary(
      sheet.items.map { ($0.id, $0.value.string) },
      uniquingKeysWith: { first, _ in first }
    )
    if let text = sheet.text { values[textOption] = text.text }
    return values
  }
}
