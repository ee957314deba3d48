/// A view that opens a URL when it is pressed.
public struct Link: ElementView {
  /// The link as one element.
  public let nodes: [ViewNode]

  /// Creates a link with a text.
  ///
  /// - Parameters:
  ///   - title: The text.
  ///   - destination: The URL.
  public init(_ title: String, destination: String) {
    self.init(destination: destination) { Text(title) }
  }

  /// Creates a link from any view.
  ///
  /// - Parameters:
  ///   - destination: The URL.
  ///   - label: The view that is pressed.
  public init(destination: String, @ViewBuilder label: () -> Group) {
    var node = label().node
    node.link = destination
    nodes = [node]
  }
}
