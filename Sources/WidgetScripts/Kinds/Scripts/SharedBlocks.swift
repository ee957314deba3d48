import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// The program whose blocks are ``SharedBlocks``.
@MainActor protocol SharedBlocksOwner: AnyObject {
  /// The blocks that it prints now, in the order of its line; nil before anything was printed.
  var present: [ScriptBlock]? { get }
  /// The card that asks the page for the cards of other blocks; nil if there is none.
  var speaker: SharedScriptCard? { get }
  /// Called when the page has been asked for cards of new blocks, or cannot be.
  func blocksWereAnnounced()
  /// Writes lines to the logs of the cards.
  func scriptLogs(_ lines: [SafeText])
}

/// The blocks of a program that are known on the disk, so that they have cards, and which of these are hidden.
@MainActor final class SharedBlocks {
  private unowned let owner: any SharedBlocksOwner
  private let program: ScriptProgram
  private let folders: StateFolders
  private let path: String
  private var list: ScriptBlockList
  /// Whether the page is being asked for cards of new blocks.
  private(set) var isAnnouncing = false
  /// Whether all blocks that were printed have cards, or the page was asked for them.
  private(set) var wasAnnounced = false
  private var next: (any HostTimer)?
  private var pause = SharedBlocks.firstPause

  /// From new blocks to the next ones, which grows while there are always others.
  private static let firstPause = Duration.seconds(1)
  private static let longestPause = Duration.seconds(64)

  /// Reads the blocks that are known.
  ///
  /// - Parameters:
  ///   - program: The script.
  ///   - folders: The folders with the lists of blocks, and with the cards that are hidden.
  ///   - owner: What runs it.
  init(of program: ScriptProgram, in folders: StateFolders, owner: any SharedBlocksOwner) {
    (self.program, self.folders, self.owner) = (program, folders, owner)
    path = ScriptBlockList.path(of: program.identifier, in: folders.blocks)
    list = ScriptBlockList.read(path, of: program.identifier)
  }

  /// Whether the card of a block is hidden because the block is not printed.
  func isHidden(_ block: ScriptBlock) -> Bool {
    list.entries.contains { $0.block == block && $0.isAbsent }
  }

  /// Asks for no more cards.
  func stop() {
    next?.cancel()
  }

  // MARK: - Blocks that come and go

  /// Hides the cards of blocks that are gone, but for one, and shows those that are back.
  ///
  /// - Parameters:
  ///   - keeper: The card that stays whatever is printed, and asks the page to show and hide the others.
  ///   - isAwaited: Whether a block that is not printed may still come.
  func follow(keeper: SharedScriptCard, isAwaited: (ScriptBlock) -> Bool) {
    let present = Set(owner.present ?? [])
    var changes: [ScriptBlock: Bool] = [:]
    for entry in list.entries where program.wants(entry.block) {
      let isPresent = present.contains(entry.block)
      guard isPresent == entry.isAbsent else { continue }
      if !isPresent {
        guard entry.block != keeper.block, !isAwaited(entry.block) else { continue }
        // What the user has hidden does not come back with its block.
        guard !isFlagged(entry.identifier) else { continue }
      }
      list.set(isAbsent: !isPresent, entry.block)
      changes[entry.block] = !isPresent
      keeper.owner?.scriptWants(.hasContent(isPresent, identifier: entry.identifier)) {}
    }
    guard !changes.isEmpty else { return }
    change { [changes] list in
      for (block, isAbsent) in changes { list.set(isAbsent: isAbsent, block) }
    }
  }

  private func isFlagged(_ identifier: String) -> Bool {
    !DurableFile.isAbsent("\(folders.noContent)/\(ExtensionIdentity(identifier).fileName)")
  }

  // MARK: - New blocks

  /// Has the page make cards for blocks that have none, one search after the other.
  func announce() {
    guard let present = owner.present, !isAnnouncing, next == nil else { return }
    let known = Set(list.entries.map(\.block))
    guard present.contains(where: { !known.contains($0) }) else {
      wasAnnounced = true
      return
    }
    isAnnouncing = true
    let identifier = program.identifier
    change { list in
      list.add(present, of: identifier)
    } then: { [weak self] isKept in
      guard let self else { return }
      guard isKept, let speaker = owner.speaker else { return wereAnnounced() }
      speaker.owner?.scriptWants(.search) { [weak self] in self?.wereAnnounced() }
      // The page ends the card that stands for the blocks while it answers.
      wasAnnounced = true
    }
  }

  private func wereAnnounced() {
    isAnnouncing = false
    wasAnnounced = true
    next = EventLoop.main.schedule(after: pause) { [weak self] in
      self?.next = nil
      self?.announce()
    }
    pause = min(pause * 2, Self.longestPause)
    owner.blocksWereAnnounced()
  }

  /// Changes the list on the disk, in the background, and takes over what other programs have added.
  private func change(
    _ change: @escaping @Sendable (inout ScriptBlockList) -> Void,
    then completion: @escaping @MainActor @Sendable (_ isKept: Bool) -> Void = { _ in }
  ) {
    let (path, identifier) = (path, program.identifier)
    Worker.background.async { [weak self] in
      let result = Result { () throws(HostError) in
        try ScriptBlockList.change(path, of: identifier, change)
      }
      MainQueue.perform { self?.didChange(result, completion) }
    }
  }

  private func didChange(
    _ result: Result<ScriptBlockList, HostError>,
    _ completion: (_ isKept: Bool) -> Void
  ) {
    switch result {
    case .success(let list):
      self.list = list
      completion(true)
    case .failure(let error):
      owner.scriptLogs([SafeText("its blocks get no cards: \(error)")])
      completion(false)
    }
  }
}
