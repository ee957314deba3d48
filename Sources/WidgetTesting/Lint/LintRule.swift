/// The rules that `today lint` checks; the raw value is the name in reports.
public nonisolated enum LintRule: String, CaseIterable, Codable, Sendable {
  case manifest
  case unknownKey = "unknown-key"
  case formerPlace = "former-place"
  case missingName = "missing-name"
  case missingDescription = "missing-description"
  case exampleIdentifier = "example-identifier"
  case settings
  case settingTitle = "setting-title"
  case entitlements
  case acceptAll = "accept-all"
  case ruleVersion = "rule-version"
  case rulePrecedence = "rule-precedence"
  case unknownType = "unknown-type"
  case sameName = "same-name"
  case declinesSandbox = "declines-sandbox"
  case executable
  case permissions
  case shebang
  case lineEndings = "line-endings"
  case kit
  case kitVersion = "kit-version"
  case rawEscape = "raw-escape"
  case terminal
  case scriptLine = "script-line"
  case noScenario = "no-scenario"
  case scenario
  case golden
  case missingAlt = "missing-alt"
  case missingLabel = "missing-label"
  case unknownMember = "unknown-member"
  case viewSize = "view-size"
  case viewHeight = "view-height"
  case earlyLoad = "early-load"
  case conformance

  /// How much a finding matters.
  public enum Severity: String, Codable, Sendable {
    /// The widget cannot be used, or breaks the protocol.
    case error
    /// It works, and its users would be better off without it.
    case warning
    /// Worth to know; does not fail a run.
    case note
  }

  /// How much a finding of this rule matters.
  public var severity: Severity {
    switch self {
    case .manifest, .settings, .entitlements, .executable, .permissions, .shebang, .lineEndings,
      .kit, .scriptLine, .scenario, .conformance:
      .error
    case .unknownKey, .missingName, .missingDescription, .settingTitle, .acceptAll, .ruleVersion,
      .rulePrecedence, .unknownType,
      .declinesSandbox, .rawEscape, .terminal, .golden, .missingAlt, .missingLabel,
      .unknownMember, .viewSize, .viewHeight:
      .warning
    case .formerPlace, .exampleIdentifier, .kitVersion, .noScenario, .sameName, .earlyLoad: .note
    }
  }

  /// What the rule demands, in a sentence.
  public var summary: String {
    switch self {
    case .manifest: "Info.plist is a property list with what the host needs"
    case .unknownKey: "Info.plist has only keys that are read, where they are read"
    case .formerPlace: "keys of Info.plist are where this version has them"
    case .missingName: "CFBundleDisplayName is the heading of the card"
    case .missingDescription: "TodayDescription says in the gallery what the widget is for"
    case .exampleIdentifier: "an identifier below com.example is not one of your own"
    case .settings: "TodaySettings declares settings that can be shown and checked"
    case .settingTitle: "each setting has a title that a person reads"
    case .entitlements: "Entitlements.plist requests only what there is"
    case .acceptAll: "a rule or an entitlement does not match everything"
    case .ruleVersion: "an activation rule says its version"
    case .rulePrecedence: "an activation rule has parentheses where AND and OR meet"
    case .unknownType: "a script accepts types that are declared"
    case .sameName: "extensions of one app have different names"
    case .declinesSandbox: "the widget runs in the sandbox"
    case .executable: "the executable is in the bundle and can be run here"
    case .permissions: "no other user can change the files of the bundle"
    case .shebang: "the first line of a script names a program that is there"
    case .lineEndings: "a script has the line endings of Unix"
    case .kit: "a script that uses todaykit has the file beside it"
    case .kitVersion: "todaykit is the one of this version"
    case .rawEscape: "colours are styles of nodes, and not escape sequences"
    case .terminal: "the widget leaves the terminal alone"
    case .scriptLine: "the line “# today:” of a script has values that can be used"
    case .noScenario: "what only its author knows about the widget is tested"
    case .scenario: "scenarios can be read"
    case .golden: "goldens are there, and are used"
    case .missingAlt: "a picture has words for where it cannot be seen"
    case .missingLabel: "a figure has words for screen readers"
    case .unknownMember: "a node has only members that are read"
    case .viewSize: "a view is of moderate size"
    case .viewHeight: "a card leaves room for others"
    case .earlyLoad: "content is loaded when the sheet is up, so that it appears without delay"
    case .conformance: "the widget follows the protocol"
    }
  }
}
