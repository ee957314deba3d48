import WidgetKitCore

/// The card that owns a ``CardImages``.
protocol CardImagesOwner: AnyObject {
  /// Where the widget may have files; nil before its bundle is known.
  var imagePlaces: ImagePlaces? { get }
  /// Called when a picture of the card is drawn, or cannot be.
  func imagesDidChange()
  /// Called when the files of the pictures are to be looked at again.
  func imageFilesMayHaveChanged()
  /// Writes to the log of the widget.
  func logImage(_ line: String)
}

/// The pictures of a card: finds the files of its view, and has them drawn at the sizes of the layout.
///
/// A class because the library of the page calls it.
final class CardImages {
  private unowned let owner: any CardImagesOwner
  private let id: CardID
  private let library: ImageLibrary
  private var found: [ImageSource: FoundImage] = [:]
  private var wanted: Set<ImageDrawing> = []
  /// When files that were written again are looked at.
  private var later: (any HostTimer)?
  private var names: [Int: String] = [:]
  /// What the log says already.
  private var told: Set<String> = []

  /// The most different lines in the log of one run.
  private static let lineLimit = 20

  init(owner: any CardImagesOwner, id: CardID, library: ImageLibrary) {
    self.owner = owner
    self.id = id
    self.library = library
  }

  /// What the layout needs to know.
  var forLayout: ViewImages {
    var images = ViewImages()
    guard !found.isEmpty else { return images }
    images.found = found
    images.ready = library.ready
    return images
  }

  /// Whether a picture of the card will be drawn, or refused, in a moment.
  var isPending: Bool { wanted.contains(where: library.isInProgress) }

  /// Finds the files of a view; returns whether they are others than before, or have another content.
  func take(_ view: ViewNode?) -> Bool {
    let sources = view?.imageSources ?? []
    guard !sources.isEmpty || !found.isEmpty, let places = owner.imagePlaces else { return false }
    var next: [ImageSource: FoundImage] = [:]
    names = [:]
    let pause = library.pause(of: id)
    for (index, source) in sources.enumerated() {
      // A file that is written again and again is shown as it was, until it may be drawn again.
      if pause > .zero, let before = found[source] {
        next[source] = before
        names[before.number] = source.name
        lookLater(after: pause)
        continue
      }
      do throws(ImageFault) {
        let limit = library.limits.perView
        guard index < limit else { throw .tooMany(limit: limit) }
        let image = try library.find(ImageOrigin(source: source, places: places))
        next[source] = image
        names[image.number] = source.name
      } catch {
        tell(source.name, error)
      }
    }
    guard next != found else { return false }
    found = next
    return true
  }

  private func lookLater(after pause: Duration) {
    guard later == nil else { return }
    later = library.schedule(after: pause) { [weak self] in
      self?.later = nil
      self?.owner.imageFilesMayHaveChanged()
    }
  }

  /// Has the drawings of a layout drawn.
  func want(_ drawings: [ImageDrawing]) {
    guard !drawings.isEmpty || !wanted.isEmpty else { return }
    wanted = Set(drawings)
    library.want(wanted, for: id)
  }

  /// A drawing is there or was refused; nil if all must be drawn again.
  func libraryDidChange(_ drawing: ImageDrawing?) {
    guard drawing.map({ wanted.contains($0) }) ?? !found.isEmpty else { return }
    if drawing == nil { library.want(wanted, for: id) }
    if let drawing, let fault = library.fault(of: drawing) {
      tell(names[drawing.number] ?? "an image", fault)
    }
    owner.imagesDidChange()
  }

  /// Says everything again.
  func processDidBegin() {
    told = []
  }

  private func tell(_ name: String, _ fault: ImageFault) {
    let line = "image \(name) \(fault)"
    guard told.count < Self.lineLimit, told.insert(line).inserted else { return }
    owner.logImage(line)
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
