import Notices
import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// A terminal as the dashboard uses it: pictures in, keys and events out.
///
/// ``CursesScreen`` is the real one; tests use one without a terminal.
protocol Screen: NoticeTerminal {
  /// The characters to draw with.
  var glyphs: GlyphSet { get }
  /// The colours that the terminal has, and how they look.
  var theme: Theme { get }
  /// What the pictures of widgets are drawn with; nil while that is not known yet.
  var imageLook: ImageLook? { get }
  /// Called when ``imageLook`` is another one.
  var onImageLook: () -> Void { get set }
  /// Uses the characters and the colours that the user set, as far as the terminal has them; if they
  /// are different, everything is sent with the next picture.
  func adopt(_ settings: ScreenSettings)
  /// Called when ``theme`` is another one because the background of the terminal is.
  var onTheme: () -> Void { get set }
  /// Called when the terminal has got or lost the focus; never on one that does not tell.
  var onFocus: (Bool) -> Void { get set }
  /// Whether the terminal has said that it shows a picture as a whole (mode 2026), so that parts of it can move.
  var showsFramesWhole: Bool { get }
  /// The size; at least one cell.
  var size: Size { get }
  /// Whether the terminal has another size than ``size``.
  var hasAnotherSize: Bool { get }
  /// Takes over the size of the terminal.
  func followSize()

  /// Whether the terminal has accepted the last picture.
  var isReady: Bool { get }
  /// Called when a picture can be shown again after ``isReady`` was false.
  var onReady: () -> Void { get set }
  /// Shows a picture, with links where the terminal has them; `isFrame` marks one of an animation.
  ///
  /// `images` are those that are drawn as ``imageLook`` says.
  func draw(_ canvas: Canvas, links: [PageLink], images: DrawnImages, isFrame: Bool)
  /// Whether pictures of widgets are not completely on the screen, so that another frame is due.
  var isSendingImages: Bool { get }
  /// Sends everything with the next picture, whatever the terminal shows now.
  func forget()

  /// Gives a text to the clipboard of the terminal; false if it has none.
  func copy(_ text: String) -> Bool

  /// Rings the bell of the terminal.
  func ring()

  /// Whether the pointer is followed while a button is held down; told with the next picture.
  var followsDrags: Bool { get set }

  /// All keys that can be read without waiting, up to one that ``mayLeave`` is true of.
  func keys() -> [Key]
  /// Whether what was typed behind a key may be for the program that has the terminal next, so that it is not read
  /// before the key was handled.
  var mayLeave: (Key) -> Bool { get set }
  /// When ``keys()`` has more although nothing is typed any more, such as Esc, which may also begin another
  /// key; nil if it has not.
  var keyDeadline: ContinuousClock.Instant? { get }
  /// Whether the terminal has gone.
  var isClosed: Bool { get }

  /// Gives the terminal back when it has accepted what was sent, or after a short time.
  func release(on clock: any HostClock, then completion: @escaping () -> Void)
  /// Gives the terminal back at once.
  func release()
  /// Takes the terminal again.
  func reclaim()
  /// Gives the terminal back that an app had, with all that it may have left set.
  func releaseOfApp()
}

extension Screen {
  func releaseOfApp() {
    reclaim()
    release()
  }
}

/// What happens to a terminal and to the program in it.
protocol ScreenEvents: AnyObject {
  /// There is something to read.
  var onInput: () -> Void { get set }
  /// The terminal may have another size.
  var onResize: () -> Void { get set }
  /// A signal says that the terminal has changed; its size may be the same.
  var onWindowSignal: () -> Void { get set }
  /// The program is to quit.
  var onQuit: () -> Void { get set }
  /// The program is to be suspended.
  var onSuspend: () -> Void { get set }
  /// The program goes on after it was stopped by something other than ``stopProgram()``.
  var onContinue: () -> Void { get set }
  /// The user has sent SIGRTMIN+N, for scripts with this N.
  var onScriptSignal: (Int) -> Void { get set }
  /// Follows them from now on.
  func start()
  /// Says whether ``onInput`` is called.
  func setReading(_ isReading: Bool)
  /// Reads nothing any more.
  func stopReading()
  /// Stops the program, and what was started with it, such as a script that runs it; returns when it goes on.
  func stopProgram()
  /// Stops the program while it is in the background; returns when it goes on in the foreground.
  func awaitTerminal() -> TerminalPossession
}

/// Whether a program that goes on may use the terminal.
enum TerminalPossession {
  /// It is in the foreground.
  case ours
  /// It is in the background, and a signal to quit is about to be read.
  case unneeded
  /// It is in the background for ever, as no shell is left that could bring it back.
  case lost
}
