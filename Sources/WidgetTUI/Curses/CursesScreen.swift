import CNcurses
import CPlatform
import Glibc
import WidgetHost
import WidgetKitCore

/// The terminal as a screen: canvases in, keys out.
///
/// The only place that knows ncurses, which encodes pictures here and never writes to the terminal
/// itself: a terminal that takes nothing must not keep the program waiting. A class because it owns
/// the terminal: there is one, and it must be given back.
final class CursesScreen {
  /// Which characters the terminal's font has.
  let glyphs: GlyphSet
  /// How many colours it has, and how they look.
  let theme: Theme
  private let kind: TerminalKind
  private let isUTF8: Bool
  private var pairs: ColorPairs
  private var styles: [CellStyle: (attributes: UInt32, pair: Int32)] = [:]
  private var shown: Canvas?
  private let frame: FrameBuffer
  private let keyboard: Keyboard
  private let output = TerminalOutput()
  private var isOpen = true
  /// Who waits for the terminal to be given away; empty while nobody has asked for that.
  private var waiting: [() -> Void] = []
  private var patience: (any HostTimer)?

  /// Called when a picture can be shown again after ``isReady`` was false.
  var onReady: () -> Void = {}

  /// How long a terminal that is slow may take for the end of the last picture.
  private static let patienceTime: Duration = .milliseconds(500)

  /// Opens the screen.
  ///
  /// - Throws: ``ScreenError`` where there is no terminal, or none that can place text; the
  ///   terminal is as it was then.
  init(environment: [String: String]) throws(ScreenError) {
    let kind = TerminalKind(environment: environment)
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { throw .noTerminal }
    guard kind.canDraw else { throw .cannotDraw(kind.name) }
    // No variable at all is no wish for ASCII: a minimal system has set none.
    unsafe setlocale(LC_CTYPE, kind.hasNoLocale ? "C.UTF-8" : "")
    isUTF8 = unsafe String(cString: nl_langinfo(Int32(CODESET))) == "UTF-8"
    self.kind = kind
    glyphs = kind.glyphs(isUTF8: isUTF8)

    CrashGuard.install()
    guard let frame = FrameBuffer() else { throw .noDescriptors }
    self.frame = frame
    guard let keyboard = Keyboard(terminal: STDIN_FILENO) else { throw .noDescriptors }
    self.keyboard = keyboard
    guard cn_open_screen(keyboard.descriptor, frame.descriptor) == 0 else {
      throw .unknownTerminal(kind.name)
    }
    // Nothing has reached the terminal so far.
    guard unsafe cn_capability("cup") != nil else { throw .cannotDraw(kind.name) }
    CrashGuard.prepareBytes(isFrameMode: kind.showsFramesWhole)
    platform_terminal_enter_screen()
    platform_guardian_hold_terminal()
    pairs = ColorPairs(isWanted: !kind.refusesColors)
    theme = Theme(depth: pairs.depth, isDark: kind.isDark)
    cn_prepare_output()
    prepareInput()
    followSize()
    output.onEmpty = { [weak self] in self?.outputIsEmpty() }
  }

  /// The size of the screen; at least one cell.
  var size: Size { Size(columns: max(1, Int(cn_columns())), rows: max(1, Int(cn_rows()))) }

  /// Whether the terminal's size is another one than ``size``.
  var hasAnotherSize: Bool { newSize != nil }

  /// Takes over the terminal's size.
  func followSize() {
    guard let newSize else { return }
    resizeterm(newSize.rows, newSize.columns)
    shown = nil
  }

  private var newSize: (columns: Int32, rows: Int32)? {
    var columns: Int32 = 0
    var rows: Int32 = 0
    guard unsafe platform_terminal_size(STDOUT_FILENO, &columns, &rows) == 0, columns > 0, rows > 0,
      columns != cn_columns() || rows != cn_rows()
    else { return nil }
    return (columns, rows)
  }

  // MARK: - Drawing

  /// Whether the terminal has taken all of the last picture; before that no other one is begun.
  var isReady: Bool { output.isEmpty }

  /// Shows a canvas: what differs from the last one is sent, all at once.
  ///
  /// Nothing happens while ``isReady`` is false.
  /// - Parameters:
  ///   - canvas: the whole screen.
  ///   - isFrame: one of many in a row; the terminal shows it whole where it can.
  func draw(_ canvas: Canvas, isFrame: Bool = false) {
    guard isOpen, isReady else { return }
    platform_terminal_guard_thread()
    let segments = CanvasDiff.segments(from: shown, to: canvas)
    guard !segments.isEmpty else { return }
    let isWhole = isFrame && kind.showsFramesWhole
    var bytes: [UInt8] = isWhole ? Array("\u{1B}[?2026h".utf8) : []
    var count = 0
    for segment in segments {
      if count + segment.cells.count > frame.cellLimit {
        cn_refresh()
        bytes += frame.take()
        count = 0
      }
      put(segment)
      count += segment.cells.count
    }
    shown = canvas
    cn_refresh()
    bytes += frame.take()
    if isWhole { bytes += Array("\u{1B}[?2026l".utf8) }
    output.send(bytes)
  }

  /// Sends everything at the next ``draw(_:isFrame:)``, whatever the terminal shows now.
  func forget() {
    shown = nil
    // The next refresh repaints what ncurses knows; it is to be no more than what is put then.
    if frame.cellLimit != .max { cn_erase() }
    cn_forget_screen()
  }

  private func put(_ segment: CanvasDiff.Segment) {
    var column = Int32(segment.position.column)
    let row = Int32(segment.position.row)
    for cell in segment.cells {
      defer { column += 1 }
      guard cell.glyph.width > 0 else { continue }
      let look = look(cell.style)
      unsafe cn_put(row, column, codePoints(cell.glyph), look.attributes, look.pair)
      if !isUTF8, cell.glyph.width == 2 {
        unsafe cn_put(row, column + 1, [0x3F, 0], look.attributes, look.pair)
      }
    }
  }

  /// Signs that widgets use for themselves, and what reads the same in ASCII.
  private static let asciiLookalikes: [Unicode.Scalar: Unicode.Scalar] = [
    "−": "-", "–": "-", "—": "-", "…": "~", "·": ".", "•": "*", "●": "*", "○": "o", "✓": "x",
    "✗": "x", "↑": "^", "↓": "v", "←": "<", "→": ">", "▲": "^", "▼": "v", "⚠": "!", "‘": "'",
    "’": "'", "“": "\"", "”": "\"", "×": "x", "°": "o",
  ]

  /// What to print for a glyph, ended by 0; without UTF-8 a question mark for what is not ASCII.
  private func codePoints(_ glyph: Glyph) -> [UInt32] {
    let scalars = glyph.text.unicodeScalars
    guard isUTF8 || scalars.allSatisfy(\.isASCII) else {
      return [scalars.first.flatMap { Self.asciiLookalikes[$0] }?.value ?? 0x3F, 0]
    }
    return scalars.map(\.value) + [0]
  }

  private func look(_ style: CellStyle) -> (attributes: UInt32, pair: Int32) {
    if let known = styles[style] { return known }
    let resolved = theme.resolve(style)
    let look = (cn_attributes(resolved.attributes.rawValue), pairs.number(for: resolved))
    // Widgets may send any colours: the table is begun anew before it gets large.
    if styles.count >= 4_096 { styles.removeAll() }
    styles[style] = look
    return look
  }

  // MARK: - Keys

  /// All keys that have come; never waits.
  func keys() -> [Key] {
    guard isOpen else { return [] }
    var result: [Key] = []
    while case let count = keyboard.passOn(), count > 0 {
      // Bytes that are no character end ncurses' reading; each time it takes at least one.
      for _ in 0..<count {
        result += decodedKeys()
        if keyboard.isEmpty { break }
      }
    }
    return result
  }

  /// The keys that ncurses finds in what the keyboard has passed on to it.
  private func decodedKeys() -> [Key] {
    var result: [Key] = []
    while true {
      var code: UInt32 = 0
      switch unsafe UInt32(cn_next_key(&code)) {
      case CN_CHARACTER.rawValue: Key(typed: code).map { result.append($0) }
      case CN_FUNCTION.rawValue where Int32(code) == KEY_MOUSE: result += mouseKeys()
      case CN_FUNCTION.rawValue: functionKey(Int32(code)).map { result.append($0) }
      default: return result
      }
    }
  }

  /// Whether the terminal is gone, so that no key will ever come.
  var isClosed: Bool { platform_terminal_is_closed(STDIN_FILENO) != 0 }

  private func functionKey(_ code: Int32) -> Key? {
    switch code {
    case KEY_UP: .up
    case KEY_DOWN: .down
    case KEY_LEFT: .left
    case KEY_RIGHT: .right
    case KEY_BTAB: .backTab
    case KEY_ENTER: .enter
    case KEY_PPAGE: .pageUp
    case KEY_NPAGE: .pageDown
    case KEY_HOME: .home
    case KEY_END: .end
    default: nil
    }
  }

  /// Everything that the mouse did up to now, in order.
  private func mouseKeys() -> [Key] {
    var events = Array(repeating: cn_mouse_event(), count: Int(CN_MOUSE_EVENTS))
    let count = unsafe Int(cn_next_mouse(&events))
    return events.prefix(count).compactMap { event in
      let action: MouseEvent.Action
      switch UInt32(event.kind) {
      case CN_MOUSE_PRESS.rawValue: action = .press
      case CN_MOUSE_UP.rawValue: action = .wheelUp
      case CN_MOUSE_DOWN.rawValue: action = .wheelDown
      default: return nil
      }
      return .mouse(MouseEvent(action: action, column: Int(event.column), row: Int(event.row)))
    }
  }

  // MARK: - Giving it away and back

  /// Gives the terminal back as it was: to the shell, to a program, or for good.
  ///
  /// `completion` is called when the terminal has taken what undoes the screen, or after half a
  /// second: then what it has not taken is discarded, and it gets that alone.
  func giveAway(on clock: any HostClock, then completion: @escaping () -> Void) {
    guard isOpen || !waiting.isEmpty else { return completion() }
    waiting.append(completion)
    guard isOpen else { return }
    leave()
    if output.isEmpty {
      settle(hasSentAll: true)
    } else {
      patience = clock.schedule(after: Self.patienceTime) { [weak self] in
        self?.settle(hasSentAll: false)
      }
    }
  }

  /// Gives the terminal back at once, whatever it takes.
  func giveAway() {
    guard isOpen else { return }
    leave()
    settle(hasSentAll: output.isEmpty)
  }

  private func leave() {
    isOpen = false
    // A terminal without a second screen would keep the picture under the shell's lines.
    if unsafe cn_capability("rmcup") == nil {
      cn_erase()
      cn_refresh()
    }
    endwin()
    output.send(frame.take())
  }

  private func settle(hasSentAll: Bool) {
    patience?.cancel()
    patience = nil
    output.discard()
    if hasSentAll { platform_terminal_leave_screen() } else { platform_terminal_restore() }
    let completions = waiting
    waiting = []
    for completion in completions { completion() }
  }

  private func outputIsEmpty() {
    if isOpen {
      onReady()
    } else if !waiting.isEmpty {
      settle(hasSentAll: true)
    }
  }

  /// Takes the terminal again; everything is sent at the next draw.
  func takeBack() {
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
