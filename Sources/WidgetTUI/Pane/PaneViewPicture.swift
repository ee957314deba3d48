import WidgetKitCore

/// Draws a view on the pane, and the buttons below it.
struct PaneViewPicture {
  /// Where the view begins, which may be above what is shown of it.
  let origin: Position
  private(set) var picture: PanePicture

  private let view: PaneView
  private let look: PaneLook
  /// What is shown of the view.
  private let area: Rect

  init(_ view: PaneView, _ look: PaneLook) {
    (self.view, self.look) = (view, look)
    let gap = look.size.rows >= 8 ? 1 : 0
    let inside: Rect
    (picture, inside) = PanePicture.box(
      rows: max(1, view.shownRows) + gap + 1,
      title: view.title,
      remark: view.remark,
      keys: Self.keys(of: view, look.frame),
      look
    )
    area = Rect(
      origin: inside.origin,
      size: Size(columns: inside.size.columns, rows: max(0, inside.size.rows - 1 - gap))
    )
    origin = Position(column: area.minColumn, row: area.minRow - view.firstRow)
    for run in view.body.runs { picture.canvas.put(run, offset: origin, in: area) }
    for target in view.targets {
      let place = target.frame.offset(columns: origin.column, rows: origin.row).intersection(area)
      guard !place.size.isEmpty else { continue }
      picture.targets.append(PanePicture.Target(area: place, action: .element(target)))
    }
    drawFocus()
    drawMore()
    drawButtons(
      in: Rect(
        column: inside.minColumn,
        row: max(inside.minRow, inside.maxRow - 1),
        columns: inside.size.columns,
        rows: min(1, inside.size.rows)
      )
    )
  }

  private static func keys(of view: PaneView, _ frame: FrameGlyphs) -> [(SafeText, SafeText)] {
    let leave: (SafeText, SafeText) = ("esc", view.isPushed && !view.isPosting ? "back" : "cancel")
    if view.isPosting { return [leave] }
    var keys: [(SafeText, SafeText)] = []
    if !view.targets.isEmpty {
      keys = [(frame.name(of: .elements), "next"), (frame.name(of: .press), "press")]
    }
    if let postWord = view.postWord { keys.append(("^S", SafeText(postWord.string.lowercased()))) }
    return keys + [leave]
  }

  private mutating func drawFocus() {
    guard !view.isPosting, let target = view.focusedTarget else { return }
    let frame = target.frame.offset(columns: origin.column, rows: origin.row)
    if case .field(let field) = target.role {
      picture.canvas.restyle(frame.intersection(area)) { style in
        if style.background == nil { style.foreground = .accent }
      }
      let cell = Rect(origin: field.cursor, size: Size(columns: 1, rows: 1))
        .offset(columns: origin.column, rows: origin.row)
      picture.canvas.restyle(cell.intersection(frame).intersection(area)) { style in
        style.attributes.formSymmetricDifference(.reverse)
        style.attributes.insert(.cursor)
      }
    } else {
      picture.canvas.restyle(frame.intersection(area)) { style in
        style.attributes.formSymmetricDifference(.reverse)
        if style.background == nil { style.foreground = .accent }
      }
    }
  }

  /// Draws on the lower border how many rows are above and below those that are shown.
  private mutating func drawMore() {
    let canvas = picture.canvas.bounds
    let below = view.body.size.rows - view.firstRow - view.shownRows
    guard view.firstRow > 0 || below > 0, canvas.size.rows >= 4 else { return }
    let words = [(look.frame.above, view.firstRow), (look.frame.below, below)]
      .filter { $0.1 > 0 }.map { "\($0) \($1)" }
    let line = TextLine(SafeText(" \(words.joined(separator: "  ")) more "))
    let column = canvas.size.columns - 2 - line.width
    // The keys are at the left.
    guard column > canvas.size.columns / 2 else { return }
    let place = Position(column: column, row: canvas.size.rows - 1)
    let style = CellStyle(foreground: .secondary)
    picture.canvas.write(line, style: style, at: place, in: canvas)
  }

  private mutating func drawButtons(in area: Rect) {
    var row = PaneButtons(note: view.note)
    if view.hasFailed { row.noteColor = .orange }
    let goesBack = view.isPushed && !view.isPosting
    row.buttons = [
      PaneButtons.Button(
        words: goesBack ? "Back" : "Cancel",
        action: goesBack ? .back : .cancel,
        hasFocus: view.focus == .cancel && !view.isPosting
      )
    ]
    if let postWord = view.postWord, !view.isPosting {
      var post = PaneButtons.Button(words: postWord, action: .post, hasFocus: view.focus == .post)
      post.isDefault = true
      row.buttons.append(post)
    }
    row.draw(on: &picture, in: area, look)
  }
}
