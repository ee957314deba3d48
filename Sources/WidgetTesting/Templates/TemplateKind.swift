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
  /// A registry of widgets for others, which is a repository and no extension.
  case gallery

  /// The languages for which there is a template.
  public var languages: [WidgetLanguage] {
    switch self {
    case .widget, .share, .filter: [.swift, .python, .sh, .script]
    // A script shows nothing but what it prints.
    case .action: [.swift, .python, .sh]
    case .gallery: [.script]
    }
  }

  /// The language without a choice; nil if there must be one.
  public var standardLanguage: WidgetLanguage? {
    switch self {
    case .widget: nil
    case .share, .filter, .gallery: .script
    case .action: .python
    }
  }

  /// Why it is not made in a language, and in which it is; nil if it is.
  public func refusal(of language: WidgetLanguage) -> String? {
    guard !languages.contains(language) else { return nil }
    if self == .gallery { return "--kind gallery has no --language" }
    let others = languages.dropLast().map(\.rawValue).joined(separator: ", ")
    let reason = self == .action ? "a script cannot have a view" : "there is no such template"
    return
      "\(reason); --kind \(rawValue) exists for \(others) and \(languages.last?.rawValue ?? "none")"
  }
}
