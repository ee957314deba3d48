import ExtensionContent
import WidgetKitCore
import WidgetPages
import WidgetRequests

/// The action that a person chooses for some content, in the pane below the prompt.
struct ActionChoice {
  let target: ContentExtension
  let options: [String: String]

  /// Lets a person choose an action, and the values of its options.
  ///
  /// - Parameters:
  ///   - extensions: All that are installed.
  ///   - content: The content.
  ///   - table: The types that are known.
  ///   - given: The options that were given.
  ///   - settings: The settings of the program.
  ///   - pane: Where the person is asked; it is closed at the end, unless the action is to be shown on it.
  ///   - environment: The environment of the user.
  /// - Throws: ``CommandError`` if no action accepts the content, or the person has cancelled.
  init(
    among extensions: [ContentExtension],
    for content: SharedContent,
    _ table: TypeTable,
    given: RequestOptions,
    _ settings: Settings,
    _ pane: SharePane,
    environment: [String: String]
  ) async throws(CommandError) {
    var staysOpen = false
    defer { if !staysOpen { pane.close() } }
    let list = ExtensionList(
      extensions,
      for: content.items,
      table,
      ExtensionUses(environment: environment),
      ExtensionNeeds(environment: environment, settings: settings, given: given.values)
    ) { !$0.shares }
    guard !list.extensions.isEmpty else {
      throw CommandError(
        exitCode: .dataRefused,
        description: "no action accepts \(content.typeNames); “today extensions --why” says why"
      )
    }
    let preview = content.preview(table, charset: nil)
    let chooser = ExtensionChooser(title: "Act", list.items, preview: preview)
    guard let row = await pane.choose(chooser) else { throw .cancelled }
    target = list.extensions[row]
    try given.check(with: [target])
    staysOpen = target.hasView
    guard target.script?.options.isEmpty == false else {
      options = given.values
      return
    }
    let sheet = ScriptSheet.sheet(for: target, preview, given.values)
    guard let posted = await pane.compose(sheet) else { throw .cancelled }
    options = ScriptSheet.values(of: posted)
  }
}

extension CommandError {
  /// A person has cancelled what was asked.
  static let cancelled = CommandError(
    exitCode: .cancelled,
    description: "cancelled; nothing has changed"
  )
}
