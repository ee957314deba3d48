import CPlatform
package import ExtensionContent
import FoundationEssentials
import Glibc
import PageRecords
public import WidgetExtensions
public import WidgetKitCore
public import WidgetPlatform

/// Installs and removes the bundles of a user: below `$XDG_DATA_HOME/today/widgets`, whole or not at all.
///
/// A bundle is first copied to a hidden folder beside the others and checked there. A rename then puts it
/// in its place; one that replaces another exchanges their names in one step.
public final class BundleInstaller {
  /// A bundle that was copied and checked, and is not in its place yet.
  public struct Staged {
    /// The name of its folder, such as `Clock.widget`.
    public var name: String
    /// The app; nil for a widget by itself.
    public var app: AppBundle?
    /// Its widgets.
    public var widgets: [WidgetBundle]
    /// Its share extensions and actions.
    package var contents: [ContentExtension] = []
    /// The path of the installed bundle that it replaces; nil if it is new.
    public var replaced: String?

    /// What is run of its extensions of all points.
    package var bundles: [WidgetBundle] { widgets + contents.map { WidgetBundle($0.bundle) } }

    /// The identifier of the app, or else of the extension.
    public var bundleIdentifier: String {
      app?.bundleIdentifier ?? bundles.first?.bundleIdentifier ?? name
    }
  }

  /// The folder of the user's bundles.
  public let folder: String
  private let stateFolders: StateFolders
  private let environment: [String: String]
  private let catalog: BundleCatalog
  private var present: PresentBundles { PresentBundles(catalog: catalog) }
  private let clock: any HostClock
  private var staging: String?

  /// The beginning of the names of hidden folders, which no search for bundles looks at.
  private static let stagingPrefix = ".install-"
  private static let patience: Duration = .seconds(5)

  /// Creates an installer.
  ///
  /// - Parameters:
  ///   - environment: The environment, with the XDG folders and `PATH`.
  ///   - catalog: The bundles that are installed, in the user's folder or elsewhere.
  public convenience init(environment: [String: String], catalog: BundleCatalog) {
    self.init(environment: environment, catalog: catalog, clock: SystemClock())
  }

  init(environment: [String: String], catalog: BundleCatalog, clock: any HostClock) {
    self.environment = environment
    self.catalog = catalog
    self.clock = clock
    stateFolders = StateFolders(environment: environment)
    folder = stateFolders.data + "/widgets"
  }

  // MARK: - Staging

  /// Copies or unpacks a bundle to a hidden folder, and checks it.
  ///
  /// - Parameter source: An `.app` or a `.widget` folder, or an archive with one of them at its top.
  /// - Returns: The bundle; call ``install(_:)`` or ``discard()`` next.
  /// - Throws: ``HostError`` that names the file and what is wrong with it; nothing is left behind.
  public func stage(_ source: String) async throws(HostError) -> Staged {
    do throws(HostError) {
      ScratchFolder.sweep(folder, [Self.stagingPrefix])
      let hidden = ScratchFolder.name(Self.stagingPrefix)
      _ = try Self.open(hidden, in: folder)
      staging = hidden
      var status = stat()
      guard unsafe lstat(source, &status) == 0 else {
        let number = errno
        throw number == ENOENT || number == ENOTDIR
          ? HostError(code: .missing, description: "there is no \(source)")
          : .file("read", source, number)
      }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: return try await stageFolder(source, hidden)
      case S_IFREG: return try await stageArchive(source, hidden)
      default:
        throw HostError(
          code: .file,
          description: "\(source) cannot be installed: \(FileFault.kind(of: status.st_mode))"
        )
      }
    } catch {
      discard()
      throw error
    }
  }

  /// Removes the copy that was not installed.
  public func discard() {
    guard let staging else { return }
    self.staging = nil
    if let open = try? OwnFolder.open(folder) { open.removeTree(staging) }
  }

  /// Opens a folder among the user's bundles, and makes it.
  private nonisolated static func open(
    _ name: String,
    in folder: String
  ) throws(HostError) -> OwnFolder {
    do throws(FileFault) {
      return try OwnFolder.open(folder, makes: true).folder(name, makes: true)
    } catch {
      throw .file("create", "\(folder)/\(name)", error)
    }
  }

  private func stageFolder(_ source: String, _ hidden: String) async throws(HostError) -> Staged {
    let trimmed = source.hasSuffix("/") ? String(source.dropLast()) : source
    let name = OwnPath.split(trimmed).name
    guard OwnPath.isPlain(name), Self.isBundleName(name) else {
      throw HostError(
        code: .file,
        description: "\(source) is not a bundle: its name must end in .app, .widget or .appex"
      )
    }
    try await copy(trimmed, to: hidden, as: name)
    return try await check(name, in: hidden)
  }

  private func copy(_ source: String, to hidden: String, as name: String) async throws(HostError) {
    let folder = folder
    try await Worker.background.result { () throws(HostError) in
      try BundleTree.copy(source, into: try Self.open(hidden, in: folder), as: name)
    }
  }

  /// Whether a name is that of a bundle.
  nonisolated static func isBundleName(_ name: String) -> Bool {
    let endings = [".app"] + ExtensionBundle.endings
    return !name.hasPrefix(".") && endings.contains { name.hasSuffix($0) && name != $0 }
  }

  /// Reads the bundle in its hidden folder as the page would.
  private func check(_ name: String, in hidden: String) async throws(HostError) -> Staged {
    let place = "\(folder)/\(hidden)"
    let path = "\(place)/\(name)"
    let searched = await Worker.background.result {
      BundleCatalog.scan(SearchPaths(named: [place], environment: [:], executable: nil))
    }
    // The hidden path means nothing to the user.
    if let problem = searched.problems.first {
      let words = problem.description.replacing("\(place)/", with: "")
      throw HostError(code: .file, description: words)
    }
    let app = searched.apps.first { $0.path == path }
    let contents = searched.contentExtensions.filter { $0.script == nil }
    guard !searched.widgets.isEmpty || !contents.isEmpty else {
      throw HostError(
        code: .file,
        description: "\(name) has no widget, no share extension and no action"
      )
    }
    var staged = Staged(name: name, app: app, widgets: searched.widgets, contents: contents)
    staged.replaced = try installed(staged)
    return staged
  }

  /// The path of the bundle of the same identifier in the user's folder; nil if there is none.
  ///
  /// - Throws: ``HostError`` if another bundle has one of the identifiers, or the name.
  private func installed(_ staged: Staged) throws(HostError) -> String? {
    let path = present.path(of: staged.bundleIdentifier, in: folder)
    let identifiers = [staged.bundleIdentifier] + staged.bundles.map(\.bundleIdentifier)
    for identifier in identifiers {
      let isWidget = staged.widgets.contains { $0.bundleIdentifier == identifier }
      let kind = isWidget ? "widget" : "identifier"
      if let rule = ReservedIdentifiers.rule(for: identifier) {
        throw HostError(
          code: .file,
          description: "\(staged.name): its identifier is “\(identifier)”; expected \(rule)"
        )
      }
      for owner in present.owners(of: identifier) where owner != path {
        throw HostError(
          code: .file,
          description: "\(staged.name): \(owner) already has the \(kind) \(identifier)"
        )
      }
    }
    // Another kind of bundle would have what was permitted to the old one, and its secrets.
    if let path, path.hasSuffix(".app") != (staged.app != nil) {
      let (kind, other) =
        staged.app == nil ? ("an extension", "an app") : ("an app", "an extension")
      throw HostError(
        code: .file,
        description:
          "\(staged.name) is \(kind), and \(path), which has the same identifier, is \(other); "
          + "uninstall that first, with what it has stored: today uninstall \(staged.bundleIdentifier)"
      )
    }
    let place = "\(folder)/\(staged.name)"
    var status = stat()
    guard unsafe lstat(place, &status) != 0 || place == path else {
      throw HostError(
        code: .file,
        description: "\(place) is another bundle; rename the new one, or uninstall the other"
      )
    }
    return path
  }

  /// The URL schemes of a bundle that other apps have too, each with the path of the first of those.
  public func takenSchemes(of staged: Staged) -> [(scheme: String, owner: String)] {
    (staged.app?.urlSchemes ?? []).compactMap { scheme in
      catalog.apps.first {
        $0.bundleIdentifier != staged.bundleIdentifier && $0.urlSchemes.contains(scheme)
      }.map { (scheme, $0.path) }
    }
  }

  private func stageArchive(_ source: String, _ hidden: String) async throws(HostError) -> Staged {
    let unpacked = "unpacked"
    do throws(FileFault) {
      _ = try OwnFolder.open("\(folder)/\(hidden)").folder(unpacked, makes: true)
    } catch {
      throw .file("create", "\(folder)/\(hidden)/\(unpacked)", error)
    }
    let place = "\(folder)/\(hidden)/\(unpacked)"
    let archive = BundleArchive(source, environment: environment, clock: clock)
    let name = try await archive.unpack(into: place)
    try await copy("\(place)/\(name)", to: hidden, as: name)
    try Self.open(hidden, in: folder).removeTree(unpacked)
    return try await check(name, in: hidden)
  }

  // MARK: - Installing

  /// Puts a checked bundle in its place; `today` on the screen announces it.
  ///
  /// - Returns: The path of the installed bundle.
  /// - Throws: ``HostError``; the bundle that was there before is still there.
  @discardableResult
  public func install(_ staged: Staged) throws(HostError) -> String {
    defer { discard() }
    guard let staging else {
      throw HostError(code: .file, description: "\(staged.name) was not prepared for installation")
    }
    return try changingBundles { top throws(HostError) in
      let source = "\(staging)/\(staged.name)"
      let target = staged.replaced.map { OwnPath.split($0).name } ?? staged.name
      // The old bundle goes to the hidden folder, which is removed.
      guard unsafe platform_rename(top.number, source, target, staged.replaced == nil ? 0 : 1) == 0
      else {
        throw .file("install", "\(folder)/\(target)", errno)
      }
      fsync(top.number)
      return "\(folder)/\(target)"
    }
  }

  private func changingBundles<Result>(
    _ work: (borrowing OwnFolder) throws(HostError) -> Result
  ) throws(HostError) -> Result {
    try OwnFolder.whileLocked(folder, of: "bundles", patience: Self.patience, work)
  }

  // MARK: - Uninstalling

  /// An installed bundle that is to be removed.
  public struct Installed {
    /// Its path.
    public var path: String
    /// The identifiers of the app and of its extensions.
    public var identifiers: [String]

    /// A bundle of which only the path is known.
    package init(path: String, identifiers: [String]) {
      (self.path, self.identifiers) = (path, identifiers)
    }
  }

  /// Finds what an identifier names: an app with its extensions, or an extension by itself.
  ///
  /// - Throws: ``HostError`` if it is not in the user's folder, or an extension of an app.
  public func installed(_ identifier: String) throws(HostError) -> Installed {
    if let path = present.path(of: identifier, in: folder) {
      let found = present.bundles.filter {
        $0.path == path || $0.containingApp?.bundleIdentifier == identifier
      }
      let ids = [identifier] + found.map(\.bundleIdentifier).filter { $0 != identifier }
      return Installed(path: path, identifiers: ids)
    }
    let found = present.bundles.first { $0.bundleIdentifier == identifier }
    if let app = found?.containingApp {
      throw HostError(
        code: .file,
        description: "\(identifier) belongs to the app \(app.bundleIdentifier); uninstall the app"
      )
    }
    if let found {
      let reason =
        found.script == nil
        ? "is not in \(folder); it is not yours to uninstall"
        : "is a script of your own, which was not installed"
      throw HostError(
        code: .file,
        description:
          "\(found.path) \(reason); “today remove \(identifier)” takes it off the page"
      )
    }
    let other = catalog.app(withIdentifier: identifier)?.path
    throw HostError(
      code: other == nil ? .missing : .file,
      description: other.map { "\($0) is not in \(folder); it is not yours to uninstall" }
        ?? "no widget or app “\(identifier)” is installed; “today list” lists widgets, and “today list "
        + "--extensions” others"
    )
  }

  /// The groups that are removed with a bundle, as no other app uses them; sorted.
  public func groupsLeft(by installed: Installed) -> [String] {
    LeftGroups(Set(installed.identifiers), in: catalog, environment: environment).groups.sorted()
  }

  /// Removes a bundle and all that was stored for its widgets: containers, settings, snapshots, logs, secrets,
  /// transfers, their places on the pages, and groups that no other app uses.
  ///
  /// - Parameters:
  ///   - installed: The bundle.
  ///   - secrets: Where secrets are kept; nil for files.
  /// - Returns: What could not be removed beside the bundle, in words; nil if nothing is left.
  /// - Throws: ``HostError`` if the bundle cannot be removed; then nothing was.
  @discardableResult
  public func uninstall(
    _ installed: Installed,
    secrets: SecretStorage? = nil
  ) throws(HostError) -> String? {
    let identifiers = Set(installed.identifiers)
    let left = LeftGroups(identifiers, in: catalog, environment: environment)
    return try changingBundles { top throws(HostError) in
      let hidden = ScratchFolder.name(Self.stagingPrefix)
      do throws(FileFault) {
        try top.rename(OwnPath.split(installed.path).name, to: hidden)
      } catch {
        // A program that was killed may have removed it, and not what was stored for it.
        guard error == .absent else { throw .file("remove", installed.path, error) }
      }
      top.removeTree(hidden)
      // A page that is open ends its widgets before what they have stored is removed.
      _ = OrphanedState.erase(
        identifiers,
        fromPagesIn: stateFolders,
        present: "\(stateFolders.pages)/none.json"
      )
      left.removeTransfers(of: identifiers)
      left.removeGroups()
      let trouble = left.removeSecrets(secrets ?? SecretStorage(files: stateFolders))
      for identifier in installed.identifiers {
        OrphanedState.erase(ExtensionIdentity(identifier), from: stateFolders)
      }
      return trouble.map { "secrets are left: \($0)" }
    }
  }

  // MARK: - Groups of others

  /// The groups of other developers that a bundle shares if it is permitted, and that it was not permitted yet.
  ///
  /// Groups that belong to nobody are first noted as those of the apps that are installed already.
  public func foreignRequests(of staged: Staged) -> [EntitlementRequest] {
    let owners = GroupOwners(stateFolders)
    for app in catalog.apps where app.bundleIdentifier != staged.bundleIdentifier {
      let foreign = owners.foreignRequests(of: app).flatMap(\.items)
      let secrets = app.entitlements[.secretGroups]?.items ?? []
      owners.claim(
        (app.groups + secrets).filter { !foreign.contains($0) },
        for: app.bundleIdentifier
      )
    }
    var record = StoredPermissions(stateFolders).read(staged.bundleIdentifier)
    if let place = record.place, place != staged.replaced { record = PermissionRecord() }
    var requests: [EntitlementRequest] = []
    for request in staged.bundles.flatMap(owners.foreignRequests)
    where !record.grants(request) && !requests.contains(request) {
      requests.append(request)
    }
    return requests
  }
}
