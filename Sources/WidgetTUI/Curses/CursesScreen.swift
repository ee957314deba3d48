import CNcurses
import CPlatform
import Glibc
import Notices
import TerminalInput
import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// The terminal as a screen: canvases in, keys out.
///
/// Keys are read by ``Keyboard``. ncurses encodes pictures and never writes to the terminal, so
/// that a blocked terminal cannot block the program. A class because it owns the terminal, which
/// must be restored.
final class CursesScreen: Screen {
  private var features: TerminalFeatures
  private var sender: PictureSender
  private let session: TerminalSession

  var onReady: () -> Void = {}
  var onTheme: () -> Void = {}
  var onFocus: (Bool) -> Void = { _ in }
  var onImageLook: () -> Void = {}

  /// The most cells of it that are drawn on.
  private let cellLimit: Int

  /// Opens the screen.
  ///
  /// - Throws: ``ScreenError`` if there is no terminal, or none that can position text. The
  ///   terminal is unchanged then.
  init(
    environment: [String: String],
    cellLimit: Int = TerminalSize.cellLimit
  ) throws(ScreenError) {
    self.cellLimit = cellLimit
    let kind = TerminalKind(environment: environment)
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { throw .noTerminal }
    guard kind.canDraw else { throw .cannotDraw(kind.name) }
    guard platform_job_await_foreground(STDIN_FILENO) == PLATFORM_FOREGROUND else {
      throw .inBackground
    }
    let isUTF8 = CharacterLocale(environment).adopt()

    CrashGuard.install()
    guard let frame = FrameBuffer() else { throw .noDescriptors }
    guard let keyboard = Keyboard(terminal: STDIN_FILENO) else { throw .noDescriptors }
    let size = TerminalSize.drawable(of: STDOUT_FILENO, cellLimit: cellLimit)
    let open = {
      TerminalSize.announce(size, environment) {
        cn_open_screen(keyboard.descriptor, frame.descriptor) == 0
      }
    }
    let opening = TerminalDescription.open(environment, refusesColors: kind.refusesColors, open)
    guard opening != .failed else { throw .unknownTerminal(kind.name) }
    // Nothing has been written to the terminal so far.
    guard unsafe cn_capability("cup") != nil else { throw .cannotDraw(kind.name) }
    let margins = TerminalMargins()
    cn_spare_terminal()
    let cells = CellWriter(
      ColorPairs(isWanted: !kind.refusesColors, isDirect: opening == .withDirectColors),
      isUTF8: isUTF8
    )
    features = TerminalFeatures(kind, isUTF8: isUTF8, depth: cells.depth, environment)
    sender = PictureSender(frame, cells, margins)
    session = TerminalSession(keyboard)
    CrashGuard.prepareBytes(
      isFrameMode: kind.showsFramesWhole,
      answersQuestions: kind.answersQuestions,
      marksPastes: kind.marksPastes,
      margins: margins.reset
    )
    session.open()
    cn_prepare_output()
    prepareInput()
    followSize()
    session.onReady = { [weak self] in self?.onReady() }
    keyboard.prepare(isUTF8 ? .utf8 : .locale) {
      TerminfoKeys.sequences(followsFocus: kind.answersQuestions)
    }
    keyboard.onReport = { [weak self] in self?.take($0) }
  }

  var glyphs: GlyphSet { features.glyphs }
  var theme: Theme { features.theme }
  var imageLook: ImageLook? { features.imageLook }
  var showsFramesWhole: Bool { features.showsFramesWhole }

  var followsDrags: Bool {
    get { features.modes.followsDrags }
    set { features.modes.followsDrags = newValue }
  }

  func adopt(_ settings: ScreenSettings) {
    if features.adopt(settings) { themeDidChange() }
  }

  private func themeDidChange() {
    sender.themeDidChange()
    forget()
  }

  /// Takes over what the terminal says of itself.
  private func take(_ report: TerminalReport) {
    session.answers.take(report)
    guard session.isOpen else { return }
    if case .focus(let isFocused) = report { return onFocus(isFocused) }
    let (look, definition) = (imageLook, theme.definition)
    let hasOtherBackground = features.take(report)
    if theme.definition != definition { themeDidChange() }
    if imageLook != look { onImageLook() }
    if hasOtherBackground { onTheme() }
  }

  var isSendingImages: Bool { sender.isSendingImages }

  var size: Size { Size(columns: max(1, Int(cn_columns())), rows: max(1, Int(cn_rows()))) }

  var hasAnotherSize: Bool { newSize != nil }

  func followSize() {
    guard let newSize else { return }
    resize(to: newSize)
    sender.sizeDidChange()
    followCellPixels()
  }

  /// Tells ncurses a size.
  ///
  /// It changes one side after the other, and a screen as wide as the new one and as high as the old
  /// one may have a thousand times as many cells as either.
  private func resize(to size: (columns: Int32, rows: Int32)) {
    resizeterm(min(size.rows, cn_rows()), min(size.columns, cn_columns()))
    resizeterm(size.rows, size.columns)
  }

  /// Takes over the pixels of a cell, which change with the font.
  private func followCellPixels() {
    var (width, height): (Int32, Int32) = (0, 0)
    guard unsafe cn_cell_pixels(STDOUT_FILENO, &width, &height) == 0 else { return }
    let before = imageLook
    features.take(CellPixels(told: Int(width), Int(height)))
    if imageLook != before { onImageLook() }
  }

  private var newSize: (columns: Int32, rows: Int32)? {
    guard let size = TerminalSize.drawable(of: STDOUT_FILENO, cellLimit: cellLimit) else {
      return nil
    }
    let (columns, rows) = (Int32(size.columns), Int32(size.rows))
    return columns != cn_columns() || rows != cn_rows() ? (columns, rows) : nil
  }

  // MARK: - Drawing

  var isReady: Bool { session.output.isEmpty }

  func draw(_ page: Canvas, links: [PageLink], images: DrawnImages, isFrame: Bool) {
    // In the background, where it stops as soon as the signal that continued it is read, it draws nothing.
    guard session.isOpen, isReady, platform_job_is_in_foreground(STDIN_FILENO) != 0 else { return }
    let bytes = sender.bytes(
      page,
      links: links,
      images: images,
      isFrame: isFrame,
      &features,
      session
    )
    if !bytes.isEmpty { session.output.send(bytes) }
  }

  func forget() {
    let bytes = sender.forget()
    if session.isOpen { session.output.send(bytes) }
  }

  func ring() {
    if session.isOpen { session.output.send([0x07]) }
  }

  var identity: TerminalIdentity { features.identity }

  func send(_ bytes: [UInt8]) -> Bool {
    // Behind the picture that it may still take.
    if session.isOpen { session.output.send(bytes) }
    return session.isOpen
  }

  func copy(_ text: String) -> Bool {
    guard session.isOpen, features.kind.answersQuestions else { return false }
    session.output.send(Array("\u{1B}]52;c;\(Base64.text(of: Array(text.utf8)))\u{1B}\\".utf8))
    return true
  }

  // MARK: - Keys

  func keys() -> [Key] { session.isOpen ? session.keyboard.keys() : [] }

  var mayLeave: (Key) -> Bool {
    get { session.keyboard.mayLeave }
    set { session.keyboard.mayLeave = newValue }
  }

  var keyDeadline: ContinuousClock.Instant? {
    session.isOpen ? session.keyboard.deadline : nil
  }

  var isClosed: Bool { session.isClosed }

  // MARK: - Releasing the terminal

  func release(on clock: any HostClock, then completion: @escaping () -> Void) {
    session.release(on: clock, farewell: farewell, then: completion)
  }

  func release() { session.release(farewell: farewell) }

  private func farewell() -> [UInt8] {
    // The last row, to which the cursor goes, may be another one since the last picture.
    if let newSize { resize(to: newSize) }
    let ending = sender.farewell()
    // ncurses shows the cursor, and then leaves the other screen. Links are written with the place of the cursor saved
    // (DECSC), and some terminals then give it the visibility that it had there.
    return features.farewell(session.keyboard) + ending + (TerminalCapability.bytes("cnorm") ?? [])
  }

  func reclaim() {
    guard !session.isOpen else { return }
    session.open()
    cn_resume()
    prepareInput()
    followSize()
    forget()
  }

  func releaseOfApp() {
    reclaim()
    // Where the app was on the screen of the shell, what is erased next must not be that.
    session.output.send(TerminalCapability.bytes("smcup") ?? [])
    release()
  }

  private func prepareInput() {
    cn_prepare_input()
    if features.kind.takesMouse { cn_enable_mouse() }
    curs_set(0)
  }
}
