/// The members of an `image`.
public struct ImageContent: Hashable, Sendable {
  /// A file in the bundle or in one of its containers.
  public var path: String?
  /// The file itself, base64.
  public var data: String?
  /// The text that is shown instead of the image.
  public var alt: SafeText?
  /// Rows.
  public var height: Int?

  /// Creates the content of an image.
  public init(
    path: String? = nil,
    data: String? = nil,
    alt: SafeText? = nil,
    height: Int? = nil
  ) {
    self.path = path
    self.data = data
    self.alt = alt
    self.height = height
  }
}

extension ImageContent: NodeContent {
  static let type = "image"
  var wrapped: ViewNode.Content { .image(self) }

  enum Member: Int, ViewMemberKey {
    case path, data, alt, height
    static let names = listNames()
  }

  init(_ members: borrowing Reader) throws {
    self.init(
      path: try members.string(.path),
      data: try members.string(.data),
      alt: try members.value(.alt),
      height: try members.extent(.height)
    )
  }

  func write(to members: inout Writer) throws {
    try members.encodeIfPresent(path, forKey: .path)
    try members.encodeIfPresent(data, forKey: .data)
    try members.encodeIfPresent(alt, forKey: .alt)
    try members.encodeIfPresent(height, forKey: .height)
  }

  var texts: [SafeText] { [alt].compactMap(\.self) }

  package var imageSource: ImageSource? { path.map { .path($0) } ?? data.map { .data($0) } }

  func box(_ origin: LayoutBox.Origin, _ builder: BoxBuilder) -> LayoutBox {
    ImageBox(origin, self, builder)
  }
}

/// A picture: the cells of its drawing when that is ready, and before that its `alt` in the same place.
final class ImageBox: LayoutBox {
  private let found: FoundImage?
  private let alt: LayoutBox?
  /// The rows that were requested.
  private let rows: Int?
  private let ready: Set<ImageDrawing>

  init(_ origin: Origin, _ content: ImageContent, _ builder: BoxBuilder) {
    let images = builder.environment.images
    found = content.imageSource.flatMap { images.found[$0] }
    ready = images.ready
    let rows = content.height?.boundedExtent
    self.rows = rows
    alt = content.alt.map { alt in
      var words = ViewNode(.text(TextContent(spans: [TextSpan(alt)], lineLimit: rows)))
      words.style.dim = true
      return builder.box(words, in: .layers, of: origin)
    }
    super.init(origin)
  }

  override var wish: Wish {
    guard let found else {
      guard let alt else { return Wish() }
      return Wish(minimum: alt.minColumns, ideal: alt.idealColumns, least: alt.leastColumns)
    }
    let ideal = ImageDrawing.size(of: found.pixels, width: Size.limit.upperBound, rows: rows)
    return Wish(minimum: min(4, ideal.columns), ideal: ideal.columns, least: min(1, ideal.columns))
  }

  /// The size of the drawing in `width` columns.
  private func drawingSize(_ width: Int) -> Size? {
    found.map { ImageDrawing.size(of: $0.pixels, width: width, rows: rows) }
  }

  override func measureContent(_ width: Int) -> Size {
    let text = alt?.measure(width) ?? .zero
    guard let size = drawingSize(width) else {
      return Size(columns: text.columns, rows: rows ?? text.rows)
    }
    return Size(columns: size.columns, rows: rows ?? size.rows)
  }

  override func drawContent(on picture: inout Picture, at rect: Rect, in here: Surroundings) {
    if let found, !isRedacted, let size = drawingSize(rect.size.columns), !size.isEmpty {
      let drawing = ImageDrawing(number: found.number, size: size)
      picture.add(drawing)
      if ready.contains(drawing) { return draw(drawing, on: &picture, at: rect.origin, in: here) }
    }
    guard let alt else { return }
    alt.measure(rect.size.columns)
    alt.place(on: &picture, at: Rect(origin: rect.origin, size: alt.size), in: here)
  }

  private func draw(
    _ drawing: ImageDrawing,
    on picture: inout Picture,
    at origin: Position,
    in here: Surroundings
  ) {
    let columns = drawing.size.columns
    for row in 0..<drawing.size.rows {
      let start = Position(column: origin.column, row: origin.row + row)
      guard start.row >= here.clip.minRow else { continue }
      guard start.row < here.clip.maxRow else { return }
      let cells = (0..<columns).map { column in
        let place = Position(column: column, row: row)
        return Cell(glyph: Glyph(image: ImageCell(drawing, at: place)), style: style)
      }
      picture.draw(cells, at: start, in: here)
    }
  }
}

/// A picture, or its `alt` if it cannot be shown.
public struct Image: ElementView {
  /// The image as one element.
  public let nodes: [ViewNode]

  /// Creates an image of the file at `path`, in the bundle or in one of its containers.
  public init(_ path: String, alt: String, height: Int? = nil) {
    nodes = [ViewNode(.image(ImageContent(path: path, alt: SafeText(alt), height: height)))]
  }

  /// Creates an image from a file's content in base64.
  public init(base64 data: String, alt: String, height: Int? = nil) {
    nodes = [ViewNode(.image(ImageContent(data: data, alt: SafeText(alt), height: height)))]
  }
}
