public import WidgetKitCore
public import WidgetPlatform

/// The permissions of widgets as commands see them.
public struct PermissionBook: Sendable {
  private let paths: SearchPaths
  private let stored: StoredPermissions
  private let folders: StateFolders
  private let owners: GroupOwners

  /// Opens the permissions of a user.
  ///
  /// - Parameters:
  ///   - paths: The folders in which the widgets were found.
  ///   - environment: The user's environment, which says where the program's files are.
  public init(_ paths: SearchPaths, environment: [String: String]) {
    self.paths = paths
    folders = StateFolders(environment: environment)
    stored = StoredPermissions(folders)
    owners = GroupOwners(folders)
  }

  /// How a widget came to be installed.
  public func origin(of bundle: WidgetBundle) -> BundleOrigin { paths.origin(of: bundle) }

  /// What a widget requests, and whether it is permitted.
  public func permissions(of bundle: WidgetBundle) -> [Permission] {
    let origin = origin(of: bundle)
    return Permission.all(
      of: bundle,
      from: origin,
      record(of: bundle),
      foreign: origin == .installed ? owners.foreignRequests(of: bundle) : []
    )
  }

  /// Notes the groups of a widget that belong to nobody as those of its app, which is the first to use them.
  func claimGroups(of bundle: WidgetBundle) {
    guard let app = bundle.containingApp, origin(of: bundle) == .installed else { return }
    let groups = bundle.sharedGroups(.groups) + bundle.sharedGroups(.secretGroups)
    owners.claim(groups, for: app.bundleIdentifier)
  }

  /// Returns the cards to which the pages that are open have permitted a request once.
  ///
  /// - Parameters:
  ///   - request: A request of a widget.
  ///   - bundle: The widget.
  /// - Returns: Their identities as text, such as `ID` and `ID:NAME`; sorted.
  public func cardsPermittedOnce(
    _ request: EntitlementRequest,
    of bundle: WidgetBundle
  ) -> [String] {
    OnceGrants.widgets(with: request, of: bundle.bundleIdentifier, in: folders)
  }

  /// What the user has answered for the app of a widget; nothing, if that was another bundle.
  func record(of bundle: WidgetBundle) -> PermissionRecord {
    let record = stored.read(bundle.permissionHolder)
    guard let place = record.place, place != bundle.place(in: origin(of: bundle)) else {
      return record
    }
    return PermissionRecord()
  }

  // MARK: - Whose identifier it is

  /// The path of the other bundle to which what is stored for the identifier of a widget belongs; nil if it is
  /// this one's.
  ///
  /// Bundles that the user names on the command line are those that he means.
  public func otherPlace(of bundle: WidgetBundle) -> String? {
    guard let own = bundle.place(in: origin(of: bundle)),
      let place = stored.read(bundle.permissionHolder).place, place != own
    else { return nil }
    return place
  }

  /// Notes that what is stored for the identifier of a widget belongs to its bundle, if that is nobody's; what
  /// cannot be written is noted the next time.
  func claimIdentifier(of bundle: WidgetBundle) {
    guard let own = bundle.place(in: origin(of: bundle)),
      stored.read(bundle.permissionHolder).place == nil
    else { return }
    try? stored.change(bundle.permissionHolder) { $0.place = $0.place ?? own }
  }

  /// Passes what is stored for the identifier of a widget on to its bundle; the answers that were for another
  /// one are forgotten.
  ///
  /// - Throws: ``HostError`` if the file cannot be written.
  public func takeOver(_ bundle: WidgetBundle) throws(HostError) {
    guard let own = bundle.place(in: origin(of: bundle)) else { return }
    try stored.change(bundle.permissionHolder) { record in
      record = PermissionRecord()
      record.place = own
    }
  }

  private func change(
    _ bundle: WidgetBundle,
    _ change: (inout PermissionRecord) -> Void
  ) throws(HostError) {
    claimIdentifier(of: bundle)
    try stored.change(bundle.permissionHolder, change)
  }

  /// Whether a widget runs outside of the sandbox because it comes with the program and its entitlements say
  /// that the sandbox would hinder it.
  public func isOutside(_ bundle: WidgetBundle, isRequired: Bool) -> Bool {
    !isRequired && bundle.entitlements.declinesSandbox && origin(of: bundle) == .bundled
  }

  /// Whether the widgets of its app may run where there is no sandbox.
  public func isTrusted(_ bundle: WidgetBundle) -> Bool {
    origin(of: bundle) != .installed || record(of: bundle).isTrusted
  }

  /// Permits or refuses requests of the app of a widget.
  ///
  /// - Parameters:
  ///   - isGranted: Whether they are permitted.
  ///   - requests: Requests of its widgets.
  ///   - bundle: The widget.
  /// - Throws: ``HostError`` if the file cannot be written.
  public func set(
    _ isGranted: Bool,
    _ requests: [EntitlementRequest],
    of bundle: WidgetBundle
  ) throws(HostError) {
    try change(bundle) { record in
      for request in requests {
        if isGranted { record.grant(request) } else { record.refuse(request) }
      }
    }
  }

  /// The URL schemes that the user was asked about for the app of a widget, and whether its widgets may open
  /// them; in order.
  public func schemes(of bundle: WidgetBundle) -> [(scheme: String, isGranted: Bool)] {
    record(of: bundle).schemes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Sets whether the widgets of its app may open URLs with these schemes.
  ///
  /// - Throws: ``HostError`` if the file cannot be written.
  public func set(
    _ isGranted: Bool,
    schemes: [String],
    of bundle: WidgetBundle
  ) throws(HostError) {
    guard !schemes.isEmpty else { return }
    try change(bundle) { record in
      for scheme in schemes { record.schemes[scheme] = isGranted }
    }
  }

  /// The commands of a script that the user was asked about, and whether they may run; in order.
  public func commands(of bundle: WidgetBundle) -> [(command: String, isGranted: Bool)] {
    record(of: bundle).commands.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Sets whether a script may run these commands.
  ///
  /// - Throws: ``HostError`` if the file cannot be written.
  public func set(
    _ isGranted: Bool,
    commands: [String],
    of bundle: WidgetBundle
  ) throws(HostError) {
    for command in commands {
      try stored.setCommand(command, isGranted, of: bundle.permissionHolder)
    }
  }

  /// The answers about commands that are not those of a bundle, by the name under which they are kept.
  public func commands(of holder: String) -> [String: Bool] { stored.read(holder).commands }

  /// Sets whether such a command may run.
  ///
  /// - Throws: ``HostError`` if it is too long, or cannot be written.
  public func set(_ isGranted: Bool, command: String, of holder: String) throws(HostError) {
    try stored.setCommand(command, isGranted, of: holder)
  }

  /// Why a command cannot be permitted as it is written; nil if it can.
  public static func fault(ofCommand command: String) -> String? { CommandConsent.fault(command) }

  /// Sets whether the widgets of its app may run where there is no sandbox.
  ///
  /// - Throws: ``HostError`` if the file cannot be written.
  public func setTrusted(_ isTrusted: Bool, _ bundle: WidgetBundle) throws(HostError) {
    try change(bundle) { $0.isTrusted = isTrusted }
  }
}
