import FoundationEssentials
package import WidgetKitCore
package import WidgetPlatform

/// To whom the groups belong in which apps share files and secrets.
///
/// A group belongs to the developer whose prefix its name has (`group.com.example.Sheet` to `com.example`), and
/// otherwise to the app that has used it first, which is kept in a file.
package struct GroupOwners: Sendable {
  private let folder: String

  private static let name = "group-owners.json"
  private static let byteLimit = 256 * 1024
  private static let countLimit = 2_000

  package init(_ folders: StateFolders) {
    folder = folders.state
  }

  private var path: String { "\(folder)/\(Self.name)" }

  /// The apps that have used groups first, by the names of the groups.
  private func recorded() -> [String: String] {
    guard let bytes = DurableFile.read(path, byteLimit: Self.byteLimit) else { return [:] }
    return (try? JSONDecoder().decode([String: String].self, from: Data(bytes))) ?? [:]
  }

  /// The groups of others that a widget shares: for each kind, the groups and to whom they belong.
  package func foreignRequests(of bundle: WidgetBundle) -> [EntitlementRequest] {
    guard let app = bundle.containingApp?.bundleIdentifier else { return [] }
    return foreignRequests(
      app,
      [
        (.groups, bundle.sharedGroups(.groups)),
        (.secretGroups, bundle.sharedGroups(.secretGroups)),
      ]
    )
  }

  /// The groups of others that an app shares.
  package func foreignRequests(of app: AppBundle) -> [EntitlementRequest] {
    foreignRequests(app.bundleIdentifier, [(.groups, app.groups)])
  }

  private func foreignRequests(
    _ app: String,
    _ kinds: [(Entitlement, [String])]
  ) -> [EntitlementRequest] {
    guard kinds.contains(where: { !$0.1.isEmpty }) else { return [] }
    let recorded = recorded()
    return kinds.compactMap { kind, groups in
      let foreign = groups.compactMap { group in
        Self.owner(of: group, recorded, besides: app).map { (group, $0) }
      }
      guard !foreign.isEmpty else { return nil }
      var request = EntitlementRequest(kind, items: foreign.map(\.0))
      request.owners = Set(foreign.map(\.1)).sorted()
      return request
    }
  }

  /// Notes groups that belong to nobody as those of an app; what cannot be written is noted the next time.
  package func claim(_ groups: [String], for app: String) {
    let free = free(groups, recorded(), app)
    guard !free.isEmpty else { return }
    try? change { recorded in
      for group in self.free(groups, recorded, app) where recorded.count < Self.countLimit {
        recorded[group] = app
      }
    }
  }

  /// Forgets to whom groups belong, which have been removed.
  package func forget(_ groups: Set<String>) {
    guard recorded().keys.contains(where: groups.contains) else { return }
    try? change { recorded in
      for group in groups { recorded[group] = nil }
    }
  }

  private func change(_ change: (inout [String: String]) -> Void) throws(HostError) {
    try OwnFolder.whileLocked(folder, of: "groups") { _ throws(HostError) in
      var recorded = recorded()
      change(&recorded)
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      guard let bytes = try? encoder.encode(recorded) else { return }
      try DurableFile.write(Array(bytes) + [0x0A], to: path)
    }
  }

  private func free(_ groups: [String], _ recorded: [String: String], _ app: String) -> [String] {
    groups.filter { group in
      Self.named(group) == nil && Self.owner(of: group, recorded, besides: app) == nil
        && recorded[group] != app
    }
  }

  // MARK: - Developers

  /// To whom a group belongs, if that is not the developer of an app.
  private static func owner(
    of group: String,
    _ recorded: [String: String],
    besides app: String
  ) -> String? {
    let developer = developer(of: app)
    if self.developer(of: name(group)) == developer { return nil }
    if let named = named(group) { return named }
    guard let first = recorded[group], self.developer(of: first) != developer else { return nil }
    return first
  }

  /// The developer whose prefix a group has; nil for one that does not begin with a domain.
  private static func named(_ group: String) -> String? {
    let name = name(group)
    guard let first = name.split(separator: ".").first, isTopLevel(first) else { return nil }
    let developer = developer(of: name)
    return developer.contains(".") ? developer : nil
  }

  private static func name(_ group: String) -> String {
    group.hasPrefix("group.") ? String(group.dropFirst("group.".count)) : group
  }

  /// The developer of an app: the first two labels of its identifier; three where many have the same two.
  static func developer(of identifier: String) -> String {
    let labels = identifier.lowercased().split(separator: ".")
    let two = labels.prefix(2).joined(separator: ".")
    return sharedDomains.contains(two) ? labels.prefix(3).joined(separator: ".") : two
  }

  /// Whether a label can be the end of a domain: that of a country, or one of the general ones.
  private static func isTopLevel(_ label: Substring) -> Bool {
    let label = label.lowercased()
    return label.utf8.count == 2 && label.utf8.allSatisfy { (0x61...0x7A).contains($0) }
      || topLevel.contains(label)
  }

  private static let topLevel: Set<String> = [
    "academy", "app", "arpa", "biz", "blog", "cloud", "codes", "com", "community", "design", "dev",
    "digital", "edu", "email", "foundation", "games", "gov", "group", "info", "int", "live",
    "media", "mil", "mobi", "museum", "name", "net", "network", "online", "org", "page", "pro",
    "software", "site", "space", "studio", "systems", "tech", "technology", "tools", "wiki", "work",
    "world", "xyz", "zone",
  ]

  /// Domains below which everybody can have a name.
  private static let sharedDomains: Set<String> = [
    "app.netlify", "app.vercel", "au.com", "br.com", "com.bitbucket", "com.blogspot", "com.github",
    "com.gitlab", "com.google.sites", "com.wordpress", "dev.pages", "dev.workers", "fr.free",
    "in.co", "io.bitbucket", "io.github", "io.gitlab", "io.readthedocs", "io.sourceforge", "jp.co",
    "net.sourceforge", "net.launchpad", "nz.co", "org.codeberg", "org.freedesktop", "org.notabug",
    "page.codeberg", "ht.sr", "uk.ac", "uk.co", "uk.me", "uk.org", "za.co",
  ]
}

extension WidgetBundle {
  /// The same widget without the groups that these requests name, apart from what was permitted.
  package func withholding(_ requests: [EntitlementRequest]) -> WidgetBundle {
    var bundle = self
    bundle.withheldGroups = Dictionary(
      requests.map { ($0.entitlement, Set($0.items)) },
      uniquingKeysWith: { $0.union($1) }
    )
    return bundle
  }
}
