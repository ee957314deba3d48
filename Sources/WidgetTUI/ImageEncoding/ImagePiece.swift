import WidgetCards
import WidgetKitCore

/// The pictures that are drawn, by what their cells say.
typealias DrawnImages = [ImageDrawing: ImageResult]

/// A rectangle of cells on a canvas that shows a part of a picture.
nonisolated struct ImagePiece: Hashable, Sendable {
  /// The picture.
  var drawing: ImageDrawing
  /// The cells on the canvas.
  var area: Rect
  /// The place of the first of them in the picture.
  var start: Position
  /// How it is drawn.
  var tone: ImageTone

  /// Whether the whole picture is there.
  var isWhole: Bool { area.size == drawing.size }
}

nonisolated extension Canvas {
  /// The parts of pictures on it, as few as possible, from the top left.
  var imagePieces: [ImagePiece] {
    var finished: [ImagePiece] = []
    var open: [ImagePiece] = []
    for row in 0..<size.rows {
      var next: [ImagePiece] = []
      for part in imageParts(inRow: row) {
        let above = open.firstIndex { piece in
          piece.area.minColumn == part.area.minColumn
            && piece.area.size.columns == part.area.size.columns && piece.drawing == part.drawing
            && piece.start.column == part.start.column && piece.tone == part.tone
            && piece.start.row + piece.area.size.rows == part.start.row
        }
        guard let above else {
          next.append(part)
          continue
        }
        var piece = open.remove(at: above)
        piece.area.size.rows += 1
        next.append(piece)
      }
      finished += open
      open = next
    }
    return finished + open
  }

  /// The neighbouring cells of one picture in a row.
  private func imageParts(inRow row: Int) -> [ImagePiece] {
    var parts: [ImagePiece] = []
    for (column, cell) in self.row(row).enumerated() {
      guard let image = cell.glyph.image else { continue }
      let tone = ImageTone(cell.style.attributes)
      if let last = parts.indices.last, parts[last].area.maxColumn == column,
        parts[last].drawing == image.drawing, parts[last].tone == tone,
        parts[last].start.row == image.place.row,
        parts[last].start.column + parts[last].area.size.columns == image.place.column
      {
        parts[last].area.size.columns += 1
      } else {
        parts.append(
          ImagePiece(
            drawing: image.drawing,
            area: Rect(column: column, row: row, columns: 1, rows: 1),
            start: image.place,
            tone: tone
          )
        )
      }
    }
    return parts
  }

  /// The canvas with each cell of a picture replaced by `cell`.
  func replacingImages(_ cell: (ImageCell, CellStyle) -> Cell) -> Canvas {
    var result = self
    for row in 0..<size.rows {
      for (column, old) in self.row(row).enumerated() {
        guard let image = old.glyph.image else { continue }
        result.set(cell(image, old.style), at: Position(column: column, row: row))
      }
    }
    return result
  }

  /// The canvas with blanks in place of pictures.
  var withoutImages: Canvas {
    replacingImages { Cell(glyph: .space, style: CellStyle(background: $1.background)) }
  }

  /// The canvas with the characters of pictures that are drawn with characters; blanks for others.
  func withSymbols(of images: DrawnImages) -> Canvas {
    replacingImages { image, style in
      guard case .symbols(let cells)? = images[image.drawing] else {
        return Cell(glyph: .space, style: style)
      }
      return Self.symbol(image, of: cells, style)
    }
  }

  /// The character of a cell of a picture, with the attributes of its place.
  static func symbol(_ image: ImageCell, of cells: [Cell], _ style: CellStyle) -> Cell {
    let place = image.place.row * image.drawing.size.columns + image.place.column
    guard cells.indices.contains(place) else { return Cell(glyph: .space, style: style) }
    var cell = cells[place]
    cell.style.background = cell.style.background ?? style.background
    cell.style.attributes = style.attributes
    return cell
  }
}
