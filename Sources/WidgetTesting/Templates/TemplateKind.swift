/// The kinds of extensions for which there are templates.
public nonisolated enum TemplateKind: String, CaseIterable, Sendable {
  /// A card on the page.
  case widget
  /// A share extension, which moves content somewhere else.
  case share
  /// An action with a view, which shows content and may change it.
  case action
  /// An action without a view, which passes content from standard input to standard output.
  case filter
}
