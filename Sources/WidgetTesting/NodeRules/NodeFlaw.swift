/// What is wrong with a node of a view, as it was sent.
struct NodeFlaw: Hashable {
  /// The rules for nodes.
  enum Rule: Hashable {
    /// A picture says in words what it shows.
    case missingAlt
    /// A figure has words.
    case missingLabel
    /// A text has no control characters.
    case rawEscape
    /// A node has only members that nodes have.
    case unknownMember
  }

  /// The rule that it breaks.
  var rule: Rule
  /// Its place in the view: `view.children[2]`.
  var path: String
  /// What is wrong.
  var message: String
  /// What to do about it.
  var advice: String
}
