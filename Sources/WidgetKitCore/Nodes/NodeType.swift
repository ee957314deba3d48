/// A type of node that can be read: an entry in the table of all types.
struct NodeType: Sendable {
  /// The name on the wire.
  let name: String
  /// The names of the members that only this type has.
  let memberNames: [String]
  /// Whether it is a figure, which says nothing to a screen reader without words.
  let isFigure: Bool
  private let read: @Sendable (ViewSource) throws -> ViewNode.Content

  /// Creates the entry of a type.
  init<Content: NodeContent>(_ type: Content.Type) {
    name = type.type
    memberNames = Content.Member.allCases.map(\.stringValue)
    isFigure = type.isFigure
    read = { try Content($0.requiredMembers()).wrapped }
  }

  /// The places of the names in ``all``.
  private static let names = MemberNames(all.map(\.name))

  /// Reads the members of a node of the type called `name`.
  static func content(of name: String, from source: ViewSource) throws -> ViewNode.Content {
    var name = name
    if let place = name.withUTF8(names.place) { return try all[place].read(source) }
    source.budget?.note(unknownType: name)
    return try UnknownContent(source.requiredMembers()).wrapped
  }
}

extension ViewNode {
  /// The names of all members of nodes, whatever their types are.
  package static let memberNames = NodeType.all.reduce(Member.allCases.map(\.stringValue)) {
    names,
    type in
    names + type.memberNames.filter { !names.contains($0) }
  }

  /// The types that say nothing to a screen reader without words.
  package static let figureTypes = Set(NodeType.all.filter(\.isFigure).map(\.name))
}

/// The members of a type that has none of its own.
enum NoMember: ViewMemberKey {
  static let names = listNames()

  init?(rawValue: Int) { nil }

  var rawValue: Int { switch self {} }
}
