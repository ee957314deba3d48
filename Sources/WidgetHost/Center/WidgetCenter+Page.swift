import FoundationEssentials
import WidgetKitCore

/// What cards need of the page that they are on.
extension WidgetCenter: CardPage {
  var environment: LayoutEnvironment {
    LayoutEnvironment(now: clock.date, glyphs: configuration.glyphs)
  }

  var animates: Bool { configuration.animates }

  var isGatheringFirstContent: Bool { gathering != nil }

  func cardDidChange() {
    changeCount += 1
    guard !isChangePending else { return }
    isChangePending = true
    // One turn of the event loop later, so that what belongs together is drawn together.
    turn = clock.schedule(after: .zero) { [weak self] in
      guard let self else { return }
      isChangePending = false
      onChange?()
    }
  }

  func cardDidUpdate(_ id: CardID, _ outcome: UpdateOutcome) {
    onUpdate?(id, outcome.result, outcome.error)
  }

  func say(_ words: SafeText) {
    notice = words
    noticeTimer?.cancel()
    noticeTimer = clock.schedule(after: Self.noticeTime) { [weak self] in
      self?.notice = nil
      self?.cardDidChange()
    }
    cardDidChange()
  }

  /// How long it stays.
  private static let noticeTime: Duration = .seconds(6)

  func cardDidFinish() {
    pauseMayHaveEnded()
    leaving.removeAll(where: \.isFinished)
    guard let completion = quitCompletion, leaving.isEmpty, controllers.allSatisfy(\.isFinished)
    else { return }
    quitCompletion = nil
    quitTimer?.cancel()
    store.retry()
    store.drain()
    // A command that ends by itself leaves that to the kernel and to the next one.
    if configuration.schedulesUpdates { store.beginSync() }
    completion()
  }

  func cardMayHaveSettled() {
    guard onSettle != nil || gathering != nil, settleTurn == nil else { return }
    // A turn later, when all effects of an event are carried out.
    settleTurn = clock.schedule(after: .zero) { [weak self] in
      self?.settleTurn = nil
      self?.firstContentMayBeThere()
      self?.onSettle?()
    }
  }

  func open(
    _ url: String,
    for app: AppBundle?,
    completion: @escaping (URLRefusal?) -> Void
  ) {
    let now = clock.now
    let pause = configuration.limits.openURLPause
    if let lastOpen, lastOpen.duration(to: now) < pause {
      return completion(.tooSoon(pause: pause))
    }
    lastOpen = now
    router.open(url, from: app, completion: completion)
  }
}

extension WidgetCenter {
  func note(_ problem: String) {
    installationProblems.append(SafeText(problem))
    cardDidChange()
  }

  /// Takes a problem off the page that is none any more.
  func forget(_ problem: SafeText) {
    installationProblems.removeAll { $0 == problem }
    cardDidChange()
  }

  /// Says in one place that views are kept in memory alone, until they are on disk again.
  func noteWriteTrouble(_ failure: String?) {
    writeTrouble = failure.map { SafeText("Snapshots cannot be written: \($0)") }
    cardDidChange()
  }

  /// The first message to a widget.
  func initializeRequest(_ id: CardID, _ reason: LaunchReason) -> InitializeRequest {
    let card = controller(id)
    return InitializeRequest(
      host: HostInfo(name: "today", version: HostVersion.current),
      bundleIdentifier: id.bundleIdentifier,
      instance: id.instance,
      reason: configuration.launchReason ?? reason,
      activeDisplayMode: card?.card.displayMode ?? .compact,
      maximumSize: card?.maximumSize ?? .zero,
      marginInsets: .proposed,
      locale: localeIdentifier,
      timeZone: TimeZoneName.current(configuration.environment),
      appearance: configuration.appearance,
      containers: folders.containers(of: id)
    )
  }

  /// The user's locale, `en_GB` of `en_GB.UTF-8`; `en` where there is none.
  static func localeIdentifier(_ environment: [String: String]) -> String {
    let value = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy
      .compactMap { environment[$0] }.first { !$0.isEmpty }
    let name = value.map { $0.prefix { $0 != "." && $0 != "@" } } ?? ""
    return name.isEmpty || name == "C" || name == "POSIX" ? "en" : String(name)
  }

  static func services(
    _ configuration: CenterConfiguration,
    clock: any HostClock,
    folders: StateFolders,
    trace: TraceWriter?
  ) -> SessionServices {
    let limits = configuration.limits
    let environment = configuration.environment
    let processes: WidgetLauncher = { bundle, report throws(HostError) in
      try WidgetProcess.start(
        bundle,
        userEnvironment: environment,
        limits: limits,
        report: report
      )
    }
    return SessionServices(
      clock: clock,
      limits: limits,
      policy: configuration.policy,
      launcher: configuration.launcher ?? processes,
      trace: trace,
      resources: ResourceWatch(
        clock: clock,
        limits: limits.resources.memory,
        measure: configuration.resourceMeasure ?? ProcessGroups.use,
        measureStorage: configuration.storageMeasure ?? ContainerStorage.measure(folders),
        trim: configuration.launcher == nil ? ResidentMemory.trim : {}
      ),
      log: { WidgetLog(path: folders.log(of: $0), clock: clock, limits: limits) },
      runsPath: { folders.runs(of: $0) }
    )
  }
}
