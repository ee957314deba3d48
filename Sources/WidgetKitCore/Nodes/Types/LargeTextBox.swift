/// A text that begins with a number, whose digits are two rows of half blocks; the rest follows in the lower row.
///
/// ```
/// ▀█ ▀▀█
/// █▄ ▄▄█ °C
/// ```
final class LargeTextBox: LayoutBox {
  private let number: LargeNumber
  private let alignment: Alignment
  /// What follows the digits, and its style.
  private let rest: TextFlow
  private let restStyle: CellStyle
  /// The same text in one row, where there is no room.
  private let plain: LayoutBox

  /// Creates a box; nil if the text does not begin with a number.
  init?(_ origin: Origin, _ content: TextContent, _ builder: BoxBuilder) {
    let text = content.spans.text.string
    let style = content.spans.first.map { origin.style.applying($0.style) } ?? origin.style
    guard let number = LargeNumber(beginning: text, style: style) else { return nil }
    self.number = number
    alignment = content.alignment
    restStyle = content.spans.last.map { origin.style.applying($0.style) } ?? origin.style
    rest = builder.flow([TextSpan(SafeText(String(text.dropFirst(number.text.count))))], origin)
    plain = builder.text(origin, content)
    super.init(origin)
  }

  private var columns: Int { number.columns + rest.idealColumns }

  override var wish: Wish {
    Wish(minimum: plain.minColumns, ideal: columns, least: 1, grows: alignment != .leading)
  }

  override var isPlacedText: Bool { alignment != .leading }

  private func isLarge(_ width: Int) -> Bool { columns <= width }

  override func measureContent(_ width: Int) -> Size {
    guard isLarge(width) else { return plain.measure(width) }
    return Size(columns: columns, rows: 2)
  }

  override func drawContent(on picture: inout Picture, at rect: Rect, in here: Surroundings) {
    guard isLarge(rect.size.columns), rect.size.rows > 1 else {
      _ = plain.measure(rect.size.columns)
      plain.place(on: &picture, at: rect, in: here)
      return
    }
    var place = rect.origin
    place.column += alignment.offset(of: columns, in: rect.size.columns)
    picture.draw(.number(number), named: "", at: place, in: here)
    place.column += number.columns
    place.row += 1
    if let words = rest.words(in: rest.idealColumns, restStyle, picture.glyphs) {
      picture.draw(words, at: place, in: here)
    }
  }
}
