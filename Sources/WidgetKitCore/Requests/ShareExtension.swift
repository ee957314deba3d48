/// A share extension, and the whole program around it: moves content somewhere else after the user has posted it.
///
/// ```swift
/// @main struct Paste: ShareExtension {
///   var compose: ComposeSheet { ComposeSheet(placeholder: "What is it about?") }
///
///   func charactersRemaining(in text: String) -> Int? { 280 - text.count }
///   func isContentValid(_ text: String) -> Bool { text.count <= 280 }
///
///   func didSelectPost(_ text: String) async throws {
///     let content = try await extensionContext.inputItems[0].attachments[0].loadText()
///     let post = "\(text)\n\(content)"
///     try await extensionContext.completeRequest(returning: [.text(post)])
///   }
/// }
/// ```
/// One process is made for one request. Nothing is sent to other machines before ``didSelectPost(_:)``: the host
/// refuses it. The sheet is evaluated after each method, and sent if it has changed.
@MainActor
public protocol ShareExtension {
  /// A view of its own in place of the compose sheet.
  associatedtype Body: View = EmptyView

  /// Creates the extension, once for a process; its `extensionContext` can be used.
  init()

  /// What the compose sheet shows.
  var compose: ComposeSheet { get }

  /// A view of its own in place of the compose sheet; without it, the sheet is shown.
  @ViewBuilder var body: Body { get }

  /// Called when the sheet is up: the place for work that takes long.
  func presentationAnimationDidFinish() async

  /// Returns whether the content can be posted; called after each change of the text and of an item.
  func isContentValid(_ text: String) -> Bool

  /// Returns how many characters the text may still have, negative if it is too long; nil shows no count.
  func charactersRemaining(in text: String) -> Int?

  /// Called when the user has chosen a value of an item, or has pressed an item without choices.
  ///
  /// - Returns: A view that is pushed over the sheet; nil for none.
  /// - Throws: Any error; its description is written to the log.
  func configurationItemChosen(_ id: String, value: String?) async throws -> (any View)?

  /// Called when the user has posted the content; ends with `completeRequest` of the `extensionContext`.
  ///
  /// - Throws: Any error; its description is shown to the user, and the request is cancelled.
  func didSelectPost(_ text: String) async throws

  /// Called when the user has cancelled the request: a moment to clean up.
  func didSelectCancel() async

  /// Called when the user pressed an element with an action in a view.
  func perform(action: String, value: Bool?) async

  /// Called when the request is complete: time for what is left, 10 s.
  ///
  /// - Parameter expired: False at once; true when the time is over.
  func requestDidComplete(expired: Bool)
}

extension ShareExtension {
  /// The connection to the host, and the content of the request.
  public var extensionContext: WidgetContext { .current }
  /// The compose sheet alone.
  public var compose: ComposeSheet { ComposeSheet() }
  /// No view of its own.
  public var body: EmptyView { EmptyView() }
  /// Does nothing.
  public func presentationAnimationDidFinish() async {}
  /// Every text can be posted.
  public func isContentValid(_ text: String) -> Bool { true }
  /// No count is shown.
  public func charactersRemaining(in text: String) -> Int? { nil }
  /// No view is pushed.
  public func configurationItemChosen(_ id: String, value: String?) async throws -> (any View)? {
    nil
  }
  /// Completes the request.
  public func didSelectPost(_ text: String) async throws {
    try await extensionContext.completeRequest()
  }
  /// Does nothing.
  public func didSelectCancel() async {}
  /// Does nothing.
  public func perform(action: String, value: Bool?) async {}
  /// Does nothing.
  public func requestDidComplete(expired: Bool) {}

  /// Runs the extension on the standard streams until its host ends it; `@main` calls this.
  public static func main() async {
    await WidgetMain.run { context in RequestRunner(context) { RequestHandlers(Self()) } }
  }
}
