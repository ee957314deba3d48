import FoundationEssentials
package import WidgetKitCore
package import WidgetPlatform

/// The pictures of a page: which there are, and those that are drawn.
///
/// A class because the decoder calls it.
public final class ImageLibrary {
  private nonisolated struct Item: Sendable {
    var origin: ImageOrigin
    var content: ImageOrigin.Content
    var header: ImageHeader
  }

  /// What pictures are drawn with; nil if they are not drawn.
  public private(set) var look: ImageLook?
  /// The drawings that can be shown.
  private(set) var ready: Set<ImageDrawing> = []
  /// Called when a picture is drawn, or cannot be; nil for all of them.
  package var onChange: (ImageDrawing?) -> Void = { _ in }

  let limits: ImageLimits
  private let drawer: any ImageDrawer
  private var numbers: [ImageOrigin.Content: Int] = [:]
  private var items: [Int: Item] = [:]
  private var nextNumber = 1
  /// The pictures that are drawn.
  package private(set) var results: [ImageDrawing: ImageResult] = [:]
  private var faults: [ImageDrawing: ImageFault] = [:]
  private var inProgress: Set<ImageDrawing> = []
  private var wanted: [CardID: Set<ImageDrawing>] = [:]
  /// How much of the time each card keeps the decoder at work, and the timers of those that wait.
  private var budgets: [CardID: WorkBudget] = [:]
  private var waiting: [CardID: any HostTimer] = [:]
  private let clock: any HostClock
  private var byteCount = 0
  /// Counts the changes of ``look``, so that answers for the look before are dropped.
  private var generation = 0

  /// Pictures that are remembered although nothing shows them.
  private static let itemLimit = 512

  /// The part of the time that a card may keep the decoder at work, and for how long at first.
  private static let share = 0.1
  private static let burst: Duration = .seconds(3)

  package init(
    drawer: any ImageDrawer,
    limits: ImageLimits = ImageLimits(),
    clock: (any HostClock)? = nil
  ) {
    self.drawer = drawer
    self.clock = clock ?? SystemClock()
    self.limits = limits
  }

  /// Sets what pictures are drawn with.
  public func setLook(_ look: ImageLook?) {
    guard look != self.look else { return }
    self.look = look
    generation += 1
    results = [:]
    ready = []
    faults = [:]
    inProgress = []
    byteCount = 0
    onChange(nil)
  }

  /// Releases what is not needed until the next picture.
  package func rest() {
    drawer.rest()
  }

  // MARK: - Files

  /// Finds the picture of an origin, and reads its size.
  func find(_ origin: ImageOrigin) throws(ImageFault) -> FoundImage {
    let content: ImageOrigin.Content
    let header: ImageHeader
    switch origin.source {
    case .data(let text):
      content = .data(text)
      if let known = known(content) { return known }
      guard let found = ImageHeader(try ImageOrigin.bytes(text, byteLimit: limits.fileBytes))
      else { throw .unknownFormat }
      header = found
    case .path(let path):
      let file = try ImageFile(path, in: origin.places, byteLimit: limits.fileBytes)
      content = .file(file.identity)
      if let known = known(content) { return known }
      header = try file.header()
    }
    guard header.pixels <= limits.pixels else {
      throw .tooLarge(header, limit: limits.pixels)
    }
    if items.count >= Self.itemLimit { forgetUnused() }
    let number = nextNumber
    nextNumber = nextNumber < Glyph.largestImageNumber ? nextNumber + 1 : 1
    items[number] = Item(origin: origin, content: content, header: header)
    numbers[content] = number
    return FoundImage(number: number, pixels: header.size)
  }

  private func known(_ content: ImageOrigin.Content) -> FoundImage? {
    guard let number = numbers[content], let item = items[number] else { return nil }
    return FoundImage(number: number, pixels: item.header.size)
  }

  private func forgetUnused() {
    let used = Set(wanted.values.joined().map(\.number))
    for (number, item) in items where !used.contains(number) {
      items[number] = nil
      numbers[item.content] = nil
    }
    for drawing in results.keys where !used.contains(drawing.number) { remove(drawing) }
  }

  // MARK: - Drawings

  /// Notes the drawings that a card shows, and draws those that are missing.
  func want(_ drawings: Set<ImageDrawing>, for card: CardID) {
    if wanted[card] ?? [] != drawings { wanted[card] = drawings.isEmpty ? nil : drawings }
    guard let look else { return }
    let missing = drawings.filter {
      results[$0] == nil && faults[$0] == nil && !inProgress.contains($0)
    }
    guard !missing.isEmpty else { return }
    let wait = pause(of: card)
    guard wait == .zero else { return wantLater(card, after: wait) }
    for drawing in missing { draw(drawing, look, for: card) }
  }

  /// Draws what a card shows then.
  private func wantLater(_ card: CardID, after wait: Duration) {
    guard waiting[card] == nil else { return }
    waiting[card] = clock.schedule(after: wait) { [weak self] in
      guard let self else { return }
      waiting[card] = nil
      if let drawings = wanted[card] { want(drawings, for: card) }
    }
  }

  /// Calls `action` later.
  func schedule(after delay: Duration, _ action: @escaping () -> Void) -> any HostTimer {
    clock.schedule(after: delay, action)
  }

  /// How long a card waits until more of its pictures are drawn, as it has kept the decoder at work.
  func pause(of card: CardID) -> Duration { budgets[card]?.wait(at: clock.now) ?? .zero }

  /// Whether a drawing will be drawn, or refused, in a moment.
  func isInProgress(_ drawing: ImageDrawing) -> Bool { inProgress.contains(drawing) }

  /// Why a drawing is not shown; nil if it is, or if nothing is known yet.
  func fault(of drawing: ImageDrawing) -> ImageFault? { faults[drawing] }

  private func draw(_ drawing: ImageDrawing, _ look: ImageLook, for card: CardID) {
    guard let item = items[drawing.number] else { return }
    inProgress.insert(drawing)
    let request = ImageRequest(header: item.header, size: drawing.size, look: look)
    let (generation, limit) = (generation, limits.fileBytes)
    // A file may be on a slow disk.
    Worker.background.async { [weak self] in
      let bytes = Self.read(item, byteLimit: limit)
      MainQueue.perform {
        guard let self, generation == self.generation else { return }
        switch bytes {
        case .failure(let fault): self.take(.failure(fault), drawing, generation)
        case .success(let bytes):
          let start = self.clock.now
          self.drawer.draw(request, bytes) { [weak self] result in
            self?.noteWork(since: start, of: card)
            self?.take(result, drawing, generation)
          }
        }
      }
    }
  }

  private func noteWork(since start: ContinuousClock.Instant, of card: CardID) {
    let now = clock.now
    var budget = budgets[card] ?? WorkBudget(share: Self.share, burst: Self.burst)
    // Those of other cards may have been drawn before.
    budget.spend(min(start.duration(to: now), ImageLimits.time), at: now)
    budgets[card] = budget
  }

  private nonisolated static func read(
    _ item: Item,
    byteLimit: Int
  ) -> Result<[UInt8], ImageFault> {
    do throws(ImageFault) {
      let bytes = try item.origin.bytes(of: item.content, byteLimit: byteLimit)
      guard ImageHeader.isWhole(bytes, item.header.format) else { throw .cutShort }
      return .success(bytes)
    } catch {
      return .failure(error)
    }
  }

  private func take(
    _ result: Result<ImageResult, ImageFault>,
    _ drawing: ImageDrawing,
    _ generation: Int
  ) {
    guard generation == self.generation else { return }
    inProgress.remove(drawing)
    switch result {
    case .failure(let fault): faults[drawing] = fault
    case .success(let result):
      makeRoom(for: result.byteCount)
      if byteCount + result.byteCount <= limits.drawnBytes {
        results[drawing] = result
        ready.insert(drawing)
        byteCount += result.byteCount
      } else {
        faults[drawing] = .noMemory
      }
    }
    onChange(drawing)
  }

  /// Removes drawings that no card shows, if there is too little room.
  private func makeRoom(for count: Int) {
    guard byteCount + count > limits.drawnBytes else { return }
    let used = Set(wanted.values.joined())
    for drawing in results.keys where !used.contains(drawing) { remove(drawing) }
  }

  private func remove(_ drawing: ImageDrawing) {
    guard let result = results.removeValue(forKey: drawing) else { return }
    byteCount -= result.byteCount
    ready.remove(drawing)
  }
}

nonisolated extension ImageHeader {
  fileprivate var size: Size { Size(columns: width, rows: height) }
}
