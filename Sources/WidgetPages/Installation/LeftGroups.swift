import ExtensionContent
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// What apps and widgets share, and leave behind when they are removed: groups that nobody else uses, secrets, and
/// transfers.
nonisolated struct LeftGroups {
  private let folders: StateFolders
  private let environment: [String: String]

  /// The names of the groups with files that are removed.
  private(set) var groups: Set<String> = []
  /// The names of the groups of secrets that are removed.
  private(set) var secretGroups: Set<String> = []

  /// Finds what some bundles leave.
  ///
  /// - Parameters:
  ///   - identifiers: The identifiers of the apps and widgets that are removed.
  ///   - catalog: All bundles, these among them.
  ///   - environment: The user's environment.
  init(_ identifiers: Set<String>, in catalog: BundleCatalog, environment: [String: String]) {
    self.environment = environment
    folders = StateFolders(environment: environment)
    func isLeaving(_ bundle: WidgetBundle) -> Bool {
      identifiers.contains(bundle.bundleIdentifier)
    }
    secretGroups = identifiers
    for app in catalog.apps where identifiers.contains(app.bundleIdentifier) {
      groups.formUnion(app.groups)
      secretGroups.formUnion(app.groups + (app.entitlements[.secretGroups]?.items ?? []))
    }
    let book = PermissionBook(
      SearchPaths(environment: environment, executable: nil),
      environment: environment
    )
    // A group of others that was not permitted is not used.
    for app in catalog.apps where !identifiers.contains(app.bundleIdentifier) {
      let foreign = GroupOwners(folders).foreignRequests(of: app).flatMap(\.items)
      groups.subtract(app.groups.filter { !foreign.contains($0) })
      secretGroups.subtract(app.groups.filter { !foreign.contains($0) })
    }
    let contents = catalog.contentExtensions.filter { $0.script == nil }
    for widget in catalog.widgets + contents.map({ WidgetBundle($0.bundle) })
    where !isLeaving(widget) {
      let withheld = book.permissions(of: widget).filter { $0.state != .granted }.map(\.request)
      let used = widget.withholding(withheld)
      groups.subtract(used.groups)
      secretGroups.subtract(used.secretGroups + [widget.bundleIdentifier])
    }
    // Those of a developer who is not this one stay his.
    for app in catalog.apps where identifiers.contains(app.bundleIdentifier) {
      let foreign = GroupOwners(folders).foreignRequests(of: app).flatMap(\.items)
      groups.subtract(foreign)
      secretGroups.subtract(foreign)
    }
  }

  /// Ends and removes the transfers of apps; the process that keeps one ends when its record is gone.
  func removeTransfers(of identifiers: Set<String>) {
    let book = TransferBook(folders)
    let records = book.records().filter {
      identifiers.contains($0.app) || identifiers.contains($0.widget)
    }
    book.remove(records.map(\.task))
    for record in records { TransferFiles(record, book, folders).removePart() }
  }

  /// Removes the groups, with their files.
  func removeGroups() {
    if let folder = try? OwnFolder.open(folders.groups) {
      for name in folder.names() where groups.contains(name) { folder.removeTree(name) }
    }
    GroupOwners(folders).forget(groups.union(secretGroups))
  }

  /// Removes the secrets.
  ///
  /// - Returns: Why some are left, in words; nil if none are.
  func removeSecrets(_ storage: SecretStorage) -> String? {
    secretGroups.sorted().compactMap(storage.erase).first
  }
}

nonisolated extension SecretStorage {
  /// Removes all secrets of an access group, wherever they are.
  ///
  /// - Returns: Why some are left, in words; nil if none are.
  func erase(_ name: String) -> String? {
    do throws(SecretFile.Refusal) {
      let group = try group(name)
      for text in try group.names() {
        if let secret = SecretName(text) { try group.delete(secret) }
      }
      return nil
    } catch {
      guard case .unusable(let reason) = error else { return nil }
      return reason
    }
  }
}
