/// One element of a view: a node of the view tree in Docs/Protocol.md.
///
/// ```json
/// {"type":"text","id":"total","text":"42","style":{"bold":true}}
/// ```
/// A plain string can be used in place of a `text` node.
public struct ViewNode: Hashable, Sendable {
  /// The type of the element, with the members of that type.
  public var content: Content
  /// All other members; nil if none is set.
  ///
  /// Most nodes have none or few, and layout copies nodes often: without this object a node would be
  /// twenty times as large as it is.
  private var shared: SharedTraits?

  /// Creates a node of `content` with no other member set.
  public init(_ content: Content) {
    self.content = content
  }

  /// Creates a node with other members.
  init(_ content: Content, traits: Traits) {
    self.content = content
    self.traits = traits
  }

  /// The members that nodes of any type have.
  struct Traits: Hashable, Sendable {
    var id: String?
    var style: TextStyle = .inherited
    var padding: EdgeInsets = .zero
    var frame: FrameBounds = .open
    var layoutPriority: Double = 0
    var link: String?
    var action: String?
    var transition: NodeTransition = .opacity
    var privacySensitive = false
    var accessibilityLabel: SafeText?
    var help: SafeText?

    /// No member is set.
    static let none = Traits()
  }

  /// Traits that several copies of a node share.
  private final class SharedTraits: Hashable, Sendable {
    let values: Traits

    init(_ values: Traits) { self.values = values }

    static func == (left: SharedTraits, right: SharedTraits) -> Bool {
      left === right || left.values == right.values
    }

    func hash(into hasher: inout Hasher) { hasher.combine(values) }
  }

  /// The members that nodes of any type have.
  var traits: Traits {
    get { shared?.values ?? .none }
    set { shared = newValue == .none ? nil : SharedTraits(newValue) }
  }

  /// Whether any member is set besides the content.
  var hasTraits: Bool { shared != nil }

  /// The identity of the element, for animations and for presses that wait for the live view.
  public var id: String? {
    get { shared?.values.id }
    set { traits.id = newValue }
  }

  /// The style of the element's text, which its children inherit.
  public var style: TextStyle {
    get { shared?.values.style ?? .inherited }
    set { traits.style = newValue }
  }

  /// Empty cells around the content, inside the frame.
  public var padding: EdgeInsets {
    get { shared?.values.padding ?? .zero }
    set { traits.padding = newValue }
  }

  /// Bounds on the element's size, in cells.
  public var frame: FrameBounds {
    get { shared?.values.frame ?? .open }
    set { traits.frame = newValue }
  }

  /// The priority of the element for width if there is too little room; 0 by default.
  public var layoutPriority: Double {
    get { shared?.values.layoutPriority ?? 0 }
    set { traits.layoutPriority = newValue }
  }

  /// A URL that a press opens through the router.
  public var link: String? {
    get { shared?.values.link }
    set { traits.link = newValue }
  }

  /// A name that a press sends back to the widget.
  public var action: String? {
    get { shared?.values.action }
    set { traits.action = newValue }
  }

  /// How the element appears and disappears in a transition.
  public var transition: NodeTransition {
    get { shared?.values.transition ?? .opacity }
    set { traits.transition = newValue }
  }

  /// Whether the content is sensitive and can be redacted.
  public var privacySensitive: Bool {
    get { shared?.values.privacySensitive ?? false }
    set { traits.privacySensitive = newValue }
  }

  /// A description for screen readers.
  public var accessibilityLabel: SafeText? {
    get { shared?.values.accessibilityLabel }
    set { traits.accessibilityLabel = newValue }
  }

  /// A sentence about the element, shown in the last line of the page while the element has the focus.
  public var help: SafeText? {
    get { shared?.values.help }
    set { traits.help = newValue }
  }
}
