import WidgetKitCore

/// The pictures of a card's view: their files, and what the log says about them.
struct CardImages {
  private(set) var found: [ImageSource: FoundImage] = [:]
  /// When files that were written again are looked at.
  private(set) var due: ContinuousClock.Instant?

  private var names: [Int: String] = [:]
  /// What the log says already.
  private var logged: Set<String> = []
  private let limit: Int

  /// The most different lines in the log of one run.
  private static let lineLimit = 20

  /// Creates the pictures of a card, whose view may have `limit` of them.
  init(limit: Int) {
    self.limit = limit
  }

  /// What the layout needs to know, when these drawings of all cards are ready.
  func forLayout(_ ready: Set<ImageDrawing>) -> ViewImages {
    var images = ViewImages()
    guard !found.isEmpty else { return images }
    images.found = found
    images.ready = ready
    return images
  }

  /// Looks for the files of a view; returns whether they are others than before, or have another content.
  mutating func look(for view: ViewNode?, _ turn: inout CardTurn) -> Bool {
    let sources = view?.imageSources ?? []
    guard !sources.isEmpty || !found.isEmpty else { return false }
    var next: [ImageSource: FoundImage] = [:]
    names = [:]
    let pause = turn.queries.imagePause()
    for (index, source) in sources.enumerated() {
      // A file that is written again and again is shown as it was, until it may be drawn again.
      if pause > .zero, let before = found[source] {
        next[source] = before
        names[before.number] = source.name
        due = due ?? turn.now + pause
        continue
      }
      do throws(ImageFault) {
        guard index < limit else { throw .tooMany(limit: limit) }
        let image = try turn.queries.image(source, turn.widget.bundle)
        next[source] = image
        names[image.number] = source.name
      } catch {
        tell(source.name, error, &turn)
      }
    }
    guard next != found else { return false }
    found = next
    return true
  }

  /// Whether files are to be looked at again now; it is asked once.
  mutating func takesLook(at now: ContinuousClock.Instant) -> Bool {
    guard let due, due <= now else { return false }
    self.due = nil
    return true
  }

  /// A drawing cannot be made.
  mutating func note(_ fault: ImageFault, of drawing: ImageDrawing, _ turn: inout CardTurn) {
    tell(names[drawing.number] ?? "an image", fault, &turn)
  }

  /// Says everything again.
  mutating func processDidBegin() {
    logged = []
  }

  /// Looks no more by itself.
  mutating func stop() {
    due = nil
  }

  private mutating func tell(_ name: String, _ fault: ImageFault, _ turn: inout CardTurn) {
    let line = "image \(name) \(fault)"
    guard logged.count < Self.lineLimit, logged.insert(line).inserted else { return }
    turn.log(SafeText(line))
  }
}

nonisolated extension ImageSource {
  /// How it is called in the log.
  fileprivate var name: String {
    switch self {
    case .path(let path): "“\(String(path.prefix(200)))”"
    case .data: "in “data”"
    }
  }
}
