/// A part of a widget's content, with the vocabulary of SwiftUI.
///
/// A custom view consists of other views:
/// ```swift
/// struct PostRow: View {
///   let post: Post
///   var body: some View {
///     HStack {
///       Text("●").foregroundStyle(.accent)
///       Text(post.title).lineLimit(1)
///     }
///   }
/// }
/// ```
/// The widget itself draws and measures nothing: a view is turned into ``ViewNode`` values, and the
/// host lays them out.
public protocol View {
  /// The type of the body.
  associatedtype Body: View

  /// The views of which this one consists.
  @ViewBuilder var body: Body { get }

  /// The elements on the wire; the views of this library have these instead of a body.
  var nodes: [ViewNode] { get }
}

extension View {
  /// The elements of the body.
  public var nodes: [ViewNode] { body.nodes }

  /// One element for the whole view; several elements are stacked vertically.
  public var node: ViewNode {
    let nodes = nodes
    if nodes.count == 1 { return nodes[0] }
    return ViewNode(.vstack(StackContent(children: nodes)))
  }
}

/// A view that has elements of its own and no body.
public protocol ElementView: View where Body == Never {}

extension View where Body == Never {
  /// Not called: the view has elements of its own.
  public var body: Never { fatalError("\(Self.self) has no body") }
}

extension Never: View {
  /// Not called: there is no such value.
  public typealias Body = Never
}

/// Several views that are treated as one.
///
/// A modifier on a group applies to each of its views.
public struct Group: ElementView {
  /// The elements, in order.
  public let nodes: [ViewNode]

  /// Creates a group of elements.
  public init(nodes: [ViewNode]) {
    self.nodes = nodes
  }

  /// Creates a group of views.
  public init(@ViewBuilder content: () -> Group) {
    self = content()
  }
}

/// A view without content.
public struct EmptyView: ElementView {
  /// No elements.
  public let nodes: [ViewNode] = []

  /// Creates a view without content.
  public init() {}
}
