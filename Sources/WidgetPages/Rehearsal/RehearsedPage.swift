import PageRecords
package import WidgetCards
import WidgetExtensions
package import WidgetKitCore
import WidgetPlatform
package import WidgetSessions

/// What a test sees of a page and does with it, beside what a person does: the harness of widget authors
/// works on the page that the dashboard shows, and not on another one.
package struct RehearsedPage {
  private let center: WidgetCenter
  private let id: CardID

  /// The page of `center`, with the card `id`.
  package init(_ center: WidgetCenter, _ id: CardID) {
    self.center = center
    self.id = id
  }

  private var controller: CardRuntime? { center.page[id] }
  private var session: WidgetSession? { controller?.session }
  private var connection: SessionConnection? { session?.connection }

  /// Whether the widget waits for something to happen, and the page waits for nothing of it.
  package var isQuiet: Bool {
    guard let session, session.state.hasProcess else { return true }
    return connection?.isIdle ?? false
  }

  /// The requests of the page that the widget has not answered, by method.
  package var unanswered: [String] { connection?.reader.unanswered ?? [] }

  /// Whether a process of the widget runs or is suspended.
  package var hasProcess: Bool { session?.state.hasProcess ?? false }

  /// Whether the process is suspended.
  package var isSuspended: Bool { session?.isSuspended ?? false }

  /// Writes everything that is to be stored to the disk.
  package func drainStorage() {
    center.store.drain()
  }

  /// Why the page ends the process; nil if it does not, or for no failure.
  package var failure: String? { session?.failure }

  /// Asks the widget for new data.
  package func update(_ reason: UpdateReason) {
    controller?.send(.refresh(reason))
  }

  /// Tells the widget the time of the test.
  package func tellTime() {
    if session?.isSuspended == false { connection?.tellTime() }
  }

  /// Refuses expiring activities from now on, or grants them again.
  package func denyActivities(_ isDenied: Bool) {
    session?.handle(.denyActivities(isDenied))
  }

  /// Lets the time of all expiring activities run out.
  package func expireActivities() {
    session?.handle(.expireActivities)
  }

  /// Shows a view in place of the content, or the content again.
  package func show(_ view: ViewNode?) {
    controller?.send(.cover(view))
  }

  /// Tells the widget that it is near its limit of memory.
  package func warnOfMemory() {
    guard let session, session.state.implements.contains("didReceiveMemoryWarning") else { return }
    connection?.send(.didReceiveMemoryWarning)
  }

  /// Tells the widget that transfers have ended.
  package func deliver(_ events: HandleEventsForBackgroundURLSessionRequest) {
    session?.handle(.transferEvents(events))
  }

  /// Tells the widget how far a transfer is.
  package func deliver(_ progress: TransferDidProgressNotification) {
    session?.handle(.transferProgress(progress))
  }

  /// Gives the widget other settings.
  package func apply(_ configuration: WidgetConfiguration) {
    session?.handle(.configuration(configuration))
  }

  /// Tells the widget that a name was posted.
  package func post(_ name: String) {
    session?.handle(.sharedData(.posted(name)))
  }

  /// Tells the widget that values of a suite are others now.
  package func changeDefaults(_ suite: String, _ keys: Set<String>) {
    session?.handle(.sharedData(.defaults(suite: suite, keys: keys)))
  }

  /// Replaces the process by one of the bundle as it is now, and asks that one for new data, as the last picture may
  /// be that of another program; its data stay.
  ///
  /// - Returns: What is wrong with the bundle, in which case the process stays; nil if nothing is.
  package func restart() -> BundleError? {
    guard let session, let controller else { return nil }
    do throws(BundleError) {
      let bundle = try session.bundle.readAgain(byteLimit: InfoPlist.byteLimit)
      center.page.replace(session.bundle, by: bundle, of: controller)
      controller.send(.refresh(.event))
      return nil
    } catch {
      return error
    }
  }

  /// The time of processors that the widget has used, with all its processes.
  package var processorTime: Duration {
    guard let run = connection?.processRun else { return .zero }
    return ProcessGroups.time(of: run)
  }

  /// The path of the bundle.
  package var bundlePath: String { session?.bundle.path ?? "" }

  /// The process of the widget's own program, in its sandbox; nil if none runs it yet.
  package var program: Int32? {
    guard let session, let run = connection?.processRun else { return nil }
    let path = session.bundle.executablePath
    let members = ProcessGroups.members(of: [run])[run] ?? []
    // The programs of the sandbox have the path among their arguments too, and start it last.
    return members.sorted().last { pid in
      ProcFile.text("/proc/\(pid)/comm")?.hasPrefix("bwrap") == false
        && ProcFile.text("/proc/\(pid)/cmdline")?.contains(path) == true
    }
  }

  /// The last messages that were exchanged, the oldest first.
  package var messages: [ExchangedMessage] { session?.messages.messages ?? [] }

  /// Posts a notification of each app group of the widget; returns their names.
  package func postNotifications() -> [String] {
    let groups = session?.bundle.groups.sorted() ?? []
    let names = groups.map { ("\($0).dev", $0) }
    for (name, group) in names { try? SharedNotices(center.folders).post(name, inGroup: group) }
    return names.map(\.0)
  }

  /// Sets whether the widget has content, as its app does.
  package func setHasContent(_ hasContent: Bool) {
    do throws(HostError) {
      try center.contentFlags.set(hasContent, for: id)
    } catch {
      center.notices.note(SafeText("\(error)"))
    }
    center.page.followContentFlags()
  }

  /// Kills all processes of the widget.
  package func kill() {
    connection?.signal(.kill)
  }

  /// Closes the standard input of the widget, as when the program of the page has ended.
  package func closeInput() {
    connection?.closeInput()
  }

  /// What the widget and the page wrote to its log.
  package var log: [String] {
    (center.folders.readLog(of: id) ?? "").split(separator: "\n").map(String.init)
  }

  /// The last lines of its log, each with its time in front.
  package var lastLog: [SafeText] { center.folders.lastLogLines(of: id) }

  /// The folders that the widget may write to.
  package var containers: Containers { center.folders.containers(of: id, session?.bundle) }

  /// Gives the card a body of a width between the margins, on the screen or beside it.
  package func show(width: Int, isVisible: Bool) {
    // One column of margin on each side.
    center.screen.setWidth(max(3, min(max(width, 1), 10_000) + 2))
    if isVisible { center.screen.setHost(.active) }
    center.screen.setVisible(isVisible ? [id] : [])
  }

  /// Sets the settings of the widget, an object as in `widgets` of config.json.
  ///
  /// - Returns: What is wrong with them.
  package func configure(widget json: String) -> [String] {
    let settings = RehearsedSettings(json, of: id.bundleIdentifier)
    return configure(settings.text).map(settings.words)
  }

  /// The settings of the widget in the member `widgets` of the text of a configuration.
  ///
  /// - Parameter text: The text, as in config.json.
  /// - Returns: What is wrong with it.
  package func configure(_ text: String) -> [String] {
    let read = UserConfiguration(bytes: Array(text.utf8), path: "configuration")
    guard read.problems.isEmpty else { return read.problems.map(\.string) }
    center.settings.apply(read.settings.widgets)
    // What was wrong with the bundles before is no matter of the settings.
    let found = center.page.roster.catalog.problems.map { SafeText($0.description) }
    return center.notices.problems.filter { !found.contains($0) }.map(\.string)
  }

  /// Other colours: a dark or a light theme.
  package func setDark(_ isDark: Bool) {
    center.look.set(Appearance(colors: 256, dark: isDark), glyphs: .unicode)
  }
}
