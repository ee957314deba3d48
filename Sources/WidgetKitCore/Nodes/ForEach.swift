/// A view for each element of a collection.
public struct ForEach: ElementView {
  /// The elements, in order.
  public let nodes: [ViewNode]

  /// Creates a view for each element; the element's `id` becomes the view's.
  public init<Data: Sequence>(
    _ data: Data,
    @ViewBuilder content: (Data.Element) -> Group
  ) where Data.Element: Identifiable {
    self.init(data, id: \.id, content: content)
  }

  /// Creates a view for each element; the value at `id` becomes the view's identity.
  public init<Data: Sequence, ID: Hashable>(
    _ data: Data,
    id: KeyPath<Data.Element, ID>,
    @ViewBuilder content: (Data.Element) -> Group
  ) {
    nodes = data.flatMap { element in
      var nodes = content(element).nodes
      // A second view of the same element would share the identity, and be animated into the first.
      if nodes.first?.id == nil, !nodes.isEmpty {
        nodes[0].id = "\(element[keyPath: id])"
      }
      return nodes
    }
  }

  /// Creates a view for each number, without an identity.
  public init(_ data: Range<Int>, @ViewBuilder content: (Int) -> Group) {
    nodes = data.flatMap { content($0).nodes }
  }
}
