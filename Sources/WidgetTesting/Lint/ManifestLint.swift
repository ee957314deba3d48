import FoundationEssentials
import WidgetKitCore
import WidgetPlatform

/// Checks Info.plist and Entitlements.plist beyond what keeps a bundle from being used.
struct ManifestLint {
  /// The largest property list that is read; larger ones are refused by the engine.
  static let byteLimit = InfoPlist.byteLimit

  private let bundle: String
  private let manifest: String
  private let places: PropertyListPlaces

  init(_ bundle: String) {
    self.bundle = bundle
    manifest = "\(bundle)/Info.plist"
    places = PropertyListPlaces(UserFile.bytes(manifest, byteLimit: Self.byteLimit) ?? [])
  }

  /// The keys of the program, and where they are read.
  private static let homes = Dictionary(
    uniqueKeysWithValues: Set(ExtensionPoint.all.flatMap(\.attributes)).map { ($0, attributes) }
      + [("TodayNeedsTerminal", "the top of an app's Info.plist")]
  )
  private static let attributes = "NSExtension.NSExtensionAttributes"
  /// Keys that are read at the top too, as they were in earlier versions.
  private static let formerTop: Set<String> = ["TodayDescription"]
  private static let settingMembers: Set<String> = [
    "name", "title", "type", "default", "choices", "format", "minimum", "maximum", "required",
    "example", "unit",
  ]

  // MARK: - Any bundle

  /// Checks the keys of a bundle that may be unreadable otherwise.
  func run() -> [LintFinding] {
    var findings: [LintFinding] = []
    for (path, place) in places.paths {
      let parts = path.split(separator: ".")
      guard let key = parts.last.map(String.init) else { continue }
      let parent = parts.dropLast().joined(separator: ".")
      if parent.hasPrefix("\(Self.attributes).TodaySettings[") {
        guard !parent.hasSuffix("]") || Self.settingMembers.contains(key) || key.contains("[")
        else {
          findings.append(unknown(key, among: Self.settingMembers.sorted(), place))
          continue
        }
      } else if key.hasPrefix("Today"), !key.contains("[") {
        guard let home = Self.homes[key] else {
          findings.append(unknown(key, among: Self.homes.keys.sorted(), place))
          continue
        }
        let isHome = home == Self.attributes ? parent == home : parent.isEmpty
        if !isHome, parent.isEmpty, Self.formerTop.contains(key) {
          findings.append(
            LintFinding(
              .formerPlace,
              manifest,
              at: place,
              member: path,
              "\(key) was at the top in earlier versions, and is read there still",
              advice: "move it to \(home)"
            )
          )
        } else if !isHome {
          findings.append(
            LintFinding(
              .unknownKey,
              manifest,
              at: place,
              member: path,
              "\(key) is not read here",
              advice: "move it to \(home)"
            )
          )
        }
      }
    }
    return findings
  }

  private func unknown(_ key: String, among names: [String], _ place: TextPlace) -> LintFinding {
    let near = NearName.nearest(to: key, among: names).map { "did you mean \($0)?" }
    return LintFinding(
      .unknownKey,
      manifest,
      at: place,
      member: key,
      "\(SafeText(key)) is not a key that is read",
      advice: near ?? "remove it; there is \(names.joined(separator: ", "))"
    )
  }

  // MARK: - A widget

  /// Checks a widget that can be used.
  ///
  /// One that comes with the program may decline the sandbox.
  func run(_ widget: WidgetBundle, isBundled: Bool) -> [LintFinding] {
    var findings: [LintFinding] = []
    func add(_ rule: LintRule, _ key: String, _ message: String, _ advice: String) {
      findings.append(
        LintFinding(
          rule,
          manifest,
          at: places[key],
          member: key,
          message,
          advice: advice
        )
      )
    }
    if widget.infoPlist.displayName == nil {
      add(
        .missingName,
        "CFBundleDisplayName",
        "the card has no heading of its own",
        "add CFBundleDisplayName; “\(widget.displayName)” is shown there now"
      )
    }
    if widget.infoPlist.widgetDescription == nil {
      add(
        .missingDescription,
        "\(Self.attributes).TodayDescription",
        "the gallery cannot say what the widget is for",
        "add TodayDescription to \(Self.attributes), a sentence"
      )
    }
    if widget.bundleIdentifier.hasPrefix("com.example.") {
      add(
        .exampleIdentifier,
        "CFBundleIdentifier",
        "\(widget.bundleIdentifier) is an identifier of examples",
        "before you give it to others, choose one in your own domain"
      )
    }
    for (index, setting) in widget.settings.enumerated()
    where setting.title.string == setting.name {
      add(
        .settingTitle,
        "\(Self.attributes).TodaySettings[\(index)]",
        "the setting “\(setting.name)” has no title",
        "add title, as a person reads it in the form"
      )
    }
    for (path, place) in places.paths where path.hasSuffix("NSExtensionActivationRule") {
      findings.append(
        LintFinding(
          .acceptAll,
          manifest,
          at: place,
          member: path,
          "a widget has no use for an activation rule",
          advice: "remove it; TRUEPREDICATE in a template matches every input"
        )
      )
    }
    return findings + entitlements(widget, isBundled: isBundled)
  }

  // MARK: - Entitlements

  private func entitlements(_ widget: WidgetBundle, isBundled: Bool) -> [LintFinding] {
    let file = "\(bundle)/Entitlements.plist"
    let places = PropertyListPlaces(UserFile.bytes(file, byteLimit: Self.byteLimit) ?? [])
    var findings: [LintFinding] = []
    // The names have dots in them, so that they are looked for as they are.
    func place(_ name: String) -> TextPlace? {
      places.paths.first { $0.path == name }?.place
    }
    for problem in widget.entitlements.problems {
      let names = Entitlement.allCases.map(\.rawValue)
      let near = NearName.nearest(to: problem.name, among: names)
      findings.append(
        LintFinding(
          .entitlements,
          file,
          at: place(problem.name),
          member: problem.name,
          "\(SafeText(problem.name)) \(problem.words)",
          advice: problem.isUnknown
            ? near.map { "did you mean \($0)?" } ?? "remove it; Docs/Security.md lists them"
            : "correct it; until then it is not requested"
        )
      )
    }
    if widget.entitlements.declinesSandbox, !isBundled {
      let name = Entitlement.sandbox.rawValue
      findings.append(
        LintFinding(
          .declinesSandbox,
          file,
          at: place(name),
          member: name,
          "only widgets that come with the program, or are trusted one by one, run outside of the sandbox",
          advice: "request what the widget needs instead"
        )
      )
    }
    for request in widget.entitlements.requests {
      for item in request.items where Self.isBroad(item, request.entitlement) {
        let name = request.entitlement.rawValue
        findings.append(
          LintFinding(
            .acceptAll,
            file,
            at: place(name),
            member: name,
            "“\(SafeText(item))” is more than one widget should have",
            advice: "request what it uses, and no more"
          )
        )
      }
    }
    return findings
  }

  /// Folders with what many programs keep, and half of a bus.
  private static func isBroad(_ item: String, _ entitlement: Entitlement) -> Bool {
    switch entitlement {
    case .homeFiles:
      [".ssh", ".gnupg", ".config", ".local", ".local/share", ".mozilla"].contains(item)
    case .desktopBus: item.hasSuffix(".*") && item.split(separator: ".").count < 4
    case .sockets: ["/run", "/var/run", "/tmp", "/run/user", "/run/dbus"].contains(item)
    case .devices: item.split(separator: "/").count < 2
    default: false
    }
  }
}
