/// The result of a method that is not implemented.
public struct NotImplemented: Sendable {
  fileprivate init() {}

  /// Whether a method with this result type is implemented.
  static func isNot<Answer>(_ type: Answer.Type) -> Bool {
    Answer.self != NotImplemented.self
  }
}

// A default for each method of Widget. If an author implements the method, the compiler uses that
// one, and with it the type of its result.
extension Widget {
  /// Not called.
  public func widgetPerformUpdate(reason: UpdateReason) async -> NotImplemented { .init() }
  /// Does nothing.
  public func viewWillAppear() -> NotImplemented { .init() }
  /// Does nothing.
  public func viewDidAppear() -> NotImplemented { .init() }
  /// Does nothing.
  public func viewWillDisappear() async -> NotImplemented { .init() }
  /// Does nothing.
  public func viewDidDisappear() -> NotImplemented { .init() }
  /// Does nothing; the body is evaluated at the new size in any case.
  public func viewWillTransition(
    to size: Size,
    with coordinator: TransitionCoordinator?
  ) -> NotImplemented { .init() }
  /// Not called; the host uses the proposed margins.
  public func widgetMarginInsets(forProposed proposed: EdgeInsets) -> NotImplemented { .init() }
  /// Does nothing.
  public func widgetActiveDisplayModeDidChange(
    _ mode: DisplayMode,
    maximumSize: Size
  ) -> NotImplemented { .init() }
  /// Does nothing; the body is evaluated again in any case.
  public func appearanceDidChange() -> NotImplemented { .init() }
  /// Not called; the process is ended, and started with the new settings.
  public func configurationDidChange() -> NotImplemented { .init() }
  /// Not called.
  public func hostDidBecomeActive() -> NotImplemented { .init() }
  /// Not called.
  public func hostWillResignActive() -> NotImplemented { .init() }
  /// Not called.
  public func hostDidEnterBackground() -> NotImplemented { .init() }
  /// Not called.
  public func hostWillEnterForeground() -> NotImplemented { .init() }
  /// Not called.
  public func perform(action: String, value: Bool?) async -> NotImplemented { .init() }
  /// Not called.
  public func perform(action: String, text: String) async -> NotImplemented { .init() }
  /// Not called.
  public func fieldDidChange(_ field: String, text: String) async -> NotImplemented { .init() }
  /// Not called; every row may be removed.
  public func listShouldRemoveRow(_ row: String, in list: String) async -> NotImplemented {
    .init()
  }
  /// Not called; no row can be removed.
  public func listDidRemoveRow(_ row: String, in list: String) async -> NotImplemented { .init() }
  /// Not called; no row can be moved.
  public func listDidMoveRow(
    _ row: String,
    in list: String,
    before: String?
  ) async -> NotImplemented { .init() }
  /// Not called; no row can be added.
  public func widgetListPerformAddAction(in list: String) async -> NotImplemented { .init() }
  /// Not called.
  public func widgetDidBeginEditing() -> NotImplemented { .init() }
  /// Not called.
  public func widgetDidEndEditing() -> NotImplemented { .init() }
  /// Not called.
  public func didReceiveMemoryWarning() -> NotImplemented { .init() }
}

extension Widget {
  static var takesUpdates: Bool { NotImplemented.isNot(UpdateAnswer.self) }
  static var takesActions: Bool {
    NotImplemented.isNot(ActionAnswer.self) || NotImplemented.isNot(TextActionAnswer.self)
  }
  static var takesTyping: Bool { NotImplemented.isNot(FieldAnswer.self) }
  static var vetoesRemoval: Bool { NotImplemented.isNot(ShouldRemoveRowAnswer.self) }
  static var removesRows: Bool { NotImplemented.isNot(RemoveRowAnswer.self) }
  static var movesRows: Bool { NotImplemented.isNot(MoveRowAnswer.self) }
  static var addsRows: Bool { NotImplemented.isNot(AddRowAnswer.self) }
  static var takesMarginInsets: Bool { NotImplemented.isNot(MarginAnswer.self) }
  static var takesConfigurations: Bool { NotImplemented.isNot(ConfigurationAnswer.self) }
  static var takesMemoryWarnings: Bool { NotImplemented.isNot(MemoryWarningAnswer.self) }
  /// The methods about the state of the host that are implemented, by their names on the wire.
  static var hostStateMethods: [String] {
    var methods: [String] = []
    if NotImplemented.isNot(BecomeActiveAnswer.self) {
      methods.append(HostDidBecomeActiveNotification.method)
    }
    if NotImplemented.isNot(ResignActiveAnswer.self) {
      methods.append(HostWillResignActiveNotification.method)
    }
    if NotImplemented.isNot(EnterBackgroundAnswer.self) {
      methods.append(HostDidEnterBackgroundNotification.method)
    }
    if NotImplemented.isNot(EnterForegroundAnswer.self) {
      methods.append(HostWillEnterForegroundNotification.method)
    }
    return methods
  }
  /// Whether the user can edit the widget: it wants to know of that, or has rows to move or to add.
  static var allowsEditing: Bool {
    NotImplemented.isNot(BeginEditingAnswer.self) || NotImplemented.isNot(EndEditingAnswer.self)
      || movesRows || addsRows
  }

  /// The methods that `initialize` announces, by their names on the wire.
  ///
  /// Appearance, colours, size and display mode are always among them: the context follows them for every
  /// widget.
  static var implements: [String] {
    var methods = [
      ViewWillAppearRequest.method,
      ViewDidAppearNotification.method,
      ViewWillDisappearRequest.method,
      ViewDidDisappearNotification.method,
      ViewWillTransitionToSizeRequest.method,
      TransitionDidCompleteNotification.method,
      ActiveDisplayModeDidChangeNotification.method,
      AppearanceDidChangeNotification.method,
      ExpiringActivityNotification.method,
      DefaultsDidChangeNotification.method,
      DidReceiveNotificationNotification.method,
      HandleEventsForBackgroundURLSessionRequest.method,
      TransferDidProgressNotification.method,
      NoticesDidChangeNotification.method,
    ]
    if takesUpdates { methods.append(WidgetPerformUpdateRequest.method) }
    if takesActions { methods.append(PerformActionRequest.method) }
    if takesTyping { methods.append(FieldDidChangeNotification.method) }
    if vetoesRemoval { methods.append(ListShouldRemoveRowRequest.method) }
    if removesRows { methods.append(ListDidRemoveRowRequest.method) }
    if movesRows { methods.append(ListDidMoveRowRequest.method) }
    if addsRows { methods.append(WidgetListPerformAddActionRequest.method) }
    if takesMarginInsets { methods.append(WidgetMarginInsetsRequest.method) }
    if takesConfigurations { methods.append(ConfigurationDidChangeNotification.method) }
    if takesMemoryWarnings { methods.append(DidReceiveMemoryWarningNotification.method) }
    methods += hostStateMethods
    if NotImplemented.isNot(BeginEditingAnswer.self) {
      methods.append(WidgetDidBeginEditingNotification.method)
    }
    if NotImplemented.isNot(EndEditingAnswer.self) {
      methods.append(WidgetDidEndEditingNotification.method)
    }
    return methods
  }
}
