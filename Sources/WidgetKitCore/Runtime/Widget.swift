/// What an author conforms to: a widget, and its whole program.
///
/// Only ``body`` is required. Every method is optional as in NCWidgetProviding: write those that
/// you need, under their names here, and the host hears that they are there.
/// ```swift
/// @main struct Hello: Widget {
///   var body: some View { Text("Hello").bold() }
/// }
/// ```
/// A widget without state is a struct; one with state is a `final class`, as messages come in
/// while an update still waits. The body is asked for again after each method that is called, and
/// after ``WidgetContext/setNeedsDisplay()``.
///
/// The associated types but `Body` are found by the compiler, and tell the runtime which methods
/// were written; an author never names them.
@MainActor
public protocol Widget {
  /// What the widget shows.
  associatedtype Body: View
  /// What `widgetPerformUpdate` returns: ``UpdateResult`` or ``UpdateOutcome``.
  associatedtype UpdateAnswer = NotImplemented
  /// Whether `viewWillAppear` is there.
  associatedtype WillAppearAnswer = NotImplemented
  /// Whether `viewDidAppear` is there.
  associatedtype DidAppearAnswer = NotImplemented
  /// Whether `viewWillDisappear` is there.
  associatedtype WillDisappearAnswer = NotImplemented
  /// Whether `viewDidDisappear` is there.
  associatedtype DidDisappearAnswer = NotImplemented
  /// Whether `viewWillTransition` is there.
  associatedtype TransitionAnswer = NotImplemented
  /// What `widgetMarginInsets` returns: ``EdgeInsets``.
  associatedtype MarginAnswer = NotImplemented
  /// Whether `widgetActiveDisplayModeDidChange` is there.
  associatedtype DisplayModeAnswer = NotImplemented
  /// What `perform` returns: nothing or ``UpdateResult``.
  associatedtype ActionAnswer = NotImplemented
  /// Whether `widgetDidBeginEditing` is there.
  associatedtype BeginEditingAnswer = NotImplemented
  /// Whether `widgetDidEndEditing` is there.
  associatedtype EndEditingAnswer = NotImplemented
  /// Whether `didReceiveMemoryWarning` is there.
  associatedtype MemoryWarningAnswer = NotImplemented

  /// Creates the widget, once in its process; its `extensionContext` is ready by then.
  init()

  /// What the card shows now.
  @ViewBuilder var body: Body { get }

  /// Gets new data; only with this method does the widget take part in background refresh.
  ///
  /// Other messages come in while this one waits. An error that is thrown counts as
  /// ``UpdateResult/failed`` and is shown in the card's heading.
  ///
  /// - Parameter reason: Why the host asks.
  /// - Returns: `newData` where what is shown must change, `noData` where it does not.
  /// - Throws: What the author likes; its description is what the user reads.
  func widgetPerformUpdate(reason: UpdateReason) async throws -> UpdateAnswer

  /// Called before the view comes on the screen: put the state on show that it had when it left.
  func viewWillAppear() -> WillAppearAnswer

  /// Called when the view is on the screen.
  func viewDidAppear() -> DidAppearAnswer

  /// Called before the view leaves the screen: save what must not be lost, within 2 s.
  func viewWillDisappear() async -> WillDisappearAnswer

  /// Called when the view has left the screen.
  func viewDidDisappear() -> DidDisappearAnswer

  /// Called when the host is about to give the card another size.
  ///
  /// - Parameters:
  ///   - size: The size of the body at the end.
  ///   - coordinator: Runs changes in step with the host's animation; nil where there is none:
  ///     then change at once, and do what the completion would do.
  /// - Returns: Nothing.
  func viewWillTransition(
    to size: Size,
    with coordinator: TransitionCoordinator?
  ) -> TransitionAnswer

  /// Answers the margins that the body gets inside its card.
  ///
  /// - Parameter proposed: One column on the left and on the right.
  /// - Returns: The margins; the host keeps them within bounds.
  func widgetMarginInsets(forProposed proposed: EdgeInsets) -> MarginAnswer

  /// Called when the user chose show more or show less.
  func widgetActiveDisplayModeDidChange(
    _ mode: DisplayMode,
    maximumSize: Size
  ) -> DisplayModeAnswer

  /// Called when the user pressed something with an action.
  ///
  /// - Parameters:
  ///   - action: The name that the element has in the view.
  ///   - value: A toggle's new state; nil for everything else.
  /// - Returns: Nothing, or an ``UpdateResult``.
  func perform(action: String, value: Bool?) async -> ActionAnswer

  /// Called when the user begins to edit the widget.
  func widgetDidBeginEditing() -> BeginEditingAnswer

  /// Called when the user ends to edit the widget.
  func widgetDidEndEditing() -> EndEditingAnswer

  /// Called when the process is near its limit of memory; past it the process is ended.
  func didReceiveMemoryWarning() -> MemoryWarningAnswer
}

extension Widget {
  /// The widget's way to its host, and what the host said of the screen.
  public var extensionContext: WidgetContext { .current }

  /// Runs the widget on the standard streams until its host ends it; `@main` calls this.
  public static func main() async {
    await WidgetMain.run(Self.self)
  }
}
