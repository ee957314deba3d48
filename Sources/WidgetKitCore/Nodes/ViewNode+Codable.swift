extension ViewNode: Codable, ViewReadable {
  /// The members that nodes of any type have.
  enum Member: Int, ViewMemberKey {
    case type
    // The members of ``Traits``.
    case id, style, padding, frame, layoutPriority, link, action, transition
    case privacySensitive, accessibilityLabel, help
    static let names = listNames()
  }

  /// Reads a node: an object with a `type`, or a plain string, which is a text node.
  ///
  /// Unknown members are ignored; an unknown type becomes ``Content/unknown(_:)``.
  ///
  /// - Throws: `DecodingError` whose message says what was expected and found, and ``ViewLimitError``
  ///   if a ``ViewBudget`` in `userInfo` is exceeded.
  public init(from decoder: any Decoder) throws {
    try self.init(ViewSource(decoder))
  }

  /// Writes the type and each member that differs from its default.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Member.self)
    let content = content.payload
    try members.encode(content.type, forKey: .type)
    try content.write(to: encoder)
    try members.encodeIfPresent(id, forKey: .id)
    try members.encode(style, forKey: .style, unless: .inherited)
    try members.encode(padding, forKey: .padding, unless: .zero)
    try members.encode(frame, forKey: .frame, unless: .open)
    try members.encode(layoutPriority, forKey: .layoutPriority, unless: 0)
    try members.encodeIfPresent(link, forKey: .link)
    try members.encodeIfPresent(action, forKey: .action)
    try members.encode(transition, forKey: .transition, unless: .opacity)
    try members.encode(privacySensitive, forKey: .privacySensitive, unless: false)
    try members.encodeIfPresent(accessibilityLabel, forKey: .accessibilityLabel)
    try members.encodeIfPresent(help, forKey: .help)
  }

  init(_ source: ViewSource) throws {
    let budget = source.budget
    defer { budget?.leave() }
    try budget?.enter()
    guard let members = source.members(Member.self) else {
      guard let text = try source.text() else {
        throw source.expected("a node: an object with a type, or a text")
      }
      self.init(.text(TextContent(spans: [TextSpan(text)])))
      return
    }
    guard let type = try members.string(.type) else {
      throw members.expected("the type of a node, such as text or vstack", forKey: .type)
    }
    let content = try NodeType.content(of: type, from: source)
    guard members.hasOthers(than: .type) else {
      self.init(content)
      return
    }
    self.init(
      content,
      traits: Traits(
        id: try members.string(.id),
        style: try members.value(.style) ?? .inherited,
        padding: try members.value(.padding) ?? .zero,
        frame: try members.value(.frame) ?? .open,
        layoutPriority: try members.number(.layoutPriority) ?? 0,
        link: try members.string(.link),
        action: try members.string(.action),
        transition: try members.choice(.transition) ?? .opacity,
        privacySensitive: try members.flag(.privacySensitive) ?? false,
        accessibilityLabel: try members.value(.accessibilityLabel),
        help: try members.value(.help)
      )
    )
  }
}
