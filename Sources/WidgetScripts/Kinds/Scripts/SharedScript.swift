import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// One program whose blocks are cards of their own: its run, and the cards that share it.
///
/// It runs while any of its cards needs it and is suspended while all of them are, fails for all of them, and starts
/// again after one pause for all of them. A card whose block is not printed any more is hidden, and is shown again
/// with its block; the last one stays, as somebody has to run the program.
@MainActor final class SharedScript {
  /// What is the same for the cards that share a run.
  private struct Key: Hashable {
    var program: ScriptProgram
    var environment: [String: String]
    /// Another file is another program.
    var file: FileIdentity?
  }

  /// The programs that run, or are about to.
  private static var all: [Key: SharedScript] = [:]
  /// How long a block that this run has not printed counts as one that is about to come.
  private static let patience = Duration.seconds(5)
  /// How long a program runs on when the card has gone that stood for its blocks, until the first of theirs comes.
  private static let handover = Duration.milliseconds(500)

  private let key: Key
  private let program: ScriptProgram
  private let folders: StateFolders
  private lazy var blocks = SharedBlocks(of: program, in: folders, owner: self)
  private var makeRunner: ((any ScriptRunnerOwner) -> ScriptRunner)?
  private lazy var runner: ScriptRunner = {
    guard let makeRunner else { preconditionFailure("the runner is made once") }
    self.makeRunner = nil
    return makeRunner(self)
  }()
  private var members: [SharedScriptCard] = []
  /// The card that has gone and is told when the run has ended.
  private var last: SharedScriptCard?
  private var handoverTimer: (any HostTimer)?

  // MARK: - The present run

  /// What it has printed; nil before anything was.
  private var parts: [ScriptBlock: ScriptPicture]?
  /// Their places in the line.
  private var order: [ScriptBlock: Int] = [:]
  /// The same as one picture.
  private var whole = ScriptContent.nothing
  /// The blocks that it has printed at any time.
  private var printed: Set<ScriptBlock> = []
  private var isStarting = false
  private var isPaused = false
  /// When it was begun, and later when it has printed its first blocks.
  private var start = ContinuousClock.now
  /// Calls when its patience is over, and when the time for the first blocks is.
  private var timers: [any HostTimer] = []
  /// How the run before has ended, and when; nil if there was none.
  private var end: (content: ScriptContent, instant: ContinuousClock.Instant)?
  private var failures = 0

  private init(
    _ key: Key,
    _ folders: StateFolders,
    _ runner: @escaping (any ScriptRunnerOwner) -> ScriptRunner
  ) {
    self.key = key
    program = key.program
    self.folders = folders
    makeRunner = runner
  }

  /// Finds what runs a program for all of its cards, or makes it.
  ///
  /// - Parameters:
  ///   - program: The script.
  ///   - launch: How it is started.
  ///   - folders: The folders with the blocks that are known, and the cards that are hidden.
  ///   - runner: Makes its runner, unless it runs.
  /// - Returns: What runs it, until the last of its cards has gone.
  static func run(
    of program: ScriptProgram,
    _ launch: LaunchDescription,
    _ folders: StateFolders,
    _ runner: @escaping (any ScriptRunnerOwner) -> ScriptRunner
  ) -> SharedScript {
    let key = Key(
      program: program,
      environment: launch.environment,
      file: FileIdentity(program.path)
    )
    if let shared = all[key] { return shared }
    let shared = SharedScript(key, folders, runner)
    all[key] = shared
    return shared
  }

  // MARK: - Cards

  /// Adds a card that shows a block; nil for one that stands for blocks that are not known yet.
  func join(_ owner: any ScriptRunnerOwner, _ block: ScriptBlock?) -> SharedScriptCard {
    let card = SharedScriptCard(of: self, owner, block)
    members.append(card)
    handoverTimer?.cancel()
    handoverTimer = nil
    last?.owner?.scriptHasEnded()
    last = nil
    resumeIfNeeded()
    return card
  }

  /// Removes a card; the last one ends the run.
  func leave(_ card: SharedScriptCard) {
    members.removeAll { $0 === card }
    guard members.isEmpty else {
      card.owner?.scriptHasEnded()
      suspendIfPossible()
      return
    }
    last = card
    // The cards of the blocks that were found come in a moment.
    guard card.block == nil, blocks.wasAnnounced, runner.isRunning else { return finish() }
    handoverTimer = EventLoop.main.schedule(after: Self.handover) { [weak self] in self?.finish() }
  }

  private func finish() {
    handoverTimer?.cancel()
    handoverTimer = nil
    blocks.stop()
    for timer in timers { timer.cancel() }
    if Self.all[key] === self { Self.all[key] = nil }
    runner.end()
  }

  /// Ends everything at once, for all cards.
  func kill() {
    if members.isEmpty { finish() }
    runner.kill()
  }

  /// The card for which the processes count: one that is not suspended, if there is one.
  func leads(_ card: SharedScriptCard) -> Bool {
    (speaker ?? last) === card
  }

  func suspendIfPossible() {
    guard !isPaused, !members.isEmpty, members.allSatisfy(\.isSuspended) else { return }
    isPaused = true
    runner.suspend()
  }

  func resumeIfNeeded() {
    guard isPaused, members.contains(where: { !$0.isSuspended }) else { return }
    isPaused = false
    runner.resume()
  }

  // MARK: - Runs

  var isRunning: Bool { runner.isRunning }
  var processRun: ProcessRun? { runner.processRun }
  var cpu: Duration { runner.cpu }

  func press(_ action: String) -> ScriptPress { runner.press(action) }
  func write(_ bytes: [UInt8]) -> Bool { runner.write(bytes) }

  /// Starts a run for a card that has asked for an update, unless it is too early after the last one.
  func queue(
    _ card: SharedScriptCard,
    adding variables: [String: String],
    isWanted: Bool
  ) {
    if runner.isRunning || isStarting { return deliver(to: card) }
    if let end, !isWanted, end.instant.duration(to: .now) < pause {
      return answer(card, end.content, isEnd: true)
    }
    isStarting = true
    (parts, whole, printed) = (nil, .nothing, [])
    start = .now
    arm(after: Self.patience)
    runner.traits = card.traits
    runner.queue(adding: variables, isWanted: isWanted)
  }

  /// The shortest time from the end of a run to the next one, which grows while it fails.
  private var pause: Duration {
    let policy = RefreshPolicy().allowing(program.interval)
    let wish = Duration.saturated(seconds: program.refreshInterval)
    // The schedules of cards, which are the same, need not agree to a moment.
    return policy.pause(wish: wish, failures: failures) * 0.9
  }

  private func arm(after pause: Duration) {
    for timer in timers { timer.cancel() }
    let pauses = [pause, max(pause, .seconds(program.timeout))]
    timers = pauses.map { pause in
      EventLoop.main.schedule(after: pause) { [weak self] in self?.distribute() }
    }
  }

  private var isPatient: Bool { start.duration(to: .now) < Self.patience }

  // MARK: - Content

  /// Gives every card what it shows, and hides and shows cards.
  private func distribute(isEnd: Bool = false) {
    blocks.announce()
    if let parts, let keeper = keeper(among: parts) {
      blocks.follow(keeper: keeper, isAwaited: isAwaited)
    }
    for card in members where !card.isSuspended || card.isWaiting {
      deliver(to: card, isEnd: isEnd)
    }
  }

  /// Gives a card what it shows; one that waits for an answer waits on while its block may come.
  func deliver(to card: SharedScriptCard, isEnd: Bool = false) {
    guard let block = card.block else { return deliverWhole(to: card, isEnd: isEnd) }
    if let picture = parts?[block] {
      answer(card, .picture(picture), isEnd: isEnd)
    } else if parts == nil || isAwaited(block) {
      if isEnd || card.isWaiting && !isPatient { answer(card, .nothing, isEnd: isEnd) }
    } else if blocks.isHidden(block) {
      if card.isWaiting { answer(card, .nothing, isEnd: isEnd) }
    } else {
      answer(card, .picture(ScriptPicture(view: ScriptWords.nothing)), isEnd: isEnd)
    }
  }

  /// Gives the card that stands for all blocks their picture, if they cannot get cards of their own.
  private func deliverWhole(to card: SharedScriptCard, isEnd: Bool) {
    if parts != nil, blocks.isAnnouncing || !blocks.wasAnnounced, !isEnd { return }
    let isLate = start.duration(to: .now) >= .seconds(program.timeout)
    if whole == .nothing, !isEnd, !(card.isWaiting && isLate) { return }
    answer(card, whole, isEnd: isEnd)
  }

  private func answer(_ card: SharedScriptCard, _ content: ScriptContent, isEnd: Bool) {
    card.isWaiting = false
    card.owner?.scriptHas(content, isEnd: isEnd)
  }

  // MARK: - Blocks that are not printed

  /// Whether a block that is not printed may still come.
  private func isAwaited(_ block: ScriptBlock) -> Bool {
    !printed.contains(block) && isPatient
  }

  /// The card that stays whatever the program prints, and asks the page to show and hide the others: if possible one
  /// on the screen whose block is printed.
  private func keeper(among parts: [ScriptBlock: ScriptPicture]) -> SharedScriptCard? {
    let present = members.filter { card in card.block.map { parts[$0] != nil } ?? false }
    let shown = members.filter { card in card.block.map { !blocks.isHidden($0) } ?? false }
    return present.first { !$0.isSuspended } ?? present.first ?? shown.first { !$0.isSuspended }
      ?? shown.first
  }
}

extension SharedScript: SharedBlocksOwner {
  var present: [ScriptBlock]? {
    parts?.keys.sorted { order[$0, default: 0] < order[$1, default: 0] }
  }

  var speaker: SharedScriptCard? { members.first { !$0.isSuspended } ?? members.first }

  func blocksWereAnnounced() {
    for card in members where card.block == nil { deliver(to: card) }
  }
}

extension SharedScript: ScriptRunnerOwner {
  func scriptHas(_ content: ScriptContent, isEnd: Bool) {
    isStarting = false
    if isEnd {
      for timer in timers { timer.cancel() }
      end = (.nothing, .now)
      failures = 0
      if case .failure = content {
        end = (content, .now)
        failures += 1
      }
    }
    if let found = runner.parts {
      if parts == nil, !isEnd {
        start = .now
        arm(after: Self.patience)
      }
      parts = Dictionary(
        found.map { ($0.block, $0.picture) },
        uniquingKeysWith: { first, _ in first }
      )
      printed.formUnion(found.map(\.block))
      order = Dictionary(
        found.enumerated().map { ($1.block, $0) },
        uniquingKeysWith: { first, _ in first }
      )
    }
    if case .failure = content {
      for card in members { answer(card, content, isEnd: isEnd) }
      return
    }
    whole = content
    distribute(isEnd: isEnd)
  }

  func scriptLogs(_ lines: [SafeText]) {
    for card in members { card.owner?.scriptLogs(lines) }
  }

  func scriptHasEnded() {
    last?.owner?.scriptHasEnded()
    last = nil
  }

  func scriptWants(_ wish: ScriptWish, completion: @escaping () -> Void) { completion() }
}
