/// The content of an element of an unknown type.
public struct UnknownContent: Hashable, Sendable {
  /// The type's name.
  public var type: String
  /// The text to show instead.
  public var alt: SafeText?
  /// The children, shown as a vstack if there is no `alt`.
  public var children: [ViewNode]

  /// Creates the content of an unknown node.
  public init(type: String, alt: SafeText? = nil, children: [ViewNode] = []) {
    self.type = type
    self.alt = alt
    self.children = children
  }
}

extension UnknownContent: NodeContent {
  /// Its type is whatever was sent, which is read as a member.
  static let type = ""
  var wrapped: ViewNode.Content { .unknown(self) }

  enum Member: Int, ViewMemberKey {
    case type, alt, children
    static let names = listNames()
  }

  /// Reads the replacement for an unknown type; if `alt` or `children` have another form in that type,
  /// they are ignored.
  init(_ members: borrowing Reader) throws {
    self.init(type: try members.string(.type) ?? "")
    do { alt = try members.value(.alt) } catch is DecodingError {}
    do { children = try members.list(.children, of: "nodes") } catch is DecodingError {}
  }

  func write(to members: inout Writer) throws {
    try members.encodeIfPresent(alt, forKey: .alt)
    try members.encode(children, forKey: .children, unless: [])
  }

  var nodes: [ViewNode] { children }
  mutating func changeNodes(_ change: (inout ViewNode) -> Void) { children.changeEach(change) }

  var texts: [SafeText] { [alt].compactMap(\.self) }

  func box(_ origin: LayoutBox.Origin, _ builder: BoxBuilder) -> LayoutBox {
    if let alt { return builder.text(origin, TextContent(spans: [TextSpan(alt)])) }
    guard !children.isEmpty else { return LayoutBox(origin) }
    return ColumnBox(origin, builder.boxes(children, in: .column, of: origin))
  }
}
