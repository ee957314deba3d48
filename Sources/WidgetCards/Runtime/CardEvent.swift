package import WidgetExtensions
package import WidgetKitCore
package import WidgetPlatform
package import WidgetSessions

/// What happens to a card: by the page, by the session of its widget, by the user, or by the clock.
package enum CardEvent {
  // From the page.
  /// The card gets a widget; it was drawn only from its snapshot so far.
  case attached(WidgetBundle, name: SafeText)
  /// The card has a different bundle.
  case replaced(WidgetBundle, name: SafeText)
  /// The widget runs on another machine from now on.
  case moved(name: SafeText)
  /// What the card had when the program last ran.
  case restored(DisplayMode?, offersExpanded: Bool, margins: EdgeInsets)
  /// The sign that the card had when the program last ran.
  case mark(CardMark)
  /// The page on which the card is.
  case page(PageName)
  /// The number of columns that the card takes up.
  case span(Int)
  /// The width inside the border, and the rows of a card that is shown alone; a snapshot is shown later unless
  /// `showsSnapshot`.
  case frame(innerWidth: Int, leastRows: Int?, showsSnapshot: Bool)
  /// What the page does with a card that offers more while the user has chosen no form.
  case growth(CardGrowth)
  /// The time has come to show the snapshot that is still to be loaded.
  case snapshotTurn
  /// Whether the card is shown while the page is locked, without its private content.
  case allowedWhenLocked(Bool)
  /// The widget has nothing to show, or has something again.
  case hidden(Bool)
  /// Nothing is saved any more, because another card takes the place.
  case discarded
  /// A question is shown in place of the content, or the content again.
  case question(PermissionQuestion?)
  /// A view is shown in place of the content, or the content again; behind a question, when it is answered.
  case cover(ViewNode?)
  /// An earlier content is shown in place of the present one, or the present one again.
  case past(PastContent?)
  /// Whether a row of the card is on the screen.
  case visible(Bool)
  /// Whether the page is shown, and has the focus of the terminal.
  case host(HostState)
  /// The environment of the layout is another one.
  case environmentChanged
  /// What is shown is to be stored now, as others look at it.
  case keep
  /// The host is about to be suspended: the view disappears.
  case pause
  /// The host continues.
  case unpause
  /// The machine slept, or the wall clock was set by `shift` seconds; missed updates are spread by `place`.
  case clockJumped(hasSlept: Bool, shift: Double, place: Int)
  /// The widget is to be ended.
  case quit
  /// New data is wanted.
  case refresh(UpdateReason)
  /// The scheduled update is to be made, unless another host makes it or has made it.
  case refreshIfDue(UpdateReason)
  /// The updates are planned again.
  case plan
  /// The age of the content is checked again.
  case checkAge
  /// Another host has made an update, or has only saved a snapshot if there is no history.
  case madeElsewhere(RefreshHistory?)
  /// A picture is drawn, or cannot be; nil for all of them.
  case imageDrawn(ImageDrawing?, ImageFault?)
  /// A command that a press has started runs, or has ended; the function tells its action.
  case command(isRunning: Bool, (String) -> Bool)

  // From the user.
  case press(PressTarget)
  /// A press that is known to be on an element of the card.
  case deliver(PressTarget)
  /// The user types in a field.
  case type(CardFields.Edit, FieldTarget)
  /// The text of a field is entered, whose action it sends.
  case enter(FieldTarget, PressTarget)
  case removeRow(RowTarget)
  /// Moves a row by a number of rows, down if it is positive.
  case moveRow(RowTarget, by: Int)
  /// Asks the widget for a new row of a list.
  case addRow(list: String)
  /// Goes on to the form that the user chooses next.
  case toggleForm
  /// The user leaves it to the page which form is shown.
  case leaveForm
  /// The user has chosen this form on another page; nil leaves it to the page.
  case form(DisplayMode?)

  // From the session.
  case report(CardReport)
  case request(PageRequest, ServiceCall)
  /// A process is about to be started.
  case launch
  /// An update begins to be awaited, or none is awaited any longer.
  case updateChanged

  // From what performs the effects.
  /// The moment of ``CardState/due`` has come.
  case timer
  /// The result of ``CardEffect/tryLock(_:)``.
  case lock(LockAttempt, UpdateReason)
  /// The lock cannot be kept between updates.
  case lockNotKept
  /// Another host wants the lock that is kept between updates.
  case lockWanted
  /// The session has taken a request for an update.
  case updateRequested(UpdateReason)
}

/// The result of trying the lock for a widget's updates.
package enum LockAttempt: Equatable {
  /// This host holds it.
  case held
  /// Another host makes the update.
  case busy
  /// A program that is not a host holds it.
  case foreign(String)
  /// No lock is possible here.
  case unavailable
}

/// What a card wants to be done, in order.
enum CardEffect {
  /// Pass an event to the session.
  case session(SessionEvent)
  /// End the widget.
  case quitSession
  /// Write a line to the log of the widget.
  case log(SafeText)
  /// Request an update, and report when the session has taken that.
  case requestUpdate(UpdateReason)

  /// Try to take the lock for the updates of the widget.
  case tryLock(UpdateReason)
  /// Notice other hosts that want the lock.
  case keepLock
  /// Keep the lock no longer than until the results are written.
  case endKeepingLock
  /// Allow other hosts to make the updates.
  case releaseLock
  /// Store a snapshot.
  case keepSnapshot(Snapshot)
  /// Write the results of updates after the snapshots that were stored before, and then release the lock if
  /// `releasesLock`.
  case keepHistory(RefreshHistory, releasesLock: Bool)
  /// Tell other hosts that there is a new snapshot.
  case announce(RefreshHistory.Picture)
  /// Change what the user has opened, on the disk.
  case keepFolds(@Sendable (inout FoldRecord) -> Void, today: Int)

  /// Open a URL for the widget; `call` is the identifier of a request, and `isPress` says that it was a press.
  case open(url: String, call: MessageID?, isPress: Bool, sincePress: Duration?)
  /// Perform a request of the widget.
  case perform(PageRequest, ServiceCall, sincePress: Duration?)
  /// Something concerns the background transfers of the widget.
  case transfer(CardTransferEvent)
  /// Show words to the user.
  case say(SafeText)
  /// End what was said.
  case unsay(SafeText)
  /// An update has ended.
  case didUpdate(CompletedUpdate)
  /// The user has given the card its other form.
  case formWasChosen
  /// An animation begins.
  case beginToMove
  /// The process was suspended or has ended.
  case didFinish
  /// Something has ended that a caller may be waiting for.
  case mayHaveSettled
}
