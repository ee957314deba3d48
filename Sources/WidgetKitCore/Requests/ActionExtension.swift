/// An action extension, and the whole program around it: changes or shows content in place.
///
/// ```swift
/// @main struct Sort: ActionExtension {
///   func beginRequest() async throws {
///     let attachment = extensionContext.inputItems[0].attachments[0]
///     let lines = try await attachment.loadText().split(separator: "\n")
///     let sorted = lines.sorted().map { "\($0)\n" }.joined()
///     try await extensionContext.completeRequest(returning: [.text(sorted)])
///   }
/// }
/// ```
/// One process is made for one request. An action of the point `com.apple.services` has no view; one of
/// `com.apple.ui-services` shows its body, which is evaluated after each method.
@MainActor
public protocol ActionExtension {
  /// What it shows.
  associatedtype Body: View = EmptyView

  /// Creates the extension, once for a process; its `extensionContext` can be used.
  init()

  /// What the pane shows; an action without a view has no body.
  @ViewBuilder var body: Body { get }

  /// Begins the work: at once for an action without a view, else when the view is on the screen.
  ///
  /// Ends with `completeRequest` or `cancelRequest` of the `extensionContext`, here or after a press.
  ///
  /// - Throws: Any error; the request is cancelled, and the error's description shown to the user.
  func beginRequest() async throws

  /// Called when the user pressed an element with an action.
  ///
  /// - Throws: Any error; its description is shown to the user.
  func perform(action: String, value: Bool?) async throws

  /// Called when the user entered the text of a ``Field``.
  ///
  /// - Throws: Any error; its description is shown to the user.
  func perform(action: String, text: String) async throws

  /// Called when the user has cancelled the request: a moment to clean up.
  func didSelectCancel() async

  /// Called when the request is complete: time for what is left, 10 s.
  ///
  /// - Parameter expired: False at once; true when the time is over.
  func requestDidComplete(expired: Bool)
}

extension ActionExtension {
  /// The connection to the host, and the content of the request.
  public var extensionContext: WidgetContext { .current }
  /// No view.
  public var body: EmptyView { EmptyView() }
  /// Does nothing: the work begins with a press.
  public func beginRequest() async throws {}
  /// Does nothing.
  public func perform(action: String, value: Bool?) async throws {}
  /// Does nothing.
  public func perform(action: String, text: String) async throws {}
  /// Does nothing.
  public func didSelectCancel() async {}
  /// Does nothing.
  public func requestDidComplete(expired: Bool) {}

  /// Runs the extension on the standard streams until its host ends it; `@main` calls this.
  public static func main() async {
    await WidgetMain.run { context in RequestRunner(context) { RequestHandlers(Self()) } }
  }
}
