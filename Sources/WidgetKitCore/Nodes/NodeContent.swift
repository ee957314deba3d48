/// A type of node, as a value of its members: how they are read and written, what words it has, and how it
/// is laid out.
///
/// The defaults are those of a node without text and without other nodes inside it, which the user cannot
/// change. A new type is a case of ``ViewNode/Content`` and a line in ``NodeType/all``.
protocol NodeContent: Hashable, Sendable {
  /// The members that only this type has.
  associatedtype Member: ViewMemberKey

  /// Its name on the wire.
  static var type: String { get }
  /// Whether it is a figure, which says nothing to a screen reader without words.
  static var isFigure: Bool { get }

  /// Its name on the wire, also of an unknown type.
  var type: String { get }
  /// The content as a case of the enumeration.
  var wrapped: ViewNode.Content { get }

  /// Reads the members.
  ///
  /// - Throws: `DecodingError` whose message says what was expected and found, and ``ViewLimitError``.
  init(_ members: borrowing Reader) throws
  /// Writes the members that differ from their defaults.
  func write(to members: inout Writer) throws

  /// The nodes directly inside it, in reading order.
  var nodes: [ViewNode] { get }
  /// Changes the nodes directly inside it.
  mutating func changeNodes(_ change: (inout ViewNode) -> Void)

  /// Its own texts, in reading order, without those of the nodes inside it.
  var texts: [SafeText] { get }
  /// What it shows in words, for screen readers; nil for a node that is not a figure, and an empty text for
  /// one that says nothing.
  ///
  /// `isBesideText` is whether it is in one row with a text that says what it shows.
  func words(isBesideText: Bool) -> SafeText?

  /// The file of its picture.
  var imageSource: ImageSource? { get }
  /// Whether the host keeps it up to date, as a clock.
  var showsPresentMoment: Bool { get }
  /// The state that a press requests; nil if a press has none.
  var newValue: Bool? { get }
  /// Whether the user changes it, so that the host keeps what was changed.
  var isInput: Bool { get }
  /// The part by which the host knows an input that has neither an `id` nor an action.
  var inputLabel: ViewNode? { get }

  /// Makes its box, and those of the nodes inside it.
  func box(_ origin: LayoutBox.Origin, _ builder: BoxBuilder) -> LayoutBox
}

extension NodeContent {
  typealias Reader = ViewMembers<Member>
  typealias Writer = KeyedEncodingContainer<Member>

  static var isFigure: Bool { false }
  var type: String { Self.type }
  var nodes: [ViewNode] { [] }
  mutating func changeNodes(_ change: (inout ViewNode) -> Void) {}
  var texts: [SafeText] { [] }
  func words(isBesideText: Bool) -> SafeText? { nil }
  var imageSource: ImageSource? { nil }
  var showsPresentMoment: Bool { false }
  var newValue: Bool? { nil }
  var isInput: Bool { false }
  var inputLabel: ViewNode? { nil }

  /// Writes the members into the object that `encoder` writes.
  func write(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Member.self)
    try write(to: &members)
  }
}

extension [ViewNode] {
  /// Changes each node.
  mutating func changeEach(_ change: (inout ViewNode) -> Void) {
    for index in indices { change(&self[index]) }
  }
}

extension ViewMembers {
  /// Reads the label of a control, which is required.
  func label(_ key: Key) throws -> ViewNode {
    guard let label: ViewNode = try value(key) else {
      throw expected("a label: a text or a node", forKey: key)
    }
    return label
  }
}
