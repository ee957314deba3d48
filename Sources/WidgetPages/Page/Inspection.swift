public import FoundationEssentials
import WidgetCards
public import WidgetExtensions
public import WidgetKitCore
import WidgetPlatform
public import WidgetSessions

/// The full state of one widget, for diagnosis.
public nonisolated struct Inspection: Sendable {
  /// The widget's identifier.
  public var identifier: SafeText
  /// The path of the bundle.
  public var path: SafeText?
  /// The state of the card, as shown in the heading.
  public var state: CardStatus
  /// The message in the heading, or nil if there is none.
  public var message: SafeText?
  /// The process, or nil if none is running.
  public var process: Int32?
  /// Whether the process is suspended.
  public var isSuspended = false
  /// The current run, or nil if there is none.
  public var run: RunRecord?
  /// When the widget was last updated.
  public var lastUpdate: Date?
  /// When the schedule next updates the widget, or nil if no update is scheduled.
  public var nextUpdate: Date?
  /// Why it is due then.
  public var nextReason: SafeText = ""
  /// The scheduled updates off the screen: those that may come now, and those of a day; nil without a
  /// limit.
  public var budget: (left: Int, perDay: Int)?
  /// The memory of all its processes, in bytes; nil if none runs.
  public var memoryBytes: UInt64?
  /// The CPU time of all its processes; nil if none runs.
  public var cpuTime: Duration?
  /// The sandbox of the widget and what it may do in it, in words; empty before it was started.
  public var confinement: SafeText = ""
  /// The settings in force; secrets have no value here.
  public var settings: [SettingsBook.Row] = []
  /// What it shows; nil if the page is locked and that is private.
  public var view: ViewNode?
  /// The last messages that were exchanged; none while the page is locked.
  public var messages: [ExchangedMessage] = []
  /// Whether the page is locked, so that nothing is shown in which texts of the user or the widget can be.
  public var isLocked = false
  /// The last runs, oldest first.
  public var runs: [RunRecord] = []
  /// The last lines of the widget's log.
  public var log: [SafeText] = []
}

extension Inspection {
  /// Collects the state of a card's widget, part of it from its files.
  init(
    _ controller: CardRuntime,
    _ folders: StateFolders,
    _ settings: PageSettings,
    _ confinement: WidgetConfinement
  ) {
    let card = controller.card
    let session = controller.session
    let isLocked = controller.isPageLocked
    self.init(
      identifier: SafeText(card.id.description),
      path: isLocked ? nil : session.map { SafeText($0.bundle.place) },
      state: card.state,
      message: isLocked ? nil : card.message
    )
    self.isLocked = isLocked
    process = session?.processGroup
    isSuspended = session?.state.rest == .suspended
    run = session?.run
    lastUpdate = controller.state.updates.schedule.history.lastUpdate
    nextUpdate = controller.nextUpdate
    nextReason = SafeText(controller.state.updates.schedule.reason(controller.updateFacts))
    budget = controller.state.updates.schedule.budget(controller.updateFacts)
    if let present = session?.processRun.flatMap({ ProcessGroups.present($0) }) {
      memoryBytes = present.use.bytes
      cpuTime = present.time
    }
    if let session { self.confinement = confinement.words(of: session.bundle, card.id) }
    let isPrivate = controller.isConcealed || isLocked && card.view?.hasPrivateContent ?? false
    view = isPrivate ? nil : card.view
    // The rest has texts of the user, or of the widget.
    guard !isLocked else { return }
    self.settings = settings.rows(of: card.id)
    messages = session?.messages.messages ?? []
    runs = folders.readRuns(of: card.id).suffix(8)
    log = folders.lastLogLines(of: card.id)
  }
}

extension StateFolders {
  /// Returns the last lines of a widget's log, at most 20, each cut at 400 bytes.
  ///
  /// That fits on a screen; they are read once a second while they are shown.
  func lastLogLines(of id: CardID) -> [SafeText] {
    let limit = (lines: 20, bytes: 16 * 1024)
    var bytes = DurableFile.tail(log(of: id), byteLimit: limit.bytes)
    if bytes.count < limit.bytes {
      bytes = DurableFile.tail(log(of: id) + ".1", byteLimit: limit.bytes - bytes.count) + bytes
    }
    return bytes.split(separator: UInt8(ascii: "\n")).suffix(limit.lines).map {
      SafeText(String(decoding: $0.prefix(400), as: UTF8.self))
    }
  }
}
