import Glibc
public import WidgetKitCore
public import WidgetPlatform

/// Decides how the apps of widgets are started: those that were installed in the sandbox, with their own containers
/// and groups and what was granted, unless the user trusts them.
///
/// A class because the sandbox is one.
@MainActor public final class AppConfinement {
  private let sandbox: Sandbox
  private let installed: [String]
  private let folders: StateFolders
  private let stored: StoredPermissions
  private let owners: GroupOwners
  private let environment: [String: String]
  private let processLimit: Int

  /// Creates it for the programs of a user.
  ///
  /// - Parameters:
  ///   - sandbox: The sandbox.
  ///   - environment: The user's environment.
  ///   - executable: The path of the program `today`, beside which its own bundles are.
  ///   - processLimit: The processes that an app may have.
  public init(
    _ sandbox: Sandbox,
    environment: [String: String],
    executable: String,
    processLimit: Int = ResourceLimits().processes
  ) {
    self.sandbox = sandbox
    self.environment = environment
    self.processLimit = processLimit
    let paths = SearchPaths(environment: environment, executable: executable)
    installed = paths.folders.filter { $0 != paths.ownBundles }
      .flatMap { [$0, resolvedPath($0) ?? $0] }
    folders = StateFolders(environment: environment)
    stored = StoredPermissions(folders)
    owners = GroupOwners(folders)
  }

  /// Whether an app is one that was installed, and not one of the program or of the command line.
  private func isInstalled(_ app: AppBundle) -> Bool {
    [app.path, resolvedPath(app.path) ?? app.path].contains { path in
      installed.contains { path.hasPrefix($0 + "/") }
    }
  }

  /// What the user has answered about an app; nothing, if that was another bundle.
  private func record(of app: AppBundle) -> PermissionRecord {
    let record = stored.read(app.bundleIdentifier)
    return record.place == nil || record.place == app.path ? record : PermissionRecord()
  }

  /// Whether an app may be started without a press, and outside of the sandbox: the user trusts it, or has named it.
  public func isTrusted(_ app: AppBundle) -> Bool {
    !isInstalled(app) || record(of: app).isTrusted
  }

  /// What is asked for by an app itself, and whether it is permitted.
  public func permissions(of app: AppBundle) -> [Permission] {
    let record = record(of: app)
    let foreign = isInstalled(app) ? owners.foreignRequests(of: app) : []
    let requests = app.entitlements.requests.filter(\.entitlement.needsPermission) + foreign
    return requests.map { request in
      let state: Permission.State =
        !isInstalled(app) || record.grants(request)
        ? .granted : record.refuses(request) ? .refused : .open
      return Permission(request: request, state: state)
    }
  }

  /// Describes how an app is started.
  ///
  /// - Parameters:
  ///   - app: The app.
  ///   - arguments: Its arguments.
  /// - Returns: The start, and the folders that it may write to have been made.
  /// - Throws: ``HostError`` if there is no sandbox for it.
  func start(_ app: AppBundle, _ arguments: [String]) throws(HostError) -> LaunchDescription {
    let permissions = permissions(of: app)
    var containers = folders.containers(of: app)
    if isInstalled(app) {
      let foreign = permissions.filter { $0.request.entitlement == .groups && $0.state != .granted }
      for group in foreign.flatMap(\.request.items) { containers.groups[group] = nil }
      let named = Set(owners.foreignRequests(of: app).flatMap(\.items))
      owners.claim(app.groups.filter { !named.contains($0) }, for: app.bundleIdentifier)
    }
    StateFolders.make(containers)
    let plain = LaunchDescription(
      program: app.executablePath,
      arguments: arguments,
      environment: WidgetEnvironment.make(forAppFrom: environment, containers: containers),
      folder: app.path
    )
    // What must be in the sandbox is, whoever trusts it.
    if isTrusted(app), !sandbox.isRequired { return plain }
    switch sandbox.level {
    case .off: return plain
    case .none(let reason): throw .withoutSandbox(app, reason)
    case .partial(let reason) where sandbox.isRequired: throw .withoutSandbox(app, reason)
    case .full, .partial: break
    }
    var launch = plain
    launch.environment = WidgetEnvironment.make(
      from: environment,
      bundle: app.path,
      containers: containers
    )
    let granted = permissions.filter { $0.state == .granted }.map(\.request)
    let withheld = sandbox.withheld(of: granted)
    var profile = SandboxProfile(folder: app.path, environment: environment, folders)
    profile.processLimit = processLimit + 8
    profile.readable = [app.path]
    profile.writable = [containers.data, containers.cache] + containers.groups.values.sorted()
    profile.writable.removeAll { !StateFolders.make($0) }
    for request in granted where withheld[request.entitlement] == nil {
      profile.add(request, environment: environment)
    }
    if case .partial = sandbox.level {
      let temporary = "\(containers.cache)/tmp"
      if StateFolders.make(temporary) { profile.temporary = temporary }
    }
    profile.dropInnerPaths()
    guard let confined = try sandbox.confine(launch, profile) else {
      throw .withoutSandbox(app, "it does not start")
    }
    return confined
  }
}

extension HostError {
  fileprivate static func withoutSandbox(_ app: AppBundle, _ reason: String) -> HostError {
    HostError(
      code: .withheld,
      description:
        "the app \(app.bundleIdentifier) is not started, as there is no sandbox (\(reason)); "
        + "today permissions \(app.bundleIdentifier) --grant trust lets it do what you can"
    )
  }
}
