extension ViewNode: Codable {
  /// All members that nodes of any type have.
  ///
  /// It is one list for all types, so that a node is read through one container, created once.
  enum Member: Int, ViewMemberKey {
    case type
    // The members of ``Traits``, from id to help: reading tests for all of them at once.
    case id, style, padding, frame, layoutPriority, link, action, transition
    case privacySensitive, accessibilityLabel, help
    case text, lineLimit, truncation, alignment
    case date, display, timeZone
    case children, spacing, interval
    case rows, columns, columnSpacing, rowSpacing
    case minLength
    case value, minimum, maximum, label, valueLabel, thresholds
    case values, height
    case series, kind, showsAxis, showsLegend, unit
    case path, data, alt
    case isOn
    case isOpen, minimumVisibleRowCount, emptyText, allowsAdding, placeholder

    static let names = listNames()
  }

  /// The names of all members of nodes, whatever their types are.
  package static let memberNames = Member.allCases.map(\.stringValue)

  /// The container from which a node is read.
  typealias Reader = ViewMembers<Member>
  typealias Writer = KeyedEncodingContainer<Member>

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
    try content.write(to: &members)
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
}

extension ViewNode: ViewReadable {
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
    let content = try Content(type: type, members: members)
    guard members.hasAny(from: .id, through: .help) else {
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

extension ViewNode.Content {
  /// Reads the members of the type called `type`.
  init(type: String, members: borrowing ViewNode.Reader) throws {
    switch type {
    case "text": self = .text(try TextContent(members))
    case "date": self = .date(try DateContent(members))
    case "vstack": self = .vstack(try StackContent(members))
    case "hstack": self = .hstack(try StackContent(members))
    case "zstack": self = .zstack(try LayeredContent(members))
    case "grid": self = .grid(try GridContent(members))
    case "spacer": self = .spacer(minLength: try members.extent(.minLength) ?? 0)
    case "divider": self = .divider
    case "gauge": self = .gauge(try GaugeContent(members))
    case "sparkline": self = .sparkline(try SparklineContent(members))
    case "chart": self = .chart(try ChartContent(members))
    case "image": self = .image(try ImageContent(members))
    case "button": self = .button(ControlContent(label: try Self.label(members)))
    case "toggle":
      self = .toggle(
        ToggleContent(label: try Self.label(members), isOn: try members.flag(.isOn) ?? false)
      )
    case "list": self = .list(try ListContent(members))
    case "field": self = .field(try FieldContent(members))
    case "fold": self = .fold(try FoldContent(members))
    case "ansi": self = .ansi(try AnsiContent(members))
    default:
      members.budget?.note(unknownType: type)
      self = .unknown(try UnknownContent(type: type, members))
    }
  }

  private static func label(_ members: borrowing ViewNode.Reader) throws -> ViewNode {
    guard let label: ViewNode = try members.value(.label) else {
      throw members.expected("a label: a text or a node", forKey: .label)
    }
    return label
  }

  /// Writes `type` and the members of that type.
  func write(to members: inout ViewNode.Writer) throws {
    switch self {
    case .text(let text): try text.write(to: &members)
    case .date(let date): try date.write(to: &members)
    case .vstack(let stack): try stack.write(to: &members, type: "vstack")
    case .hstack(let stack): try stack.write(to: &members, type: "hstack")
    case .zstack(let layers): try layers.write(to: &members)
    case .grid(let grid): try grid.write(to: &members)
    case .spacer(let minLength):
      try members.encode("spacer", forKey: .type)
      try members.encode(minLength, forKey: .minLength, unless: 0)
    case .divider: try members.encode("divider", forKey: .type)
    case .gauge(let gauge): try gauge.write(to: &members)
    case .sparkline(let sparkline): try sparkline.write(to: &members)
    case .chart(let chart): try chart.write(to: &members)
    case .image(let image): try image.write(to: &members)
    case .button(let button):
      try members.encode("button", forKey: .type)
      try members.encode(button.label, forKey: .label)
    case .toggle(let toggle):
      try members.encode("toggle", forKey: .type)
      try members.encode(toggle.label, forKey: .label)
      try members.encode(toggle.isOn, forKey: .isOn, unless: false)
    case .list(let list): try list.write(to: &members)
    case .field(let field): try field.write(to: &members)
    case .fold(let fold): try fold.write(to: &members)
    case .ansi(let ansi): try ansi.write(to: &members)
    case .unknown(let unknown): try unknown.write(to: &members)
    }
  }
}

extension KeyedEncodingContainer {
  /// Writes `value` unless it is the default that a reader assumes.
  mutating func encode<Value: Encodable & Equatable>(
    _ value: Value,
    forKey key: Key,
    unless assumed: Value
  ) throws {
    guard value != assumed else { return }
    try encode(value, forKey: key)
  }
}
