/// What a field is for, which its mark shows.
public enum FieldKind: String, Hashable, Sendable, Codable, CaseIterable {
  /// A text that Enter sends.
  case text
  /// A text by which something is found while it is typed.
  case search
}

/// The members of a `field`: a line that the user types; its `action` is sent by Enter.
public struct FieldContent: Hashable, Sendable {
  /// The text to which this view is the answer, or that the field is to have; nil leaves it to the user.
  public var text: SafeText?
  /// What is shown while it is empty.
  public var placeholder: SafeText?
  /// What it is for.
  public var kind: FieldKind

  /// Creates the content of a field.
  public init(text: SafeText? = nil, placeholder: SafeText? = nil, kind: FieldKind = .text) {
    self.text = text
    self.placeholder = placeholder
    self.kind = kind
  }
}

extension FieldContent: NodeContent {
  static let type = "field"
  var wrapped: ViewNode.Content { .field(self) }

  enum Member: Int, ViewMemberKey {
    case text, placeholder, kind
    static let names = listNames()
  }

  init(_ members: borrowing Reader) throws {
    self.init(
      text: try members.value(.text),
      placeholder: try members.value(.placeholder),
      kind: try members.choice(.kind) ?? .text
    )
  }

  func write(to members: inout Writer) throws {
    try members.encodeIfPresent(text, forKey: .text)
    try members.encodeIfPresent(placeholder, forKey: .placeholder)
    try members.encode(kind, forKey: .kind, unless: .text)
  }

  var texts: [SafeText] { [text, placeholder].compactMap(\.self) }

  var isInput: Bool { true }

  func box(_ origin: LayoutBox.Origin, _ builder: BoxBuilder) -> LayoutBox {
    FieldBox(origin, self, builder)
  }
}

/// A line that the user types into.
final class FieldBox: LayoutBox {
  /// What is shown while it is empty.
  private let placeholder: SafeText?
  private let mark: [Glyph]
  private let text: String
  /// Characters before the cursor; more than there are for behind the last one.
  private let cursor: Int
  /// The character for redacted text.
  private let cover: String

  /// Columns for the text if the field can have as many as it likes.
  private static let idealText = 20

  // What is before the text.
  private static let prompt = Glyph.glyphs(of: "› ")
  private static let asciiPrompt = Glyph.glyphs(of: "> ")
  private static let searchPrompt = Glyph.glyphs(of: "/ ")

  init(_ origin: Origin, _ content: FieldContent, _ builder: BoxBuilder) {
    let isSearch = content.kind == .search
    placeholder = content.placeholder ?? (isSearch ? "Search" : nil)
    let prompt = builder.isUnicode ? Self.prompt : Self.asciiPrompt
    mark = isSearch ? Self.searchPrompt : prompt
    let state = builder.environment.state.fields[origin.node.inputKey]
    text = state?.text ?? content.text?.string ?? ""
    cursor = state?.cursor ?? .max
    cover = builder.coverText
    super.init(origin)
  }

  override var hasOwnTarget: Bool { true }

  override var wish: Wish {
    let least = mark.count + 1
    return Wish(minimum: least, ideal: mark.count + Self.idealText, least: least, grows: true)
  }

  override func measureContent(_ width: Int) -> Size { Size(columns: width, rows: 1) }

  override func drawContent(on picture: inout Picture, at rect: Rect, in here: Surroundings) {
    let line = Rect(origin: rect.origin, size: Size(columns: rect.size.columns, rows: 1))
    let columns = max(0, rect.size.columns - mark.count)
    let origin = Position(column: rect.minColumn + mark.count, row: rect.minRow)
    let window = TextWindow(text, cursor: cursor, columns: columns)
    let field = FieldTarget(
      key: node.inputKey,
      id: node.id,
      text: text,
      cursor: Position(column: origin.column + window.cursorColumn, row: origin.row),
      origin: origin,
      columns: columns
    )
    let words = node.accessibilityLabel ?? placeholder ?? ""
    let action = node.action
    picture.add(words, role: .field(field), action: action, help: shownHelp, at: line, in: here)
    var quiet = style
    quiet.foreground = node.style.foreground ?? .secondary
    picture.draw(Cell.cells(mark, quiet), at: rect.origin, in: here)
    var (cells, look) = (window.glyphs, style)
    if text.isEmpty, let placeholder {
      look = quiet
      cells = TextWindow(placeholder.string, cursor: 0, columns: columns).glyphs
    } else if isRedacted {
      cells = Glyph.glyphs(of: String(repeating: cover, count: cells.reduce(0) { $0 + $1.width }))
    }
    // The line below shows how long the field is.
    look.attributes.insert(.underline)
    let shown = Cell.cells(cells, look)
    picture.draw(shown, at: origin, in: here)
    let end = Position(column: origin.column + shown.count, row: origin.row)
    picture.draw(picture.blanks(max(0, columns - shown.count), look), at: end, in: here)
  }
}

/// A line that the user types; see `fieldDidChange(_:text:)` and `perform(action:text:)`.
public struct Field: ElementView {
  /// The field as one element.
  public let nodes: [ViewNode]

  /// Creates a field.
  ///
  /// - Parameters:
  ///   - id: The name that the messages about it have for it.
  ///   - text: The text to which the view is the answer, or that the field is to have; nil leaves it to
  ///     the user.
  ///   - placeholder: What is shown while it is empty.
  ///   - kind: What it is for.
  ///   - action: The name that Enter sends to the widget with the text.
  public init(
    _ id: String,
    text: String? = nil,
    placeholder: String? = nil,
    kind: FieldKind = .text,
    action: String? = nil
  ) {
    let content = FieldContent(
      text: text.map { SafeText($0) },
      placeholder: placeholder.map { SafeText($0) },
      kind: kind
    )
    var node = ViewNode(.field(content))
    node.id = id
    node.action = action
    nodes = [node]
  }
}
