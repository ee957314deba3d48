import CPlatform
import Glibc
import TerminalInput
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// Some rows of the terminal below the cursor, which is given back as it was.
///
/// It is the terminal of the process (`/dev/tty`), so that standard input and output may be pipes. A class because it
/// owns descriptors and the watches on them.
final class PaneTerminal: PaneSurface {
  /// Called with each key; the places of the mouse are within the pane.
  var onKey: (Key) -> Void = { _ in }
  /// Makes the picture.
  var onDraw: (PaneLook) -> PanePicture = { _ in PanePicture(canvas: Canvas(size: .zero)) }
  /// Called before a signal ends the program.
  var onInterruption: () -> Void = {}
  /// Whether the pane has the whole screen, where the terminal has another one for that.
  var fillsScreen = false {
    didSet {
      guard isOpen, fillsScreen != oldValue else { return }
      output.send(Array(farewell(filling: oldValue).utf8))
      take()
    }
  }

  private let file: Int32
  private let keyboard: Keyboard
  private let output: TerminalOutput
  private let kind: TerminalKind
  private let glyphs: GlyphSet
  private let clock: any HostClock
  private var writer: PaneWriter
  private var keys: DescriptorWatch?
  private var signals: SignalWatch?
  private var keyTimer: (any HostTimer)?
  /// Ends the wait for the position of the cursor; nil when it is known, or as good as known.
  private var positionTimer: (any HostTimer)?
  /// The answers that are on their way, also those that are not waited for any longer.
  private var answers = TerminalAnswers(.position)
  /// The row of the cursor when it was asked for; nil if the terminal has not said it.
  private var cursorRow: Int?
  private var picture = PanePicture(canvas: Canvas(size: .zero))
  private var isOpen = false
  private var needsPicture = false
  private var waitingKeys: [Key] = []

  /// How long the answer to the question for the cursor may take.
  static let patience = Duration.milliseconds(500)
  static let pixelModes = "\u{1B}[?1000h\u{1B}[?1006h"
  static let noPixelModes = "\u{1B}[?1006l\u{1B}[?1000l"
  private static let home = "\u{1B}[H"
  private static let otherScreen = "\u{1B}[?1049h" + home
  static let positionQuestion = "\u{1B}[6n"

  /// Opens the terminal of the process; nil if there is none that a pane can be drawn on.
  init?(
    environment: [String: String],
    settings: ScreenSettings,
    clock: any HostClock = SystemClock()
  ) {
    kind = TerminalKind(environment: environment)
    let number = unsafe Glibc.open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard number >= 0 else { return nil }
    file = number
    // A job that nobody can bring to the foreground must not draw on the terminal of the shell.
    guard platform_job_await_foreground(number) == PLATFORM_FOREGROUND else { return nil }
    guard kind.canDraw, let keyboard = Keyboard(terminal: number) else { return nil }
    (self.keyboard, self.clock) = (keyboard, clock)
    output = TerminalOutput(number)
    let isUTF8 = CharacterLocale(environment).isUTF8
    glyphs = settings.glyphs(onTerminal: kind.glyphs(isUTF8: isUTF8))
    let depth = TerminalDescription.depth(environment, refusesColors: kind.refusesColors)
    writer = PaneWriter(
      Theme(depth: depth, settings.theme(onTerminal: kind.isDark)),
      isUTF8: isUTF8,
      showsFramesWhole: kind.showsFramesWhole
    )
    keyboard.prepare(isUTF8 ? .utf8 : .locale, expectsPosition: true) { ExtraSequences() }
    keyboard.onReport = { [weak self] in self?.take($0) }
    // What is typed behind a key may be for the shell.
    keyboard.mayLeave = { _ in true }
    output.onEmpty = { [weak self] in self?.draw() }
  }

  deinit { Glibc.close(file) }

  /// Takes the terminal, and shows the pane as soon as it has said where its cursor is.
  func open() {
    guard !isOpen else { return }
    isOpen = true
    _ = platform_job_await_foreground(file)
    platform_terminal_remember(file)
    platform_terminal_guard()
    platform_terminal_enter_screen()
    watchSignals()
    keys = DescriptorWatch(keyboard.source, for: .reading) { [weak self] in self?.readKeys() }
    keys?.resume()
    take()
    platform_guardian_hold_terminal()
  }

  /// Prepares the terminal for pictures.
  private func take() {
    let restoring = Array("\u{18}\u{1B}[?2026l\(farewell)".utf8)
    unsafe platform_terminal_set_restore_bytes(restoring, restoring.count)
    output.send(Array("\(hasScreen ? Self.otherScreen : "")\u{1B}[?25l\(marks)".utf8))
    askPosition()
  }

  /// Whether the pane is on the other screen of the terminal.
  private var hasScreen: Bool { fillsScreen && kind.hasOtherScreen }

  private var marks: String {
    guard kind.marksPastes else { return "" }
    return TerminalReport.followPastes + (kind.takesMouse ? Self.pixelModes : "")
  }

  /// Takes everything back; the cursor is where it was.
  private var farewell: String { farewell(filling: fillsScreen) }

  private func farewell(filling fillsScreen: Bool) -> String {
    writer.erasing
      + (fillsScreen && kind.hasOtherScreen ? "\u{1B}[?1049l" : "")
      + (kind.marksPastes ? Self.noPixelModes + TerminalReport.unfollowPastes : "")
      + "\u{1B}[?25h"
  }

  /// Erases the pane and gives the terminal back.
  func close() {
    guard isOpen else { return }
    isOpen = false
    for timer in [keyTimer, positionTimer] { timer?.cancel() }
    (keyTimer, positionTimer) = (nil, nil)
    keys?.pause()
    signals?.pause()
    (keys, signals) = (nil, nil)
    var typed = drainAnswers()
    output.giveBack(farewell)
    typed.giveBack(to: file)
  }

  /// Reads the answers that are on their way, so that no shell reads them.
  private func drainAnswers() -> TypedAhead {
    let typed = keyboard.drainAnswers { answers.areExpected(at: .now) }
    answers.forget()
    return typed
  }

  // MARK: - Pictures

  /// Shows the picture that ``onDraw`` makes, as soon as the terminal has taken the one before.
  func draw() {
    needsPicture = true
    guard isOpen, positionTimer == nil, output.isEmpty else { return }
    needsPicture = false
    picture = onDraw(look)
    output.send(writer.bytes(of: picture.canvas))
  }

  private var size: Size {
    TerminalSize.drawable(of: file) ?? Size(columns: 80, rows: 24)
  }

  /// What a picture is drawn with now.
  var look: PaneLook {
    let size = size
    // Without another screen the row of the prompt stays visible.
    let rows = hasScreen ? size.rows : size.rows - 1
    return PaneLook(
      glyphs: glyphs,
      size: Size(columns: size.columns, rows: max(1, rows)),
      fillsScreen: fillsScreen
    )
  }

  private func askPosition() {
    cursorRow = nil
    answers.wereAsked(at: .now)
    output.send(Array(Self.positionQuestion.utf8))
    positionTimer?.cancel()
    positionTimer = clock.schedule(after: Self.patience) { [weak self] in
      self?.begin(atColumn: 0)
    }
  }

  private func take(_ report: TerminalReport) {
    answers.take(report)
    guard case .position(let position) = report, positionTimer != nil else { return }
    cursorRow = position.row
    guard isOpen else { return }
    begin(atColumn: position.column)
  }

  private func begin(atColumn column: Int) {
    positionTimer?.cancel()
    positionTimer = nil
    writer.begin(atColumn: hasScreen ? 0 : column)
    if hasScreen { cursorRow = 0 }
    // What is there is an earlier picture in another size.
    output.send(Array((hasScreen ? Self.home + writer.erasing : writer.erasing).utf8))
    draw()
    let keys = waitingKeys
    waitingKeys = []
    for key in keys { take(key) }
  }

  // MARK: - Keys

  private func readKeys() {
    for key in keyboard.keys() { take(key) }
    guard isOpen else { return }
    if platform_terminal_is_closed(file) != 0 { return end(by: SIGHUP) }
    keyTimer?.cancel()
    keyTimer = keyboard.deadline.map { deadline in
      let time = max(.zero, ContinuousClock.now.duration(to: deadline))
      return clock.schedule(after: time) { [weak self] in self?.readKeys() }
    }
  }

  private func take(_ key: Key) {
    guard isOpen else { return }
    guard positionTimer == nil else { return waitingKeys.append(key) }
    switch key {
    case .control("z"): suspend()
    case .mouse(let event):
      guard let cursorRow else { return }
      // The pane was made room for by scrolling.
      let rows = picture.canvas.size.rows
      let first = min(cursorRow + writer.offset, size.rows - rows)
      var event = event
      event.row -= first
      if event.row >= 0, event.row < rows { onKey(.mouse(event)) }
    default: onKey(key)
    }
  }

  /// What the mouse has pressed.
  func action(at event: MouseEvent) -> PaneAction? {
    event.action == .press ? picture.action(at: event.position) : nil
  }

  // MARK: - Signals

  private func watchSignals() {
    let numbers = [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH]
    // Without a free descriptor the handlers of a crash restore the terminal.
    signals = SignalWatch(numbers) { [weak self] number in
      guard let self, isOpen else { return }
      switch number {
      case SIGTSTP: suspend()
      case SIGCONT: takeBack()
      case SIGWINCH: askPosition()
      default: end(by: number)
      }
    }
  }

  private func end(by number: Int32) {
    close()
    // What it writes is not erased with the pane.
    onInterruption()
    // As a shell counts a program that a signal has ended.
    exit(128 + number)
  }

  /// Gives the terminal to the shell until the program is continued.
  private func suspend() {
    positionTimer?.cancel()
    positionTimer = nil
    var typed = drainAnswers()
    output.send(Array(farewell.utf8))
    platform_terminal_leave_screen()
    typed.giveBack(to: file)
    platform_job_stop()
    takeBack()
    platform_signal_take(SIGCONT)
  }

  private func takeBack() {
    let result = platform_job_await_foreground(file)
    guard result == PLATFORM_FOREGROUND else { return }
    platform_terminal_enter_screen()
    take()
  }
}
