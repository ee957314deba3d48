public import WidgetKitCore

/// Something about a widget that breaks a rule.
public nonisolated struct LintFinding: Hashable, Sendable {
  /// The rule.
  public var rule: LintRule
  /// The path of the file.
  public var file: String
  /// Where it is in the file; nil for the whole file.
  public var place: TextPlace?
  /// The key, the node or the check that is meant; nil for the whole file.
  public var member: String?
  /// What is wrong.
  public var message: String
  /// What to do about it.
  public var advice: String
  /// The change that mends it; nil if a person has to decide.
  var fix: LintFix?

  init(
    _ rule: LintRule,
    _ file: String,
    at place: TextPlace? = nil,
    member: String? = nil,
    _ message: String,
    advice: String,
    fix: LintFix? = nil
  ) {
    self.rule = rule
    self.file = file
    self.place = place
    self.member = member
    self.message = message
    self.advice = advice
    self.fix = fix
  }
}
