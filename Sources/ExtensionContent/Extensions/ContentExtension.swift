package import WidgetKitCore

/// An extension to which content is offered: a share extension, or an action with a view or without one.
package struct ContentExtension: Hashable, Sendable {
  /// Whether an action returns what replaces the content.
  package enum Role: String, Hashable, Sendable {
    /// It returns content in place of that which it was given.
    case editor
    /// It shows the content, and returns nothing.
    case viewer
  }

  package let bundle: ExtensionBundle
  /// What a script says of itself; nil for a bundle.
  package let script: ScriptExtension?
  /// One of the points to which content is offered.
  package let point: ExtensionPoint
  package let role: Role
  package let rule: ActivationRule
  /// What must be there before anything is offered to it (`TodayRequires`).
  package let requirements: [Requirement]
  /// A sign of one or two cells before the name; nil for a bullet.
  package let glyph: SafeText?
  /// Whether its view has the whole screen (`NSExtensionActionWantsFullScreenPresentation`).
  package let wantsFullScreen: Bool

  private static let ruleKey = "NSExtensionActivationRule"
  private static let roleKey = "NSExtensionServiceRoleType"
  private static let glyphKey = "TodayGlyph"
  private static let requiresKey = "TodayRequires"
  private static let screenKey = "NSExtensionActionWantsFullScreenPresentation"

  /// Reads what an extension says of the content that it accepts.
  ///
  /// - Throws: The first value that cannot be used, with its key.
  package init(
    _ bundle: ExtensionBundle,
    script: ScriptExtension? = nil
  ) throws(BundleError) {
    (self.bundle, self.script) = (bundle, script)
    guard let point = bundle.point, point.presentation != .card else {
      throw bundle.unknownPoint
        ?? bundle.fault(in: Self.ruleKey, found: "of no use", expected: "a point for content")
    }
    self.point = point
    let attributes = bundle.attributes
    guard let value = attributes[Self.ruleKey] else {
      throw bundle.fault(
        in: Self.ruleKey,
        found: "missing",
        expected: "a dictionary of counts or a predicate, without which nothing is offered"
      )
    }
    do throws(ActivationRuleError) {
      rule = try ActivationRule(value)
    } catch {
      throw bundle.fault(
        in: Self.ruleKey,
        found: "not usable (\(error.description))",
        expected: "a dictionary of counts or a predicate"
      )
    }
    role = try Self.role(attributes[Self.roleKey], of: bundle)
    glyph = try Self.glyph(attributes[Self.glyphKey], of: bundle)
    requirements = try Self.requirements(attributes[Self.requiresKey], of: bundle)
    guard let screen = attributes[Self.screenKey] else {
      wantsFullScreen = false
      return
    }
    guard let flag = screen.boolean else {
      throw bundle.fault(in: Self.screenKey, found: "no truth value", expected: "true or false")
    }
    wantsFullScreen = flag
  }

  /// Decides whether it is offered for some content; of a script, the words name the types.
  package func verdict(on items: [ExtensionItem], _ table: TypeTable) -> ActivationVerdict {
    let verdict = rule.verdict(on: items, table)
    guard !verdict.isOffered, let script else { return verdict }
    let attachments = items.flatMap(\.attachments)
    guard !attachments.isEmpty else { return verdict }
    let types = attachments.compactMap(\.types.first?.identifier)
      .reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    return .refused(
      "it accepts \(script.accepts.joined(separator: ", ")); this is \(types.joined(separator: ", "))"
    )
  }

  /// The first of the types of content that a script names; the first of all if it names none of them.
  package func accepted(_ types: [UniformType], _ table: TypeTable) -> UniformType {
    let wanted = (script?.accepts ?? []).map { UniformType($0) }
    return types.first { type in wanted.contains { table.conforms(type, to: $0) } } ?? types[0]
  }

  /// The identifier, which does not depend on where it is.
  package var identifier: String { bundle.bundleIdentifier }

  /// Whether it is a share extension, and not an action.
  package var shares: Bool { point == .share }

  /// Whether it has a view; a script has none.
  package var hasView: Bool { script == nil && point.presentation == .request(hasView: true) }

  private static func role(
    _ value: PropertyValue?,
    of bundle: ExtensionBundle
  ) throws(BundleError) -> Role {
    switch value?.string {
    case "NSExtensionServiceRoleTypeEditor": return .editor
    case "NSExtensionServiceRoleTypeViewer": return .viewer
    case nil where value == nil: return .editor
    default:
      throw bundle.fault(
        in: roleKey,
        found: value?.string.map { "\"\($0.prefix(80))\"" } ?? "no string",
        expected: "NSExtensionServiceRoleTypeEditor or NSExtensionServiceRoleTypeViewer"
      )
    }
  }

  private static func requirements(
    _ value: PropertyValue?,
    of bundle: ExtensionBundle
  ) throws(BundleError) -> [Requirement] {
    guard let value else { return [] }
    guard let list = value.string.flatMap(Requirement.list) else {
      throw bundle.fault(
        in: requiresKey,
        found: value.string.map { "\"\($0.prefix(80))\"" } ?? "no string",
        expected: Requirement.expectation
      )
    }
    return list
  }

  private static func glyph(
    _ value: PropertyValue?,
    of bundle: ExtensionBundle
  ) throws(BundleError) -> SafeText? {
    guard let value else { return nil }
    let text = value.string.map { SafeText($0) }
    guard let text, 1...2 ~= text.columns else {
      throw bundle.fault(
        in: glyphKey,
        found: value.string.map { "\"\($0.prefix(80))\"" } ?? "no string",
        expected: "a sign of one or two cells"
      )
    }
    return text
  }
}
