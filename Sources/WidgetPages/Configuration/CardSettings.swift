package import WidgetKitCore

/// What config.json has for one card in `widgets`, besides the settings of its widget.
public nonisolated struct CardSettings: Hashable, Sendable {
  /// The number of columns; nil leaves it to the manifest.
  public var span: Int?
  /// Whether the card is shown as it is while the page is locked; nil means false.
  public var allowWhenLocked: Bool?
  /// The machine on which its widget runs; nil for this one, and for scripts, whose options name theirs.
  package var host: RemoteDestination?
  /// What is said about a script; nil if nothing is.
  package var script: ScriptOptions?

  /// Creates settings of which none is set.
  public init(span: Int? = nil, allowWhenLocked: Bool? = nil) {
    self.span = span
    self.allowWhenLocked = allowWhenLocked
  }

  /// The members that are set, as they are written in the file.
  var text: String {
    let members = [
      span.map { "span: \($0)" }, allowWhenLocked.map { "allowWhenLocked: \($0)" },
      host.map { "host: \"\($0)\"" },
    ]
    return "{" + members.compactMap(\.self).joined(separator: ", ") + "}"
  }
}
