public import WidgetKitCore

/// The permissions of widgets as commands see them.
public nonisolated struct PermissionBook: Sendable {
  private let paths: SearchPaths
  private let stored: StoredPermissions
  private let folders: StateFolders

  /// Opens the permissions of a user.
  ///
  /// - Parameters:
  ///   - paths: The folders in which the widgets were found.
  ///   - environment: The user's environment, which says where the program's files are.
  public init(_ paths: SearchPaths, environment: [String: String]) {
    self.paths = paths
    folders = StateFolders(environment: environment)
    stored = StoredPermissions(folders)
  }

  /// How a widget came to be installed.
  public func origin(of bundle: WidgetBundle) -> BundleOrigin { paths.origin(of: bundle) }

  /// What a widget requests, and whether it is permitted.
  public func permissions(of bundle: WidgetBundle) -> [Permission] {
    Permission.all(of: bundle, from: origin(of: bundle), record(of: bundle))
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

  /// What the user has answered for the app of a widget.
  func record(of bundle: WidgetBundle) -> PermissionRecord { stored.read(bundle.permissionHolder) }

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
    try stored.change(bundle.permissionHolder) { record in
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
    try stored.change(bundle.permissionHolder) { record in
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

  /// Why a command cannot be permitted as it is written; nil if it can.
  public static func fault(ofCommand command: String) -> String? { CommandConsent.fault(command) }

  /// Sets whether the widgets of its app may run where there is no sandbox.
  ///
  /// - Throws: ``HostError`` if the file cannot be written.
  public func setTrusted(_ isTrusted: Bool, _ bundle: WidgetBundle) throws(HostError) {
    try stored.change(bundle.permissionHolder) { $0.isTrusted = isTrusted }
  }
}
