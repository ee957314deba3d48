import CNcurses
import CPlatform
import WidgetKitCore

/// Pictures as bytes for the terminal: what differs from the one that it shows, encoded by ncurses.
struct PictureSender {
  private let frame: FrameBuffer
  private var cells: CellWriter
  private var margins: TerminalMargins
  private var shown: Canvas?
  private var links = LinkLayer()
  private var images = ImageLayer()
  private var cursor = TypingCursor()

  /// Created when ncurses has opened its screen, and has drawn nothing.
  init(_ frame: FrameBuffer, _ cells: CellWriter, _ margins: TerminalMargins) {
    (self.frame, self.cells, self.margins) = (frame, cells, margins)
  }

  /// Whether pictures of widgets are not completely on the screen.
  var isSendingImages: Bool { images.isUnfinished }

  /// The bytes that show a page; empty if nothing differs.
  ///
  /// - Parameters:
  ///   - page: The whole screen.
  ///   - areas: The areas that lead to a URL.
  ///   - drawn: The pictures of widgets that are drawn.
  ///   - isFrame: Whether it is a frame of an animation, which the terminal shows whole if it can.
  ///   - features: What the terminal can do.
  ///   - session: The terminal.
  /// - Returns: What is to be sent.
  mutating func bytes(
    _ page: Canvas,
    links areas: [PageLink],
    images drawn: DrawnImages,
    isFrame: Bool,
    _ features: inout TerminalFeatures,
    _ session: TerminalSession
  ) -> [UInt8] {
    let (theme, graphics) = (features.theme, features.graphics)
    let command = graphics.commandQuestion
    if !command.isEmpty { shown = nil }
    let canvas = images.canvas(page, drawn, graphics, theme, isFrame: isFrame)
    platform_terminal_guard_thread()
    let segments = CanvasDiff.segments(from: shown, to: canvas)
    let glyphBytes =
      features.isUTF8 ? UnknownGlyphs.bytes(on: canvas, drawn: segments, theme) : []
    let linkBytes =
      features.hasLinks ? links.bytes(areas, on: page, drawn: segments, theme) : []
    let imageBytes = images.bytes(page, drawn, drawn: segments, graphics, theme, isFrame: isFrame)
    guard !segments.isEmpty || !linkBytes.isEmpty || imageBytes != ([], []) else { return [] }
    let isWhole = (isFrame || !imageBytes.behind.isEmpty) && features.kind.showsFramesWhole
    var bytes = imageBytes.before + (isWhole ? Array("\u{1B}[?2026h".utf8) : [])
    let questions = features.questions(session)
    bytes += features.modes.beginning()
    if !command.isEmpty { bytes += clearing(behind: command) }
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
    cursor.follow(canvas, drawn: segments)
    if let place = cursor.place {
      cn_refresh_at(Int32(place.row), Int32(place.column))
    } else {
      cn_refresh()
    }
    bytes += margins.spare(frame.take()) + glyphBytes + linkBytes + imageBytes.behind
    if isWhole { bytes += Array("\u{1B}[?2026l".utf8) }
    // After the picture, which the terminal shows before it answers.
    return bytes + questions
  }

  /// An empty screen, and again behind a command that some terminals show as a text.
  ///
  /// The first picture follows, which has all cells.
  private mutating func clearing(behind command: [UInt8]) -> [UInt8] {
    cn_erase()
    cn_refresh()
    return margins.spare(frame.take()) + command + (TerminalCapability.bytes("clear") ?? [])
  }

  /// Draws with another theme: everything is sent with the next picture.
  mutating func themeDidChange() { cells.themeDidChange() }

  /// The terminal has another size, which ncurses knows.
  mutating func sizeDidChange() {
    shown = nil
    images.forgetCells()
  }

  /// Sends everything with the next picture, whatever the terminal shows now; returns what takes its
  /// pictures away, which it may have lost.
  mutating func forget() -> [UInt8] {
    shown = nil
    // The next refresh repaints the screen of ncurses, which may exceed the pipe: erase it first.
    if frame.cellLimit != .max { cn_erase() }
    cn_forget_screen()
    return images.farewell()
  }

  /// What is sent when the terminal is left, after the farewell of its features.
  mutating func farewell() -> [UInt8] {
    // Without an alternate screen, the picture would stay on the screen of the shell.
    if unsafe cn_capability("rmcup") == nil {
      cn_erase()
      cn_refresh()
    }
    endwin()
    return images.farewell() + margins.reset + TerminalCapability.erasingOtherScreen()
      + margins.spare(frame.take())
  }
}
