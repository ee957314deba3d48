import Foundation
import Notices
import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetPlatform

@testable import WidgetTUI

/// A screen without a terminal: it keeps what is drawn, and gives the keys that a test types.
final class FakeScreen: Screen, ScreenEvents {
  private(set) var glyphs = GlyphSet.unicode
  private(set) var theme = Theme(depth: .none)
  private(set) var size: Size
  var onReady: () -> Void = {}
  var onTheme: () -> Void = {}
  var onFocus: (Bool) -> Void = { _ in }
  var imageLook: ImageLook? = .symbols(colors: 256, .unicode)
  var onImageLook: () -> Void = {}
  let isSendingImages = false
  var showsFramesWhole = false
  var mayLeave: (Key) -> Bool = { _ in false }
  var followsDrags = false
  private(set) var pictures: [Canvas] = []
  /// What was done with the terminal, in order.
  private(set) var calls: [String] = []
  var isReady = true {
    didSet { if isReady { onReady() } }
  }
  var isClosed = false
  /// The size that the terminal has got.
  private var newSize: Size?
  private var typed: [Key] = []

  var onInput: () -> Void = {}
  var onResize: () -> Void = {}
  var onWindowSignal: () -> Void = {}
  var onQuit: () -> Void = {}
  var onSuspend: () -> Void = {}
  var onContinue: () -> Void = {}
  var onScriptSignal: (Int) -> Void = { _ in }

  /// What was sent beside pictures.
  private(set) var sent: [[UInt8]] = []
  var identity = TerminalIdentity(environment: ["TERM": "xterm-kitty"])

  init(_ size: Size) {
    self.size = size
  }

  func send(_ bytes: [UInt8]) -> Bool {
    sent.append(bytes)
    return true
  }

  /// The rows of the last picture.
  var rows: [String] {
    guard let canvas = pictures.last else { return [] }
    return (0..<canvas.size.rows).map { canvas.row($0).map(\.glyph.text).joined() }
  }

  func shows(_ words: String) -> Bool { rows.contains { $0.contains(words) } }

  /// Where words begin; nil if they are not shown.
  func place(of words: String) -> Position? {
    for (row, text) in rows.enumerated() {
      if let range = text.range(of: words) {
        return Position(
          column: text.distance(from: text.startIndex, to: range.lowerBound),
          row: row
        )
      }
    }
    return nil
  }

  // MARK: - What a person does

  func type(_ keys: Key...) {
    typed += keys
    onInput()
  }

  func resize(to size: Size) {
    newSize = size
    onResize()
  }

  // MARK: - What the dashboard does

  func adopt(_ settings: ScreenSettings) {
    glyphs = settings.glyphs(onTerminal: .unicode)
    theme.definition = settings.theme(onTerminal: true)
  }

  var hasAnotherSize: Bool { newSize != nil }

  func followSize() {
    size = newSize ?? size
    newSize = nil
  }

  func draw(_ canvas: Canvas, links: [PageLink], images: DrawnImages, isFrame: Bool) {
    pictures.append(canvas.withSymbols(of: images))
  }

  func forget() {
    calls.append("forget")
  }

  /// What was copied last.
  private(set) var copied: String?

  /// How often the bell was rung.
  private(set) var bells = 0

  func ring() { bells += 1 }

  func copy(_ text: String) -> Bool {
    copied = text
    return true
  }

  var keyDeadline: ContinuousClock.Instant?

  func keys() -> [Key] {
    defer { typed = [] }
    return typed
  }

  func release(on clock: any HostClock, then completion: @escaping () -> Void) {
    calls.append("release")
    completion()
  }

  func release() {
    calls.append("release")
  }

  func reclaim() {
    calls.append("reclaim")
    followSize()
  }

  func start() {}

  func setReading(_ isReading: Bool) {
    calls.append(isReading ? "read" : "pause")
  }

  func stopReading() {
    calls.append("stop reading")
  }

  func stopProgram() {
    calls.append("stop program")
  }

  /// What the program finds out when it goes on.
  var possession = TerminalPossession.ours

  func awaitTerminal() -> TerminalPossession { possession }
}
