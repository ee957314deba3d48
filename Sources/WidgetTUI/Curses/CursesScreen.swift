import CNcurses
import CPlatform
import Glibc
import TerminalInput
import WidgetHost
import WidgetKitCore

/// The terminal as a screen: canvases in, keys out.
///
/// Keys are read by ``Keyboard``. ncurses encodes pictures and never writes to the terminal, so
/// that a blocked terminal cannot block the program. A class because it owns the terminal, which
/// must be restored.
final class CursesScreen: Screen {
  /// The characters to draw with.
  private(set) var glyphs: GlyphSet
  /// The colours that the terminal has, and how they look.
  private(set) var theme: Theme
  private let kind: TerminalKind
  private let isUTF8: Bool
  private var background: TerminalBackground
  private var settings = ScreenSettings()
  private var cells: CellWriter
  private var shown: Canvas?
  private var links = LinkLayer()
  private var images = ImageLayer()
  private var graphics: TerminalGraphics
  private let frame: FrameBuffer
  private let keyboard: Keyboard
  private let output = TerminalOutput()
  private var isOpen = true
  private var modes: TerminalModes
  private var margins: TerminalMargins
  /// Whether the pointer is followed while a button is held down.
  var followsDrags: Bool {
    get { modes.followsDrags }
    set { modes.followsDrags = newValue }
  }
  /// Called when the terminal has been released; empty unless a release is in progress.
  private var waiting: [() -> Void] = []
  private var patience: (any HostTimer)?
  private var answers = TerminalAnswers()
  /// Reads answers that are on their way while the terminal is given back; nil otherwise.
  private var answerWatch: DescriptorWatch?
  private var answerLimit: (any HostTimer)?
  private var typedAhead = TypedAhead()

  /// Called when a picture can be shown again after ``isReady`` was false.
  var onReady: () -> Void = {}
  /// Called when the background of the terminal has changed the theme.
  var onTheme: () -> Void = {}
  /// Called when the terminal has got or lost the focus.
  var onFocus: (Bool) -> Void = { _ in }
  /// Called when ``imageLook`` is another one.
  var onImageLook: () -> Void = {}

  /// How long a slow terminal may take for the end of the last picture.
  private static let patienceTime: Duration = .milliseconds(500)

  /// Opens the screen.
  ///
  /// - Throws: ``ScreenError`` if there is no terminal, or none that can position text. The
  ///   terminal is unchanged then.
  init(environment: [String: String]) throws(ScreenError) {
    let kind = TerminalKind(environment: environment)
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { throw .noTerminal }
    guard kind.canDraw else { throw .cannotDraw(kind.name) }
    guard platform_job_await_foreground(STDIN_FILENO) == PLATFORM_FOREGROUND else {
      throw .inBackground
    }
    isUTF8 = CharacterLocale(environment).adopt()
    self.kind = kind
    modes = TerminalModes(kind)
    glyphs = kind.glyphs(isUTF8: isUTF8)

    CrashGuard.install()
    guard let frame = FrameBuffer() else { throw .noDescriptors }
    self.frame = frame
    guard let keyboard = Keyboard(terminal: STDIN_FILENO) else { throw .noDescriptors }
    self.keyboard = keyboard
    let size = TerminalSize.drawable(of: STDOUT_FILENO)
    let open = {
      TerminalSize.announce(size, environment) {
        cn_open_screen(keyboard.descriptor, frame.descriptor) == 0
      }
    }
    let opening = TerminalDescription.open(environment, refusesColors: kind.refusesColors, open)
    guard opening != .failed else { throw .unknownTerminal(kind.name) }
    // Nothing has been written to the terminal so far.
    guard unsafe cn_capability("cup") != nil else { throw .cannotDraw(kind.name) }
    margins = TerminalMargins()
    cn_spare_terminal()
    CrashGuard.prepareBytes(
      isFrameMode: kind.showsFramesWhole,
      answersQuestions: kind.answersQuestions,
      marksPastes: kind.marksPastes,
      margins: margins.reset
    )
    platform_terminal_enter_screen()
    platform_guardian_hold_terminal()
    cells = CellWriter(
      ColorPairs(isWanted: !kind.refusesColors, isDirect: opening == .withDirectColors),
      isUTF8: isUTF8
    )
    background = TerminalBackground(kind)
    graphics = TerminalGraphics(kind, isUTF8: isUTF8)
    theme = Theme(depth: cells.depth, isDark: kind.isDark)
    cn_prepare_output()
    prepareInput()
    followSize()
    output.onEmpty = { [weak self] in self?.outputIsEmpty() }
    keyboard.prepare(
      isUTF8 ? .utf8 : .locale,
      TerminfoKeys.sequences(followsFocus: kind.answersQuestions)
    )
    keyboard.onReport = { [weak self] in self?.take($0) }
  }

  /// Uses the characters and the colours that the user set; the next ``draw(_:isFrame:)`` sends
  /// everything if they are different.
  func adopt(_ settings: ScreenSettings) {
    self.settings = settings
    glyphs = settings.glyphs(onTerminal: kind.glyphs(isUTF8: isUTF8))
    show(settings.theme(onTerminal: background.isDark))
  }

  /// Draws with a theme; everything is sent with the next picture if it is another one.
  private func show(_ definition: ThemeDefinition) {
    guard definition != theme.definition else { return }
    theme.definition = definition
    cells.themeDidChange()
    forget()
  }

  /// Takes over what the terminal says of itself.
  private func take(_ report: TerminalReport) {
    answers.take(report)
    guard isOpen else { return }
    if case .focus(let isFocused) = report { return onFocus(isFocused) }
    takeGraphics(report)
    guard background.take(report), settings.definition == nil else { return }
    show(settings.theme(onTerminal: background.isDark))
    onTheme()
  }

  private func takeGraphics(_ report: TerminalReport) {
    let before = imageLook
    graphics.take(report)
    if imageLook != before { onImageLook() }
  }

  /// Asks the terminal for its background, once, if that matters.
  private func question() -> [UInt8] {
    guard settings.definition == nil, theme.depth > .none else { return [] }
    return background.question(at: .now)
  }

  /// Asks for what the terminal can show, or at least the last question.
  private func graphicsQuestion(after question: [UInt8]) -> [UInt8] {
    let graphicsQuestion = graphics.question(at: .now)
    guard !question.isEmpty || !graphicsQuestion.isEmpty else { return [] }
    answers.wereAsked(at: .now)
    return graphicsQuestion.isEmpty ? Array(TerminalAnswers.lastQuestion.utf8) : graphicsQuestion
  }

  /// What the pictures of widgets are drawn with; nil as long as the terminal may still tell.
  var imageLook: ImageLook? {
    if graphics.method != nil {
      let cell = graphics.cellPixels
      return .pixels(cellWidth: cell.width, cellHeight: cell.height)
    }
    guard !graphics.isUndecided(at: .now) else { return nil }
    return .symbols(colors: theme.depth.rawValue, glyphs)
  }

  /// Whether pictures of widgets are not completely on the screen.
  var isSendingImages: Bool { images.isUnfinished }

  /// The size of the screen; at least one cell.
  var size: Size { Size(columns: max(1, Int(cn_columns())), rows: max(1, Int(cn_rows()))) }

  /// Whether the size of the terminal differs from ``size``.
  var hasAnotherSize: Bool { newSize != nil }

  /// Adopts the size of the terminal.
  func followSize() {
    guard let newSize else { return }
    resizeterm(newSize.rows, newSize.columns)
    shown = nil
    images.forgetCells()
    followCellPixels()
  }

  /// Takes over the pixels of a cell, which change with the font.
  private func followCellPixels() {
    var (width, height): (Int32, Int32) = (0, 0)
    guard unsafe cn_cell_pixels(STDOUT_FILENO, &width, &height) == 0 else { return }
    let before = imageLook
    graphics.take(CellPixels(told: Int(width), Int(height)))
    if imageLook != before { onImageLook() }
  }

  private var newSize: (columns: Int32, rows: Int32)? {
    guard let size = TerminalSize.drawable(of: STDOUT_FILENO) else { return nil }
    let (columns, rows) = (Int32(size.columns), Int32(size.rows))
    return columns != cn_columns() || rows != cn_rows() ? (columns, rows) : nil
  }

  // MARK: - Drawing

  /// Whether the terminal has accepted all of the last picture; until then none is drawn.
  var isReady: Bool { output.isEmpty }

  /// Shows a canvas: sends the differences from the last one.
  ///
  /// Nothing happens while ``isReady`` is false.
  /// - Parameters:
  ///   - page: the whole screen.
  ///   - links: the areas that lead to a URL.
  ///   - images: the pictures of widgets that are drawn.
  ///   - isFrame: whether it is a frame of an animation, which the terminal shows whole if it can.
  func draw(_ page: Canvas, links: [PageLink], images: DrawnImages, isFrame: Bool) {
    // In the background, where it stops as soon as the signal that continued it is read, it draws nothing.
    guard isOpen, isReady, platform_job_is_in_foreground(STDIN_FILENO) != 0 else { return }
    let canvas = self.images.canvas(page, images, graphics, theme, isFrame: isFrame)
    platform_terminal_guard_thread()
    let segments = CanvasDiff.segments(from: shown, to: canvas)
    let hasLinks = kind.answersQuestions && isUTF8
    let glyphBytes = isUTF8 ? UnknownGlyphs.bytes(on: canvas, drawn: segments, theme) : []
    let linkBytes = hasLinks ? self.links.bytes(links, on: page, drawn: segments, theme) : []
    let imageBytes = self.images.bytes(
      page,
      images,
      drawn: segments,
      graphics,
      theme,
      isFrame: isFrame
    )
    guard !segments.isEmpty || !linkBytes.isEmpty || imageBytes != ([], []) else { return }
    let isWhole = (isFrame || !imageBytes.behind.isEmpty) && kind.showsFramesWhole
    var bytes = imageBytes.before + (isWhole ? Array("\u{1B}[?2026h".utf8) : [])
    let command = graphics.commandQuestion
    let ofBackground = question()
    let question =
      ofBackground + modes.requests(keyboard) + graphicsQuestion(after: ofBackground)
    bytes += modes.beginning()
    var count = 0
    for segment in segments {
      if count + segment.cells.count > frame.cellLimit {
        cn_refresh()
        bytes += margins.spare(frame.take())
        count = 0
      }
      cells.put(segment, theme)
      count += segment.cells.count
    }
    shown = canvas
    cn_refresh()
    bytes += margins.spare(frame.take()) + glyphBytes + linkBytes + imageBytes.behind
    if !command.isEmpty, let start = Self.clearing(in: bytes) {
      bytes.insert(contentsOf: command, at: start)
    }
    if isWhole { bytes += Array("\u{1B}[?2026l".utf8) }
    // After the picture, which the terminal shows before it answers.
    output.send(bytes + question)
  }

  /// Where the screen is cleared.
  private static func clearing(in bytes: [UInt8]) -> Int? {
    guard let clear = unsafe cn_capability("clear") else { return nil }
    let text = unsafe String(cString: clear)
    return bytes.firstRange(of: Array(text.utf8))?.lowerBound
  }

  /// Sends everything at the next ``draw(_:isFrame:)``, whatever the terminal shows now.
  func forget() {
    shown = nil
    // The terminal may have been reset, and have lost its pictures.
    if isOpen { output.send(images.farewell()) }
    // The next refresh repaints the screen of ncurses, which may exceed the pipe: erase it first.
    if frame.cellLimit != .max { cn_erase() }
    cn_forget_screen()
  }

  /// Rings the bell, which is a byte for every terminal.
  func ring() {
    if isOpen { output.send([0x07]) }
  }

  /// Gives a text to the clipboard of the terminal (OSC 52).
  func copy(_ text: String) -> Bool {
    guard isOpen, kind.answersQuestions else { return false }
    output.send(Array("\u{1B}]52;c;\(Base64.text(of: Array(text.utf8)))\u{1B}\\".utf8))
    return true
  }

  // MARK: - Keys

  /// All keys that can be read without waiting.
  func keys() -> [Key] {
    isOpen ? keyboard.keys() : []
  }

  /// Whether what was typed behind a key may be for the program that has the terminal next.
  var mayLeave: (Key) -> Bool {
    get { keyboard.mayLeave }
    set { keyboard.mayLeave = newValue }
  }

  /// When ``keys()`` has more although nothing is typed any more; nil if it has not.
  var keyDeadline: ContinuousClock.Instant? { isOpen ? keyboard.deadline : nil }

  /// Whether the terminal has been closed, so that there are no more keys.
  var isClosed: Bool { platform_terminal_is_closed(STDIN_FILENO) != 0 }

  // MARK: - Releasing the terminal

  /// Restores the terminal for the shell or for an app, or before the program exits.
  ///
  /// `completion` is called when the terminal has accepted all output and is restored. After half a
  /// second, the rest of the last picture is discarded and only the restore sequence is written.
  func release(on clock: any HostClock, then completion: @escaping () -> Void) {
    guard isOpen || !waiting.isEmpty else { return completion() }
    waiting.append(completion)
    guard isOpen else { return }
    leave()
    awaitAnswers(on: clock)
    if !output.isEmpty {
      patience = clock.schedule(after: Self.patienceTime) { [weak self] in
        self?.settle(hasSentAll: false)
      }
    }
    settleWhenDone()
  }

  /// Reads and discards the answers that are on their way, for a short time, so that no shell reads them.
  private func awaitAnswers(on clock: any HostClock) {
    guard answers.areExpected(at: .now) else { return }
    let watch = DescriptorWatch(keyboard.source, for: .reading) { [weak self] in
      self?.readAnswers()
    }
    answerWatch = watch
    answerLimit = clock.schedule(after: TerminalAnswers.farewellPatience) { [weak self] in
      guard let self else { return }
      readAnswers()
      answers.forget()
      settleWhenDone()
    }
    watch.resume()
  }

  private func readAnswers() {
    typedAhead.take(keyboard.drain { answers.areExpected(at: .now) })
    if isClosed { answers.forget() }
    settleWhenDone()
  }

  /// Gives the terminal back if it has taken everything, and has answered.
  private func settleWhenDone() {
    guard !isOpen, !waiting.isEmpty, output.isEmpty, !answers.areExpected(at: .now) else { return }
    settle(hasSentAll: true)
  }

  /// Restores the terminal immediately.
  func release() {
    guard isOpen else { return }
    leave()
    settle(hasSentAll: output.isEmpty)
  }

  private func leave() {
    isOpen = false
    // The last row, to which the cursor goes, may be another one since the last picture.
    if let newSize { resizeterm(newSize.rows, newSize.columns) }
    // Without an alternate screen, the picture would stay on the screen of the shell.
    if unsafe cn_capability("rmcup") == nil {
      cn_erase()
      cn_refresh()
    }
    endwin()
    let farewell = modes.farewell(keyboard) + background.farewell + images.farewell()
    output.send(
      farewell + margins.reset + TerminalCapability.erasingOtherScreen()
        + margins.spare(frame.take())
    )
    background.forget()
    graphics.forget()
  }

  private func settle(hasSentAll: Bool) {
    for timer in [patience, answerLimit] { timer?.cancel() }
    (patience, answerLimit) = (nil, nil)
    answerWatch?.pause()
    answerWatch = nil
    answers.forget()
    output.discard()
    // What waits was typed behind it, and stays behind it.
    if !typedAhead.isEmpty { typedAhead.take(keyboard.drain { true }) }
    if hasSentAll { platform_terminal_leave_screen() } else { platform_terminal_restore() }
    typedAhead.giveBack(to: STDIN_FILENO)
    let completions = waiting
    waiting = []
    for completion in completions { completion() }
  }

  private func outputIsEmpty() {
    if isOpen {
      onReady()
    } else {
      settleWhenDone()
    }
  }

  /// Uses the terminal again; the next draw sends everything.
  func reclaim() {
    guard !isOpen else { return }
    isOpen = true
    platform_terminal_enter_screen()
    platform_guardian_hold_terminal()
    cn_resume()
    prepareInput()
    followSize()
    forget()
  }

  private func prepareInput() {
    cn_prepare_input()
    cn_enable_mouse()
    curs_set(0)
  }
}
