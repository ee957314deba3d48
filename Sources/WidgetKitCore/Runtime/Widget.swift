/// A widget, and the whole program around it; authors conform to this protocol.
///
/// Only ``body`` is required. Every method is optional as in NCWidgetProviding: write those that
/// you need, with the names used here; the host is told which ones exist.
/// ```swift
/// @main struct Hello: Widget {
///   var body: some View { Text("Hello").bold() }
/// }
/// ```
/// A widget without state is a struct; one with state is a `final class`, as messages arrive while an
/// update is waiting. The body is evaluated after each called method and after
/// ``WidgetContext/setNeedsDisplay()``.
///
/// The associated types except `Body` are inferred by the compiler, and tell the runtime which
/// methods exist; an author never names them.
@MainActor
public protocol Widget {
  /// What the widget shows.
  associatedtype Body: View
  /// What `widgetPerformUpdate` returns: ``UpdateResult`` or ``UpdateOutcome``.
  associatedtype UpdateAnswer = NotImplemented
  /// Whether `viewWillAppear` is implemented.
  associatedtype WillAppearAnswer = NotImplemented
  /// Whether `viewDidAppear` is implemented.
  associatedtype DidAppearAnswer = NotImplemented
  /// Whether `viewWillDisappear` is implemented.
  associatedtype WillDisappearAnswer = NotImplemented
  /// Whether `viewDidDisappear` is implemented.
  associatedtype DidDisappearAnswer = NotImplemented
  /// Whether `viewWillTransition` is implemented.
  associatedtype TransitionAnswer = NotImplemented
  /// What `widgetMarginInsets` returns: ``EdgeInsets``.
  associatedtype MarginAnswer = NotImplemented
  /// Whether `widgetActiveDisplayModeDidChange` is implemented.
  associatedtype DisplayModeAnswer = NotImplemented
  /// Whether `appearanceDidChange` is implemented.
  associatedtype AppearanceAnswer = NotImplemented
  /// Whether `configurationDidChange` is implemented.
  associatedtype ConfigurationAnswer = NotImplemented
  /// Whether `hostDidBecomeActive` is implemented.
  associatedtype BecomeActiveAnswer = NotImplemented
  /// Whether `hostWillResignActive` is implemented.
  associatedtype ResignActiveAnswer = NotImplemented
  /// Whether `hostDidEnterBackground` is implemented.
  associatedtype EnterBackgroundAnswer = NotImplemented
  /// Whether `hostWillEnterForeground` is implemented.
  associatedtype EnterForegroundAnswer = NotImplemented
  /// What `perform` returns: nothing or ``UpdateResult``.
  associatedtype ActionAnswer = NotImplemented
  /// What `perform` with a text returns: nothing or ``UpdateResult``.
  associatedtype TextActionAnswer = NotImplemented
  /// Whether `fieldDidChange` is implemented.
  associatedtype FieldAnswer = NotImplemented
  /// What `listShouldRemoveRow` returns: whether the row may be removed.
  associatedtype ShouldRemoveRowAnswer = NotImplemented
  /// Whether `listDidRemoveRow` is implemented.
  associatedtype RemoveRowAnswer = NotImplemented
  /// Whether `listDidMoveRow` is implemented.
  associatedtype MoveRowAnswer = NotImplemented
  /// Whether `widgetListPerformAddAction` is implemented.
  associatedtype AddRowAnswer = NotImplemented
  /// Whether `widgetDidBeginEditing` is implemented.
  associatedtype BeginEditingAnswer = NotImplemented
  /// Whether `widgetDidEndEditing` is implemented.
  associatedtype EndEditingAnswer = NotImplemented
  /// Whether `didReceiveMemoryWarning` is implemented.
  associatedtype MemoryWarningAnswer = NotImplemented

  /// Creates the widget, once per process; its `extensionContext` can be used.
  init()

  /// The present content of the card.
  ///
  /// A body without any view is not sent before the first one with some, so that the card keeps the view that was
  /// stored last while a widget has not read what it shows.
  @ViewBuilder var body: Body { get }

  /// Gets new data; a widget without this method is not updated in the background.
  ///
  /// Other messages arrive while this one is waiting. A thrown error counts as
  /// ``UpdateResult/failed`` and is shown in the card's heading.
  ///
  /// - Parameter reason: Why the host requests the update.
  /// - Returns: `newData` if the content has changed, `noData` if not.
  /// - Throws: Any error; its description is shown to the user.
  func widgetPerformUpdate(reason: UpdateReason) async throws -> UpdateAnswer

  /// Called before the view appears: restore the state with which it disappeared.
  func viewWillAppear() -> WillAppearAnswer

  /// Called when the view has appeared.
  func viewDidAppear() -> DidAppearAnswer

  /// Called before the view disappears: save the state within 2 s.
  func viewWillDisappear() async -> WillDisappearAnswer

  /// Called when the view has disappeared.
  func viewDidDisappear() -> DidDisappearAnswer

  /// Called when the size of the card is about to change.
  ///
  /// - Parameters:
  ///   - size: The size of the body at the end.
  ///   - coordinator: Runs changes alongside the host's animation; nil if there is none: then
  ///     make the changes, and those of the completion, immediately.
  /// - Returns: Nothing.
  func viewWillTransition(
    to size: Size,
    with coordinator: TransitionCoordinator?
  ) -> TransitionAnswer

  /// Returns the margins of the body inside its card.
  ///
  /// - Parameter proposed: One column on the left and on the right.
  /// - Returns: The margins; the host limits them.
  func widgetMarginInsets(forProposed proposed: EdgeInsets) -> MarginAnswer

  /// Called when the user selected “show more” or “show less”.
  func widgetActiveDisplayModeDidChange(
    _ mode: DisplayMode,
    maximumSize: Size
  ) -> DisplayModeAnswer

  /// Called when the colours of the page have changed; ``WidgetContext/appearance`` has them.
  func appearanceDidChange() -> AppearanceAnswer

  /// Called when the user has changed settings; ``WidgetContext/configuration`` has the new values.
  ///
  /// A widget without this method is ended, and started with the new values.
  func configurationDidChange() -> ConfigurationAnswer

  /// Called when the dashboard has got the focus of the terminal, or is shown again.
  func hostDidBecomeActive() -> BecomeActiveAnswer

  /// Called when the dashboard has lost the focus of the terminal, or is about to be hidden.
  func hostWillResignActive() -> ResignActiveAnswer

  /// Called when the dashboard was hidden or is about to be suspended, after the view has disappeared.
  func hostDidEnterBackground() -> EnterBackgroundAnswer

  /// Called when the dashboard is about to be shown again, before the view appears.
  func hostWillEnterForeground() -> EnterForegroundAnswer

  /// Called when the user pressed an element with an action.
  ///
  /// - Parameters:
  ///   - action: The name that the element has in the view.
  ///   - value: The new state of a toggle; otherwise nil.
  /// - Returns: Nothing, or an ``UpdateResult``.
  func perform(action: String, value: Bool?) async -> ActionAnswer

  /// Called when the user entered the text of a ``Field``.
  ///
  /// - Parameters:
  ///   - action: The name that the field has in the view.
  ///   - text: Its text.
  /// - Returns: Nothing, or an ``UpdateResult``.
  func perform(action: String, text: String) async -> TextActionAnswer

  /// Called while the user types in a ``Field``, at most once every 50 ms.
  ///
  /// Give the field the text to which the view is the answer: the host drops views that are answers to
  /// older texts.
  ///
  /// - Parameters:
  ///   - field: The `id` of the field.
  ///   - text: Its text, which is empty when the user has cleared it.
  /// - Returns: Nothing.
  func fieldDidChange(_ field: String, text: String) async -> FieldAnswer

  /// Returns whether the user may remove a row; only called if ``listDidRemoveRow(_:in:)`` is
  /// implemented.
  ///
  /// - Parameters:
  ///   - row: The `id` of the row.
  ///   - list: The `id` of its ``List``.
  /// - Returns: Whether it may be removed.
  func listShouldRemoveRow(_ row: String, in list: String) async -> ShouldRemoveRowAnswer

  /// Called when the user removed a row.
  ///
  /// - Parameters:
  ///   - row: The `id` of the row.
  ///   - list: The `id` of its ``List``.
  /// - Returns: Nothing.
  /// - Throws: Any error; the row is put back, and the error's description is shown to the user.
  func listDidRemoveRow(_ row: String, in list: String) async throws -> RemoveRowAnswer

  /// Called when the user moved a row while the widget is edited.
  ///
  /// - Parameters:
  ///   - row: The `id` of the row.
  ///   - list: The `id` of its ``List``.
  ///   - before: The `id` of the row before which it is now; nil if it is the last one.
  /// - Returns: Nothing.
  /// - Throws: Any error; the row is put back, and the error's description is shown to the user.
  func listDidMoveRow(
    _ row: String,
    in list: String,
    before: String?
  ) async throws -> MoveRowAnswer

  /// Called when the user asks for a new row while the widget is edited.
  ///
  /// - Parameter list: The `id` of the ``List``.
  /// - Returns: Nothing.
  /// - Throws: Any error; its description is shown to the user.
  func widgetListPerformAddAction(in list: String) async throws -> AddRowAnswer

  /// Called when the user begins to edit the widget.
  func widgetDidBeginEditing() -> BeginEditingAnswer

  /// Called when the user has finished editing the widget.
  func widgetDidEndEditing() -> EndEditingAnswer

  /// Called when the process is near its limit of memory; above it the process is ended.
  func didReceiveMemoryWarning() -> MemoryWarningAnswer
}

extension Widget {
  /// The connection to the host, and the properties of the screen.
  public var extensionContext: WidgetContext { .current }

  /// Runs the widget on the standard streams until its host ends it; `@main` calls this.
  public static func main() async {
    await WidgetMain.run(Self.self)
  }
}
