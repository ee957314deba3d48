public import WidgetKitCore

/// The question whether the widgets of an app may open URLs with a scheme.
public struct URLQuestion: Hashable, Sendable {
  /// The name of the card.
  public var name: SafeText
  /// The scheme: `slack`.
  public var scheme: SafeText
  /// The host, or nil for a URL without one.
  public var host: SafeText?
  /// What opens it: the name of a program.
  public var handler: SafeText

  /// Creates a question.
  public init(name: SafeText, scheme: SafeText, host: SafeText?, handler: SafeText) {
    self.name = name
    self.scheme = scheme
    self.host = host
    self.handler = handler
  }

  /// What the user answers.
  public enum Answer: Hashable, Sendable {
    /// It is opened, now and from now on.
    case always
    /// It is not opened, and the next one is asked for again.
    case notNow
    /// It is not opened, and no other one with this scheme.
    case never
  }
}
