import Brokers
package import ExtensionContent
import FoundationEssentials
import WidgetCards
package import WidgetExtensions
package import WidgetKitCore
package import WidgetPlatform
import WidgetScripts
package import WidgetSessions

/// Creates the sessions of widgets and of requests, and the first message to each of them.
///
/// A class because the user's locale, which a person who writes a widget changes, is the same for all.
package final class SessionFactory {
  /// The user's locale; a person who writes a widget tries others.
  package var localeIdentifier: String
  private let environment: [String: String]
  private let launchReason: LaunchReason?
  /// The time that the widgets are told, because it is not that of the system; nil if it is.
  private let hostDate: () -> Date?
  private let folders: StateFolders
  private let services: SessionServices
  private let terms: CurrentTerms
  /// Starts programs; those of a request have a temporary folder of their own, and see files in place.
  private let launcher: (_ temporary: String?, _ files: [String]) -> WidgetLauncher
  /// In which sandbox widgets are started, and what they may do.
  let confinement: WidgetConfinement

  /// Creates the objects that all sessions share.
  ///
  /// - Throws: ``HostError`` if the trace of the messages cannot be written.
  package init(
    _ configuration: CenterConfiguration,
    clock: any HostClock,
    folders: StateFolders,
    secrets: SecretStorage
  ) throws(HostError) {
    environment = configuration.environment
    launchReason = configuration.launchReason
    hostDate = configuration.hostDate ?? (configuration.standIns == nil ? { nil } : { clock.date })
    localeIdentifier = Self.localeIdentifier(environment)
    RemoteHosts.shared.names = configuration.hostNames
    BrokerHub.shared.settings = configuration.brokers
    BrokerHub.shared.findPasswords(in: secrets)
    self.folders = folders
    confinement = WidgetConfinement(
      // Nothing of the page of another machine runs here.
      Sandbox(
        configuration.machine == nil ? configuration.sandbox : .off,
        environment: environment
      ),
      paths: configuration.searchPaths,
      environment: environment,
      processLimit: configuration.limits.resources.processes,
      asks: configuration.asksForPermissions(isLocked: configuration.isLocked)
    )
    let terms = CurrentTerms(configuration)
    self.terms = terms
    launcher = { [confinement] temporary, files in
      let processes = Self.launcher(
        configuration,
        terms,
        confinement,
        temporary: temporary,
        showing: files
      )
      return configuration.interpose(configuration.launcher ?? processes)
    }
    services = Self.services(
      configuration,
      clock: clock,
      folders: folders,
      secrets: secrets,
      hostDate: hostDate,
      trace: try configuration.tracePath.map { path throws(HostError) in
        let trace = try TraceWriter(path: path, clock: clock)
        trace.begin(
          date: clock.date,
          screen: configuration.screenSize,
          theme: configuration.appearance.dark ? "dark" : "light",
          isDiskFull: configuration.limits.process.isDiskFull
        )
        return trace
      },
      launcher: launcher(nil, []),
      confinement: confinement
    )
  }

  /// Takes over on which machines widgets run, from their next start on.
  func apply(_ configuration: CenterConfiguration) {
    terms.now = CardTerms(configuration)
    RemoteHosts.shared.names = configuration.hostNames
    BrokerHub.shared.settings = configuration.brokers
  }

  /// The machine for which a card was added.
  var added: (CardID) -> RemoteDestination? {
    get { terms.added }
    set { terms.added = newValue }
  }

  /// The trace of the messages; nil if none is written.
  package var trace: TraceWriter? { services.trace }

  /// Creates the session of a bundle without starting it.
  func session(for bundle: WidgetBundle, _ id: ExtensionIdentity) -> WidgetSession {
    WidgetSession(id: id, bundle: bundle, services: services)
  }

  /// Creates the session of a request without starting its extension.
  ///
  /// - Parameters:
  ///   - target: The extension.
  ///   - id: Its identity.
  ///   - temporary: Its own folder for files, which goes with the process.
  ///   - files: The files of the user that it may read in place.
  /// - Returns: The session.
  package func session(
    for target: ExtensionBundle,
    _ id: ExtensionIdentity,
    temporary: String,
    showing files: [String]
  ) -> ExtensionSession<RequestState> {
    var services = services
    if let point = target.point {
      services.policy.initialize = SessionPolicy(point).initialize
      services.policy.answer = SessionPolicy(point).answer
    }
    services.launcher = launcher(temporary, files)
    return ExtensionSession(
      id: id,
      bundle: WidgetBundle(target),
      services: services,
      state: RequestState(policy: services.policy, resources: services.limits.resources)
    )
  }

  /// Whether an extension can be given a file of the user in place.
  package func canShow(_ file: String) -> Bool { confinement.canShow(file) }

  /// Returns the first message to an extension that was started for a request.
  ///
  /// - Parameters:
  ///   - target: The extension.
  ///   - id: Its identity.
  ///   - configuration: Its settings; nil if it declares none.
  ///   - size: The largest size of its view.
  ///   - appearance: The capabilities of the screen.
  ///   - context: The content.
  /// - Returns: The message.
  package func initializeRequest(
    _ target: ContentExtension,
    _ id: ExtensionIdentity,
    configuration: WidgetConfiguration?,
    size: Size,
    appearance: Appearance,
    _ context: ExtensionContext
  ) -> InitializeRequest {
    let bundle = WidgetBundle(target.bundle)
    let denied = confinement.denied(bundle, id)
    var request = InitializeRequest(
      host: HostInfo(name: "today", version: HostVersion.current),
      bundleIdentifier: target.identifier,
      configuration: configuration,
      reason: .request,
      activeDisplayMode: .expanded,
      maximumSize: size,
      marginInsets: .proposed,
      locale: localeIdentifier,
      timeZone: TimeZoneName.current(environment),
      appearance: appearance,
      containers: folders.containers(of: id, bundle),
      denied: denied.isEmpty ? nil : denied,
      now: hostDate()
    )
    request.extensionContext = context
    request.extensionPoint = target.point.identifier
    request.hasView = target.hasView
    request.role = target.role.rawValue
    return request
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
    var request = InitializeRequest(
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
      now: hostDate()
    )
    request.extensionContext = ExtensionContext()
    return request
  }

  /// The user's locale, such as `en_GB` for `en_GB.UTF-8`, or `en` if none is set.
  private static func localeIdentifier(_ environment: [String: String]) -> String {
    let value = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy
      .compactMap { environment[$0] }.first { !$0.isEmpty }
    let name = value.map { $0.prefix { $0 != "." && $0 != "@" } } ?? ""
    return name.isEmpty || name == "C" || name == "POSIX" ? "en" : String(name)
  }

  private static func launcher(
    _ configuration: CenterConfiguration,
    _ terms: CurrentTerms,
    _ confinement: WidgetConfinement,
    temporary: String?,
    showing files: [String]
  ) -> WidgetLauncher {
    let limits = configuration.limits
    let environment = configuration.environment
    return { bundle, id, report throws(HostError) in
      var bundle = bundle
      if let destination = terms.host(of: id) {
        guard bundle.script != nil else {
          return RemoteHosts.shared.start(
            bundle,
            id,
            on: destination,
            environment: environment,
            limits: limits,
            report: report
          )
        }
        bundle = bundle.running(on: destination)
      }
      return try WidgetKinds.kind(of: bundle).start(
        bundle,
        id,
        userEnvironment: environment,
        limits: limits,
        confine: { launch throws(HostError) in
          var confined = try confinement.confine(launch, bundle, id, showing: files)
          if let temporary { confined.environment["TMPDIR"] = temporary }
          return confined
        },
        report: report
      )
    }
  }

  private static func services(
    _ configuration: CenterConfiguration,
    clock: any HostClock,
    folders: StateFolders,
    secrets: SecretStorage,
    hostDate: @escaping () -> Date?,
    trace: TraceWriter?,
    launcher: @escaping WidgetLauncher,
    confinement: WidgetConfinement
  ) -> SessionServices {
    let limits = configuration.limits
    return SessionServices(
      clock: clock,
      hostDate: hostDate,
      limits: limits,
      policy: configuration.policy,
      launcher: launcher,
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
