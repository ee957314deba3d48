import FoundationEssentials
import WidgetKitCore

/// Creates the sessions of a page's widgets, and the first message to each of them.
struct SessionFactory {
  /// The user's locale; a person who writes a widget tries others.
  var localeIdentifier: String
  private let environment: [String: String]
  private let launchReason: LaunchReason?
  /// The time that the widgets are told, because it is not that of the system; nil if it is.
  private let toldDate: () -> Date?
  private let folders: StateFolders
  private let services: SessionServices
  private let terms: CurrentTerms
  /// In which sandbox widgets are started, and what they may do.
  let confinement: WidgetConfinement

  /// Creates the objects that all sessions share.
  ///
  /// - Throws: ``HostError`` if the trace of the messages cannot be written.
  init(
    _ configuration: CenterConfiguration,
    clock: any HostClock,
    folders: StateFolders,
    secrets: SecretStorage
  ) throws(HostError) {
    environment = configuration.environment
    launchReason = configuration.launchReason
    toldDate = configuration.toldDate ?? (configuration.standIns == nil ? { nil } : { clock.date })
    localeIdentifier = Self.localeIdentifier(environment)
    self.folders = folders
    confinement = WidgetConfinement(
      Sandbox(configuration.sandbox, environment: environment),
      paths: configuration.searchPaths,
      environment: environment,
      processLimit: configuration.limits.resources.processes,
      asks: configuration.asksForPermissions
    )
    let terms = CurrentTerms(configuration)
    self.terms = terms
    services = Self.services(
      configuration,
      terms,
      clock: clock,
      folders: folders,
      secrets: secrets,
      toldDate: toldDate,
      trace: try configuration.tracePath.map { path throws(HostError) in
        let trace = try TraceWriter(path: path, clock: clock)
        trace.begin(
          date: clock.date,
          screen: configuration.screenSize,
          theme: configuration.appearance.dark ? "dark" : "light"
        )
        return trace
      },
      confinement: confinement
    )
  }

  /// Takes over on which machines widgets run, from their next start on.
  func apply(_ configuration: CenterConfiguration) { terms.now = CardTerms(configuration) }

  /// The trace of the messages; nil if none is written.
  var trace: TraceWriter? { services.trace }

  /// Creates the session of a bundle without starting it.
  func session(for bundle: WidgetBundle, _ id: ExtensionIdentity) -> WidgetSession {
    WidgetSession(id: id, bundle: bundle, services: services)
  }

  /// Returns the first message to a widget, whose card is `card` and may be as large as `maximumSize`.
  func initializeRequest(
    _ card: Card,
    of bundle: WidgetBundle,
    maximumSize: Size,
    _ reason: LaunchReason,
    configuration: WidgetConfiguration?,
    appearance: Appearance
  ) -> InitializeRequest {
    let denied = confinement.denied(bundle, card.id)
    return InitializeRequest(
      host: HostInfo(name: "today", version: HostVersion.current),
      bundleIdentifier: card.id.bundleIdentifier,
      instance: card.id.instance?.rawValue,
      configuration: configuration,
      reason: launchReason ?? reason,
      activeDisplayMode: card.displayMode,
      maximumSize: maximumSize,
      marginInsets: .proposed,
      locale: localeIdentifier,
      timeZone: TimeZoneName.current(environment),
      appearance: appearance,
      containers: folders.containers(of: card.id, bundle),
      denied: denied.isEmpty ? nil : denied,
      now: toldDate()
    )
  }

  /// The user's locale, such as `en_GB` for `en_GB.UTF-8`, or `en` if none is set.
  private static func localeIdentifier(_ environment: [String: String]) -> String {
    let value = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy
      .compactMap { environment[$0] }.first { !$0.isEmpty }
    let name = value.map { $0.prefix { $0 != "." && $0 != "@" } } ?? ""
    return name.isEmpty || name == "C" || name == "POSIX" ? "en" : String(name)
  }

  private static func services(
    _ configuration: CenterConfiguration,
    _ terms: CurrentTerms,
    clock: any HostClock,
    folders: StateFolders,
    secrets: SecretStorage,
    toldDate: @escaping () -> Date?,
    trace: TraceWriter?,
    confinement: WidgetConfinement
  ) -> SessionServices {
    let limits = configuration.limits
    let environment = configuration.environment
    let processes: WidgetLauncher = { bundle, id, report throws(HostError) in
      if let destination = terms.now.host(of: id) {
        let host = RemoteHosts.shared.host(destination, environment: environment)
        return RemoteWidget(id, on: host, environment: environment, limits: limits, report: report)
      }
      return try WidgetKinds.kind(of: bundle).start(
        bundle,
        id,
        userEnvironment: environment,
        limits: limits,
        confine: { launch throws(HostError) in
          try confinement.confine(launch, bundle, id)
        },
        report: report
      )
    }
    return SessionServices(
      clock: clock,
      toldDate: toldDate,
      limits: limits,
      policy: configuration.policy,
      launcher: configuration.interpose(configuration.launcher ?? processes),
      trace: trace,
      resources: ResourceWatch(
        clock: clock,
        limits: limits.resources.memory,
        measure: configuration.resourceMeasure ?? ProcessGroups.use,
        measureStorage: configuration.storageMeasure ?? ContainerStorage.measure(folders),
        trim: configuration.launcher == nil ? HostMemory.trim : {}
      ),
      admitted: { confinement.admitted($0, $1) },
      secrets: { SecretAccess($0, secrets) },
      sharedData: SharedDataWatch(clock: clock, folders: folders),
      log: { WidgetLog(path: folders.log(of: $0), clock: clock, limits: limits) },
      runsPath: { folders.runs(of: $0) }
    )
  }
}
