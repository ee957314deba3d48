import CPlatform
import Glibc
import Notices
import TerminalInput
import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// How many rows of the terminal the page has below the prompt.
nonisolated enum InlineHeight: Hashable, Sendable {
  case rows(Int)
  case percent(Int)

  /// Reads `20` or `40%`; nil if it is neither, or nothing.
  init?(_ text: String) {
    let isPercent = text.hasSuffix("%")
    guard let number = Int(isPercent ? text.dropLast() : text[...]), number > 0 else { return nil }
    if isPercent, number > 100 { return nil }
    self = isPercent ? .percent(number) : .rows(number)
  }

  /// The rows of a page on a terminal, on which the row of the prompt stays visible.
  func rows(of terminalRows: Int) -> Int {
    let most = max(1, terminalRows - 1)
    return switch self {
    case .rows(let rows): min(rows, most)
    case .percent(let percent): min(max(1, terminalRows * percent / 100), most)
    }
  }
}

/// Rows of the terminal below the prompt as a screen: what is above stays, and they are empty again afterwards.
///
/// Pictures are written relative to the place of the cursor, which is asked for, so that the terminal may scroll and be
/// of any kind. A class because it owns the terminal, which must be restored.
final class InlineScreen: Screen {
  private(set) var glyphs = GlyphSet.unicode
  private(set) var theme: Theme
  private(set) var size: Size
  let identity: TerminalIdentity
  var imageLook: ImageLook? { .symbols(colors: theme.depth.rawValue, glyphs) }
  let isSendingImages = false
  var onReady: () -> Void = {}
  // The terminal is asked neither for its background nor for the focus, nor whether it shows frames as a whole.
  let showsFramesWhole = false
  var onTheme: () -> Void = {}
  var onFocus: (Bool) -> Void = { _ in }
  var onImageLook: () -> Void = {}
  var followsDrags = false {
    didSet { if followsDrags != oldValue, isOpen { output.send(Array(dragMode.utf8)) } }
  }

  private let height: InlineHeight
  private let environment: [String: String]
  private let kind: TerminalKind
  private let isUTF8: Bool
  private let keyboard: Keyboard
  private let output = TerminalOutput()
  private let clock: any HostClock
  private var writer: PaneWriter
  private var terminal: Size
  private var isOpen = false
  /// Ends the wait for the position of the cursor; nil when it is known, or as good as known.
  private var positionTimer: (any HostTimer)?
  /// The answers that are on their way, also those that are not waited for any longer.
  private var answers = TerminalAnswers(.position)
  /// Where the cursor was when it was asked for.
  private var cursor: Position?
  /// The picture that is shown when the position is known.
  private var waiting: Canvas?

  /// Takes the terminal of the process.
  ///
  /// - Throws: ``ScreenError`` if there is none, or none that can position text. It is unchanged then.
  init(
    _ height: InlineHeight,
    environment: [String: String],
    clock: any HostClock = SystemClock()
  ) throws(ScreenError) {
    let kind = TerminalKind(environment: environment)
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { throw .noTerminal }
    guard kind.canDraw else { throw .cannotDraw(kind.name) }
    guard platform_job_await_foreground(STDIN_FILENO) == PLATFORM_FOREGROUND else {
      throw .inBackground
    }
    guard let keyboard = Keyboard(terminal: STDIN_FILENO) else { throw .noDescriptors }
    (self.height, self.environment, self.kind, self.keyboard) = (
      height, environment, kind, keyboard
    )
    (self.clock, identity) = (clock, TerminalIdentity(environment: environment))
    isUTF8 = CharacterLocale(environment).isUTF8
    let depth = TerminalDescription.depth(environment, refusesColors: kind.refusesColors)
    theme = Theme(depth: depth, .standard(isDark: kind.isDark))
    writer = PaneWriter(theme, isUTF8: isUTF8, showsFramesWhole: kind.showsFramesWhole)
    terminal = Self.terminalSize
    size = Size(columns: terminal.columns, rows: height.rows(of: terminal.rows))
    keyboard.prepare(isUTF8 ? .utf8 : .locale, expectsPosition: true) { ExtraSequences() }
    keyboard.onReport = { [weak self] in self?.take($0) }
    output.onEmpty = { [weak self] in self?.mayBeReady() }
    platform_terminal_remember(STDIN_FILENO)
    platform_terminal_guard()
    open()
    platform_guardian_hold_terminal()
  }

  private static var terminalSize: Size {
    TerminalSize.drawable(of: STDOUT_FILENO) ?? Size(columns: 80, rows: 24)
  }

  func adopt(_ settings: ScreenSettings) {
    glyphs = settings.glyphs(onTerminal: kind.glyphs(isUTF8: isUTF8))
    theme = Theme(depth: theme.depth, settings.theme(onTerminal: kind.isDark))
    writer = PaneWriter(theme, isUTF8: isUTF8, showsFramesWhole: kind.showsFramesWhole)
    if positionTimer == nil { begin() }
  }

  // MARK: - The terminal

  private func open() {
    isOpen = true
    platform_terminal_enter_screen()
    let restoring = Array("\u{18}\u{1B}[?2026l\(farewell)".utf8)
    unsafe platform_terminal_set_restore_bytes(restoring, restoring.count)
    let marks =
      kind.marksPastes
      ? TerminalReport.followPastes + (kind.takesMouse ? PaneTerminal.pixelModes : "") : ""
    output.send(Array("\u{1B}[?25l\(marks)".utf8))
    askPosition()
  }

  private var dragMode: String {
    guard kind.marksPastes, kind.takesMouse else { return "" }
    return followsDrags ? "\u{1B}[?1002h" : "\u{1B}[?1002l\u{1B}[?1000h"
  }

  /// Takes everything back; the cursor is where it was.
  private var farewell: String {
    writer.erasing
      + (kind.marksPastes
        ? "\u{1B}[?1002l" + PaneTerminal.noPixelModes + TerminalReport.unfollowPastes : "")
      + "\u{1B}[?25h"
  }

  var isClosed: Bool { platform_terminal_is_closed(STDIN_FILENO) != 0 }

  func release(on clock: any HostClock, then completion: @escaping () -> Void) {
    release()
    completion()
  }

  func release() {
    guard isOpen else { return }
    isOpen = false
    waiting = nil
    positionTimer?.cancel()
    positionTimer = nil
    var typed = keyboard.drainAnswers { answers.areExpected(at: .now) }
    answers.forget()
    output.giveBack(farewell)
    typed.giveBack(to: STDIN_FILENO)
  }

  func reclaim() {
    guard !isOpen else { return }
    open()
    followSize()
  }

  // MARK: - Place and size

  var hasAnotherSize: Bool { Self.terminalSize != terminal }

  func followSize() {
    let new = Self.terminalSize
    guard new != terminal else { return }
    terminal = new
    size = Size(columns: new.columns, rows: height.rows(of: new.rows))
    if isOpen { askPosition() }
  }

  private func askPosition() {
    cursor = nil
    answers.wereAsked(at: .now)
    output.send(Array(PaneTerminal.positionQuestion.utf8))
    positionTimer?.cancel()
    positionTimer = clock.schedule(after: PaneTerminal.patience) { [weak self] in
      self?.positionIsKnown()
    }
  }

  private func take(_ report: TerminalReport) {
    answers.take(report)
    guard case .position(let position) = report, positionTimer != nil else { return }
    cursor = position
    if isOpen { positionIsKnown() }
  }

  private func positionIsKnown() {
    positionTimer?.cancel()
    positionTimer = nil
    begin()
    if let waiting { show(waiting) }
    waiting = nil
    mayBeReady()
  }

  /// Begins with nothing below the cursor, where an earlier picture may be in another size.
  private func begin() {
    writer.begin(atColumn: cursor?.column ?? 0)
    if isOpen { output.send(Array(writer.erasing.utf8)) }
  }

  // MARK: - Pictures

  var isReady: Bool { output.isEmpty && positionTimer == nil }

  private func mayBeReady() {
    if isOpen, isReady { onReady() }
  }

  func draw(_ canvas: Canvas, links: [PageLink], images: DrawnImages, isFrame: Bool) {
    guard isOpen, platform_job_is_in_foreground(STDIN_FILENO) != 0 else { return }
    let canvas = canvas.withSymbols(of: images)
    if positionTimer != nil { waiting = canvas } else if output.isEmpty { show(canvas) }
  }

  private func show(_ canvas: Canvas) {
    output.send(writer.bytes(of: canvas))
  }

  func forget() {
    if positionTimer == nil { begin() }
  }

  func send(_ bytes: [UInt8]) -> Bool {
    if isOpen { output.send(bytes) }
    return isOpen
  }

  func ring() {
    _ = send([0x07])
  }

  func copy(_ text: String) -> Bool {
    guard kind.answersQuestions else { return false }
    return send(Array("\u{1B}]52;c;\(Base64.text(of: Array(text.utf8)))\u{1B}\\".utf8))
  }

  // MARK: - Keys

  var mayLeave: (Key) -> Bool {
    get { keyboard.mayLeave }
    set { keyboard.mayLeave = newValue }
  }

  var keyDeadline: ContinuousClock.Instant? { isOpen ? keyboard.deadline : nil }

  func keys() -> [Key] {
    guard isOpen else { return [] }
    return keyboard.keys().compactMap { key in
      guard case .mouse(var event) = key else { return key }
      guard let cursor else { return nil }
      // Room was made for the page by scrolling.
      event.row -= min(cursor.row + writer.offset, terminal.rows - size.rows)
      return event.row >= 0 && event.row < size.rows ? .mouse(event) : nil
    }
  }
}
