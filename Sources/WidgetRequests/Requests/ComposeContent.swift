package import WidgetKitCore

/// What the standard compose sheet of a request shows.
package nonisolated struct ComposeContent: Hashable, Sendable {
  package typealias ConfigurationItem = SetComposeNotification.ConfigurationItem
  package typealias Completion = SetComposeNotification.Completion

  /// What an empty text shows.
  package var placeholder = ""
  /// The text that the extension has set last; how often it has done so is ``textRevision``.
  package var text = ""
  package var textRevision = 0
  /// A view in place of the host's preview.
  package var preview: ViewNode?
  package var configurationItems: [ConfigurationItem] = []
  /// What can be inserted at the cursor, in place of the items; nil shows the items.
  package var completions: [Completion]?
  /// Whether the content can be posted.
  package var isContentValid = false
  /// How many characters are left, which may be negative; nil if no count is shown.
  package var charactersRemaining: Int?

  /// Takes over what the extension has set.
  mutating func apply(_ message: SetComposeNotification) {
    if let placeholder = message.placeholder { self.placeholder = placeholder }
    if let text = message.text {
      self.text = text
      textRevision += 1
    }
    if let preview = message.preview { self.preview = preview }
    if let items = message.configurationItems { configurationItems = items }
    switch message.completions {
    case .value(let completions): self.completions = completions
    case .null: completions = nil
    case .unstated: break
    }
  }
}
