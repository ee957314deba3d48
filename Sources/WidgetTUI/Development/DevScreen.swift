import Notices
import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// The screen of `today dev`: a part of a terminal that has the page, and a ``DevPanel`` in the rest.
///
/// A class because the dashboard and the keys of the panel share it.
final class DevScreen: Screen {
  private let base: any Screen
  /// What is beside the page.
  var panel = DevPanel() {
    didSet { if panel.width != oldValue.width { hasOtherWidth = true } }
  }
  /// Performs the key of the panel that was typed.
  var onKey: (Character) -> Void = { _ in }
  private var hasOtherWidth = false

  /// The narrowest panel that is beside the page; below it, the panel is under the page.
  private static let sideColumns = 34

  init(_ base: any Screen) {
    self.base = base
  }

  var identity: TerminalIdentity { base.identity }
  var showsFramesWhole: Bool { base.showsFramesWhole }
  func send(_ bytes: [UInt8]) -> Bool { base.send(bytes) }

  // MARK: - Areas

  private var isBeside: Bool {
    guard let width = panel.width else { return false }
    return base.size.columns - min(width, base.size.columns) >= Self.sideColumns
  }

  /// The part of the page.
  var size: Size {
    let all = base.size
    let columns = min(panel.width ?? all.columns, all.columns)
    return Size(columns: columns, rows: isBeside ? all.rows : max(1, all.rows * 3 / 5))
  }

  private var panelArea: Rect {
    let (all, page) = (base.size, size)
    return isBeside
      ? Rect(
        origin: Position(column: page.columns + 2, row: 0),
        size: Size(columns: all.columns - page.columns - 2, rows: all.rows)
      )
      : Rect(
        origin: Position(column: 1, row: page.rows + 1),
        size: Size(columns: max(0, all.columns - 2), rows: max(0, all.rows - page.rows - 1))
      )
  }

  // MARK: - Drawing

  func draw(_ canvas: Canvas, links: [PageLink], images: DrawnImages, isFrame: Bool) {
    var whole = Canvas(size: base.size)
    for row in 0..<min(canvas.size.rows, whole.size.rows) {
      let cells = Array(canvas.row(row))
      whole.put(
        CellRun(position: Position(column: 0, row: row), cells: cells, element: nil),
        in: whole.bounds
      )
    }
    panel.draw(in: panelArea, on: &whole, glyphs: base.glyphs)
    base.draw(whole, links: links, images: images, isFrame: isFrame)
  }

  // MARK: - Keys

  var keyDeadline: ContinuousClock.Instant? { base.keyDeadline }

  func keys() -> [Key] {
    base.keys().filter { key in
      guard panel.isChoosing else {
        if key == .control("d") { panel.isChoosing = true }
        return key != .control("d")
      }
      if case .mouse = key { return true }
      panel.isChoosing = false
      if case .character(let scalar) = key { onKey(Character(scalar)) }
      return false
    }
  }

  // MARK: - The terminal

  var glyphs: GlyphSet { base.glyphs }
  var theme: Theme { base.theme }
  var imageLook: ImageLook? { base.imageLook }
  var onImageLook: () -> Void {
    get { base.onImageLook }
    set { base.onImageLook = newValue }
  }
  var onTheme: () -> Void {
    get { base.onTheme }
    set { base.onTheme = newValue }
  }
  var onFocus: (Bool) -> Void {
    get { base.onFocus }
    set { base.onFocus = newValue }
  }
  var onReady: () -> Void {
    get { base.onReady }
    set { base.onReady = newValue }
  }
  var hasAnotherSize: Bool { hasOtherWidth || base.hasAnotherSize }
  func followSize() {
    hasOtherWidth = false
    base.followSize()
  }
  func adopt(_ settings: ScreenSettings) { base.adopt(settings) }
  var isReady: Bool { base.isReady }
  var mayLeave: (Key) -> Bool {
    get { base.mayLeave }
    set { base.mayLeave = newValue }
  }
  var isSendingImages: Bool { base.isSendingImages }
  func forget() { base.forget() }
  func copy(_ text: String) -> Bool { base.copy(text) }
  func ring() { base.ring() }
  var followsDrags: Bool {
    get { base.followsDrags }
    set { base.followsDrags = newValue }
  }
  var isClosed: Bool { base.isClosed }
  func release(on clock: any HostClock, then completion: @escaping () -> Void) {
    base.release(on: clock, then: completion)
  }
  func release() { base.release() }
  func reclaim() { base.reclaim() }
}
