package import WidgetKitCore
package import WidgetPlatform

/// Decides in which sandbox a widget is started, and with which permissions.
///
/// This is a class because all sessions share it, with the sandbox.
@MainActor package final class WidgetConfinement {
  package let sandbox: Sandbox
  private let book: PermissionBook
  private let environment: [String: String]
  private let folders: StateFolders
  /// Whether a widget whose requests the user has not answered waits for that; otherwise it is started
  /// without them.
  package var asks: Bool

  /// The files that the user has chosen in the settings of a widget.
  package var chosenFiles: (ExtensionIdentity) -> [String] = { _ in [] }

  /// The processes that a widget may have before it is ended.
  private let processLimit: Int
  /// What was permitted when a widget of the app was last started, or was to be.
  private var records: [String: PermissionRecord] = [:]
  /// What was permitted to a widget for as long as it has its present session.
  private let once: OnceGrants
  /// The variable that tells a widget which of its requests are not permitted: a failure of what needs them is
  /// no fault.
  static let deniedVariable = "TODAY_DENIED"
  /// The chosen files that a widget sees since it was last started, where it was permitted to.
  private var shownFiles: [ExtensionIdentity: [String]] = [:]

  /// The widgets that were last started in a sandbox that is not the full one.
  private var partlyConfined: Set<ExtensionIdentity> = []

  package init(
    _ sandbox: Sandbox,
    paths: SearchPaths,
    environment: [String: String],
    processLimit: Int,
    asks: Bool
  ) {
    self.sandbox = sandbox
    self.environment = environment
    self.asks = asks
    self.processLimit = processLimit
    folders = StateFolders(environment: environment)
    once = OnceGrants(folders)
    book = PermissionBook(paths, environment: environment)
  }

  /// What a widget requests, and whether it is permitted now.
  package func permissions(of bundle: WidgetBundle, _ id: ExtensionIdentity) -> [Permission] {
    book.permissions(of: bundle).map { permission in
      var permission = permission
      if permission.state == .open, once[id]?.grants(permission.request) == true {
        permission.state = .granted
      }
      return permission
    }
  }

  /// Permits or refuses a request of the app of a widget.
  ///
  /// - Throws: ``HostError`` if the file cannot be written, or the user has named the bundle on the command line.
  package func set(
    _ isGranted: Bool,
    _ request: EntitlementRequest,
    of bundle: WidgetBundle
  ) throws(HostError) {
    guard book.origin(of: bundle) != .named else {
      throw HostError(
        code: .file,
        description: "the widgets of --widgets have all that they request"
      )
    }
    try book.set(isGranted, [request], of: bundle)
  }

  /// Whether a widget requests an entitlement, and is permitted to use it.
  package func isGranted(
    _ entitlement: Entitlement,
    to bundle: WidgetBundle,
    _ id: ExtensionIdentity
  )
    -> Bool
  {
    permissions(of: bundle, id).contains { permission in
      permission.request.entitlement == entitlement && permission.state == .granted
    }
  }

  /// The entitlements that a widget requests and may not have now, by their names.
  package func denied(_ bundle: WidgetBundle, _ id: ExtensionIdentity) -> [String] {
    let permissions = permissions(of: bundle, id)
    let withheld = withheld(from: bundle, permissions.granted)
    return permissions.filter { permission in
      permission.state != .granted || withheld[permission.request.entitlement] != nil
    }.map(\.request.entitlement.rawValue)
  }

  /// The requests of a widget that is about to be started which the user has not answered.
  package func openRequests(of bundle: WidgetBundle, _ id: ExtensionIdentity)
    -> [EntitlementRequest]
  {
    if stranger(bundle) == nil {
      book.claimIdentifier(of: bundle)
      book.claimGroups(of: bundle)
    }
    records[bundle.permissionHolder] = book.record(of: bundle).atStart
    return permissions(of: bundle, id).filter { $0.state == .open }.map(\.request)
  }

  /// Why a widget is not started whose identifier is that of another bundle; nil if it is its own.
  package func stranger(_ bundle: WidgetBundle) -> HostError? {
    book.otherPlace(of: bundle).map { .stranger(bundle, $0) }
  }

  /// A widget as it is started: without the groups of others that it was not permitted to share.
  package func admitted(_ bundle: WidgetBundle, _ id: ExtensionIdentity) -> WidgetBundle {
    bundle.withholding(
      permissions(of: bundle, id).filter { permission in
        permission.state != .granted
          && [.groups, .secretGroups].contains(permission.request.entitlement)
      }.map(\.request)
    )
  }

  /// Takes the answer to a question: for all widgets of the app, or once for this one.
  ///
  /// - Throws: ``HostError`` if it cannot be stored.
  package func answer(
    _ answer: PermissionQuestion.Answer,
    _ requests: [EntitlementRequest],
    of bundle: WidgetBundle,
    _ id: ExtensionIdentity
  ) throws(HostError) {
    switch answer {
    case .grant: try book.set(true, requests, of: bundle)
    case .deny: try book.set(false, requests, of: bundle)
    case .once: once.grant(requests, to: id)
    }
  }

  /// Forgets what was permitted once to a widget.
  package func forgetOnce(_ id: ExtensionIdentity) {
    once.forget(id)
  }

  /// Whether something else is permitted to a widget than when it was started, after files of
  /// permissions have changed; no names mean all of them.
  package func isOutdated(_ bundle: WidgetBundle, changed names: Set<String>) -> Bool {
    let holder = bundle.permissionHolder
    guard let record = records[holder],
      names.isEmpty || names.contains(StoredPermissions.name(holder))
    else { return false }
    return book.record(of: bundle).atStart != record
  }

  /// Whether the user has chosen other files since a widget was started that may see them.
  package func hasOtherFiles(_ id: ExtensionIdentity) -> Bool {
    shownFiles[id].map { $0 != chosenFiles(id) } ?? false
  }

  /// The sandbox of a widget and what it may do in it, in words.
  package func words(of bundle: WidgetBundle, _ id: ExtensionIdentity) -> SafeText {
    guard bundle.script?.isSandboxed != false else {
      return sandbox.isRequired
        ? "not started, as scripts run outside of it" : "none, as it is your own script"
    }
    let isOutside = book.isOutside(bundle, isRequired: sandbox.isRequired)
    let level =
      isOutside ? "none, as it comes with the program" : sandbox.level.name
    let permissions = permissions(of: bundle, id)
    let wishes = permissions.map { permission in
      isOutside
        ? "\(permission.state.verb) \(permission.request.words)"
        : sandbox.words(of: permission, among: permissions).string
    }
    let groups =
      admitted(bundle, id).groups.map { "shares \($0)" }
      + bundle.groupProblems.map { "does not share groups: \($0.name) \($0.words)" }
    let kernel = ControlGroups.areUsed ? ["control group for \(ControlGroups.words)"] : []
    return SafeText(([level] + wishes + groups + kernel).joined(separator: "; "))
  }

  /// What a widget does not get of what it was granted, and why.
  private func withheld(
    from bundle: WidgetBundle,
    _ granted: [EntitlementRequest]
  ) -> [Entitlement: String] {
    guard !granted.isEmpty, !book.isOutside(bundle, isRequired: sandbox.isRequired) else {
      return [:]
    }
    return sandbox.withheld(of: granted)
  }

  /// What a question of a widget says about its sandbox and its app, as sentences.
  package func remarks(of bundle: WidgetBundle, _ id: ExtensionIdentity) -> [SafeText] {
    guard !book.isOutside(bundle, isRequired: sandbox.isRequired) else { return [] }
    let permissions = permissions(of: bundle, id)
    let partial: [SafeText] =
      isPartial(for: bundle)
      ? ["The sandbox is a partial one: it also learns which files exist."] : []
    return partial
      + permissions.filter { $0.state == .open }.compactMap { permission in
        switch sandbox.remark(on: permission, of: permissions) {
        case .denied(let reason): "It may not \(permission.request.words), as \(SafeText(reason))."
        case .network(let network): SafeText(network.sentence)
        case nil: nil
        }
      } + (book.wordsAboutApp(of: bundle, sandbox).map { [$0] } ?? [])
  }

  /// Whether a widget or a script is started in a sandbox.
  package func isConfined(_ bundle: WidgetBundle) -> Bool {
    guard bundle.script?.isSandboxed != false,
      !book.isOutside(bundle, isRequired: sandbox.isRequired)
    else { return false }
    switch sandbox.level {
    case .full, .partial: return true
    case .off, .none: return false
    }
  }

  /// Whether a widget would be started in a sandbox that is not the full one.
  func isPartial(for bundle: WidgetBundle) -> Bool {
    guard case .partial = sandbox.level else { return false }
    return !book.isOutside(bundle, isRequired: sandbox.isRequired)
  }

  /// Whether a widget was last started in a sandbox that is not the full one.
  package func isInPartialSandbox(_ id: ExtensionIdentity) -> Bool { partlyConfined.contains(id) }

  /// Puts the program of a widget into the sandbox.
  ///
  /// - Parameters:
  ///   - launch: How it would be started without one.
  ///   - bundle: The widget.
  ///   - id: Its identity.
  ///   - files: Single files that it may read in this run, if ``canShow(_:)``.
  /// - Returns: How it is started.
  /// - Throws: ``HostError`` with `withheld` if the user has to do something first.
  package func confine(
    _ launch: LaunchDescription,
    _ bundle: WidgetBundle,
    _ id: ExtensionIdentity,
    showing files: [String] = []
  ) throws(HostError) -> LaunchDescription {
    // The user's own scripts run as at a prompt, but for those that are to be in the sandbox.
    if bundle.script?.isSandboxed == false {
      guard !sandbox.isRequired else { throw .scriptWithoutSandbox }
      return launch
    }
    shownFiles[id] = nil
    partlyConfined.remove(id)
    if let stranger = stranger(bundle) { throw stranger }
    let open = openRequests(of: bundle, id)
    if asks, !open.isEmpty { throw .unanswered(open, bundle) }
    let permissions = permissions(of: bundle, id).granted
    let withheld = withheld(from: bundle, permissions)
    let granted = permissions.filter { withheld[$0.entitlement] == nil }
    var launch = launch
    let denied = denied(bundle, id)
    if !denied.isEmpty { launch.environment[Self.deniedVariable] = denied.joined(separator: ",") }
    // A widget of the program that the sandbox would hinder says so in its entitlements.
    if book.isOutside(bundle, isRequired: sandbox.isRequired) { return launch }
    switch sandbox.level {
    case .off: return launch
    case .none(let reason):
      guard !sandbox.isRequired else { throw .noSandbox(reason) }
      guard book.isTrusted(bundle) else { throw .untrusted(bundle, reason) }
      return launch
    case .partial(let reason) where sandbox.isRequired: throw .onlyPartial(reason)
    case .full, .partial:
      var profile = profile(bundle, id, granted, launch, files)
      if case .partial = sandbox.level {
        partlyConfined.insert(id)
        // In the cache, so that what is in it counts.
        let temporary = "\(folders.containers(of: bundle.runner(of: id), bundle).cache)/tmp"
        if StateFolders.make(temporary) { profile.temporary = temporary }
      }
      return try sandbox.confine(launch, profile) ?? launch
    }
  }

  /// Whether an extension may be given a file in place, and not as a copy: it is in no folder of the program, and in
  /// none that a sandbox has of its own.
  package func canShow(_ file: String) -> Bool {
    SandboxProfile(folder: "/", environment: environment, folders).isShown(file)
  }

  private func profile(
    _ bundle: WidgetBundle,
    _ id: ExtensionIdentity,
    _ granted: [EntitlementRequest],
    _ launch: LaunchDescription,
    _ shown: [String]
  ) -> SandboxProfile {
    let bundle = admitted(bundle, id)
    let containers = folders.containers(of: bundle.runner(of: id), bundle)
    // A script sees itself, and nothing else of its folder.
    let folder = bundle.script == nil ? bundle.path : launch.folder
    var profile = SandboxProfile(folder: folder, environment: environment, folders)
    // The kernel refuses more than these; the widget is ended before.
    profile.processLimit = processLimit + 8
    let file = bundle.script.map { resolvedPath($0.path) ?? $0.path }
    profile.readable = [file ?? bundle.containingApp?.path ?? bundle.path]
    profile.writable = [containers.data, containers.cache] + containers.groups.values.sorted()
    // A folder that is not the program's own is not shown.
    profile.writable.removeAll { !StateFolders.make($0) }
    let files = chosenFiles(id)
    if granted.contains(where: { [.chosenFiles, .chosenFilesWritable].contains($0.entitlement) }) {
      shownFiles[id] = files
    }
    for request in granted { profile.add(request, environment: environment, chosenFiles: files) }
    profile.readableIfThere.removeAll { profile.writableIfThere.contains($0) }
    profile.readableFiles = shown.filter { path in
      profile.isShown(path) && !profile.writableIfThere.contains(path)
    }
    profile.dropInnerPaths()
    profile.makeHiddenFolders()
    return profile
  }
}

extension HostError {
  /// A widget that is not started before the user has answered its requests.
  package static func unanswered(_ requests: [EntitlementRequest], _ bundle: WidgetBundle)
    -> HostError
  {
    let id = bundle.bundleIdentifier
    let wishes = requests.map(\.words.string)
    let list =
      wishes.count < 2
      ? wishes.joined() : wishes.dropLast().joined(separator: ", ") + " and " + (wishes.last ?? "")
    return HostError(
      code: .withheld,
      description: "Asks to \(list): today permissions \(id) --grant all, or --revoke all, then r"
    )
  }

  /// A widget that has the identifier of another bundle, which has settings, secrets and permissions.
  fileprivate static func stranger(_ bundle: WidgetBundle, _ place: String) -> HostError {
    let id = bundle.permissionHolder
    return HostError(
      code: .withheld,
      description:
        "Not started: the identifier \(id) is that of \(place), to which its settings, secrets "
        + "and permissions belong; today permissions \(id) --grant identity gives them to "
        + "\(bundle.containingApp?.path ?? bundle.path), then r"
    )
  }

  fileprivate static func noSandbox(_ reason: String) -> HostError {
    HostError(
      code: .withheld,
      description: "Not started, as there is no sandbox: \(reason)"
    )
  }

  fileprivate static var scriptWithoutSandbox: HostError {
    HostError(
      code: .withheld,
      description:
        "Not started: the setting “sandbox” is “required”, and scripts run outside of the sandbox"
    )
  }

  fileprivate static func onlyPartial(_ reason: String) -> HostError {
    HostError(
      code: .withheld,
      description:
        "Not started: the setting “sandbox” is “required”, and this system has only a partial sandbox: "
        + reason
    )
  }

  fileprivate static func untrusted(_ bundle: WidgetBundle, _ reason: String) -> HostError {
    HostError(
      code: .withheld,
      description:
        "Not started: this system offers no sandbox (\(reason)), so it could read all your "
        + "files; today permissions \(bundle.bundleIdentifier) --grant trust, then r"
    )
  }
}
