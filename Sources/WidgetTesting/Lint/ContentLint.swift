import ExtensionContent
import FoundationEssentials
import WidgetKitCore
import WidgetPlatform

/// Checks what share extensions and actions say of the content that they accept.
struct ContentLint {
  private let targets: [ContentExtension]
  private let table: TypeTable

  private static let rule = "NSExtension.NSExtensionAttributes.NSExtensionActivationRule"

  /// - Parameters:
  ///   - targets: The extensions that were found at a path.
  ///   - table: The types that are known, with those of the apps there.
  init(_ targets: [ContentExtension], _ table: TypeTable) {
    (self.targets, self.table) = (targets, table)
  }

  func run() -> [LintFinding] {
    targets.flatMap { $0.script == nil ? remarks(on: $0) : [] }
      + targets.flatMap { unknownTypes(of: $0) + unknownTypes(ofScenarios: $0) } + sameNames()
  }

  private func remarks(on target: ContentExtension) -> [LintFinding] {
    let file = "\(target.bundle.path)/Info.plist"
    let places = PropertyListPlaces(UserFile.bytes(file, byteLimit: ManifestLint.byteLimit) ?? [])
    return target.rule.remarks.map { remark in
      let (rule, words, advice): (LintRule, String, String) =
        switch remark {
        case .truePredicate:
          (
            .acceptAll, "TRUEPREDICATE accepts every content",
            "say what it accepts; TRUEPREDICATE is for the first tries"
          )
        case .noVersion:
          (
            .ruleVersion, "the rule has no NSExtensionActivationDictionaryVersion",
            "set it to 2; without it each attachment must be one of the named kinds"
          )
        case .mixedPrecedence(let part):
          (
            .rulePrecedence, "AND binds stronger than OR in “\(SafeText(part).onOneLine)”",
            "put parentheses around what belongs together"
          )
        }
      return LintFinding(
        rule,
        file,
        at: places[Self.rule],
        member: Self.rule,
        words,
        advice: advice
      )
    }
  }

  /// Types that nobody declares are accepted by no content, for the most part because they are misspelt.
  private func unknownTypes(of target: ContentExtension) -> [LintFinding] {
    let isScript = target.script != nil
    let file = isScript ? target.bundle.path : "\(target.bundle.path)/Info.plist"
    let names = target.script?.accepts ?? target.rule.types.map(\.identifier)
    return unknown(names, in: file, member: isScript ? nil : Self.rule)
  }

  /// Types of contents and results in the scenarios.
  private func unknownTypes(ofScenarios target: ContentExtension) -> [LintFinding] {
    let folder = ScenarioFolder.path(of: target.bundle.path, isScript: target.script != nil)
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let names = files.sorted().filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
    return names.flatMap { name -> [LintFinding] in
      let path = "\(folder)/\(name)"
      guard let scenario = try? ScenarioReader.read(path, name: path) else { return [] }
      let types = scenario.steps.flatMap { step -> [String] in
        switch step.action {
        case .request(let content, _): content.items.joined().compactMap(\.type)
        case .expect(let expectation): expectation.types ?? []
        default: []
        }
      }
      return unknown(types, in: path)
    }
  }

  /// Those of some types that nobody declares, each once, with their places in a file.
  ///
  /// - Parameters:
  ///   - names: The types.
  ///   - file: The file that has them.
  ///   - member: What has them; nil if they stand for themselves.
  /// - Returns: What was found.
  private func unknown(
    _ names: [String],
    in file: String,
    member: String? = nil
  ) -> [LintFinding] {
    let text = UserFile.bytes(file, byteLimit: ManifestLint.byteLimit) ?? []
    var seen: Set<String> = []
    return names.filter { name in
      let isKnown = UniformType(validating: name).map { table.knows($0) } ?? false
      return !isKnown && seen.insert(name).inserted
    }.map { name in
      let near = NearName.nearest(to: name, among: table.identifiers)
      return LintFinding(
        .unknownType,
        file,
        at: TextPlace(of: name, in: text),
        member: member ?? name,
        "\(SafeText(name)) is a type that nobody declares",
        advice: near.map { "did you mean \($0)?" } ?? "an app may export it, see Docs/Apps.md"
      )
    }
  }

  /// A person chooses by the name.
  private func sameNames() -> [LintFinding] {
    var known: [String: ContentExtension] = [:]
    return targets.compactMap { target in
      let name = target.bundle.displayName.string
      guard let other = known.updateValue(target, forKey: "\(target.shares) \(name)") else {
        return nil
      }
      let file = target.script == nil ? "\(target.bundle.path)/Info.plist" : target.bundle.path
      return LintFinding(
        .sameName,
        file,
        member: "CFBundleDisplayName",
        "\(other.identifier) is called “\(target.bundle.displayName.onOneLine)”, too",
        advice: "give them names by which a person can choose"
      )
    }
  }
}
