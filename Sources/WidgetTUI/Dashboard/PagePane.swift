import WidgetKitCore

/// A pane over the page, at the row that has the focus, while the page itself goes on.
///
/// A class because the dashboard and what is asked share it.
final class PagePane: PaneSurface {
  var onKey: (Key) -> Void = { _ in }
  var onDraw: (PaneLook) -> PanePicture = { _ in PanePicture(canvas: Canvas(size: .zero)) }
  var onInterruption: () -> Void = {}
  var fillsScreen = false { didSet { if fillsScreen != oldValue { draw() } } }

  private unowned let owner: any DashboardKeysOwner
  private var picture = PanePicture(canvas: Canvas(size: .zero))
  private var isOver = false

  init(owner: any DashboardKeysOwner) {
    self.owner = owner
    owner.model.mode = .pane(PlacedPane())
  }

  var look: PaneLook {
    let model = owner.model
    let rows = fillsScreen ? model.size.rows : PlacedPane.room(on: model).size.rows
    return PaneLook(
      glyphs: model.look.glyphs,
      size: Size(columns: model.size.columns, rows: rows),
      fillsScreen: fillsScreen
    )
  }

  func open() {}

  /// Another picture may follow; until then it stays, and has the keys.
  func close() {}

  func draw() {
    guard !isOver, case .pane = owner.model.mode else { return }
    picture = onDraw(look)
    owner.model.mode = .pane(PlacedPane(canvas: picture.canvas, fillsScreen: fillsScreen))
    owner.showModel()
  }

  /// Takes the pane off the page.
  func end() {
    isOver = true
    guard case .pane = owner.model.mode else { return }
    owner.model.mode = .page
    owner.showModel()
  }

  // MARK: - Keys

  /// Takes a key; the places of the mouse are those of the screen.
  func take(_ key: Key) {
    guard case .mouse(var event) = key else { return onKey(key) }
    guard case .pane(let placed) = owner.model.mode else { return }
    let area = placed.area(on: owner.model)
    guard area.contains(event.position) else { return }
    event.column -= area.minColumn
    event.row -= area.minRow
    onKey(.mouse(event))
  }

  func action(at event: MouseEvent) -> PaneAction? {
    event.action == .press ? picture.action(at: event.position) : nil
  }
}
