import WidgetKitCore

extension PaneView {
  /// Draws the view, and the buttons below it.
  mutating func picture(_ look: PaneLook) -> PanePicture {
    adopt(look)
    let gap = look.size.rows >= 8 ? 1 : 0
    var (picture, inside) = PanePicture.box(
      rows: max(1, shownRows) + gap + 1,
      title: title,
      remark: remark,
      keys: keys(look.frame),
      look
    )
    let area = Rect(
      origin: inside.origin,
      size: Size(columns: inside.size.columns, rows: max(0, inside.size.rows - 1 - gap))
    )
    let origin = Position(column: area.minColumn, row: area.minRow - firstRow)
    didDraw(at: origin)
    for run in body.runs { picture.canvas.put(run, offset: origin, in: area) }
    for target in targets {
      let place = target.frame.offset(columns: origin.column, rows: origin.row).intersection(area)
      guard !place.size.isEmpty else { continue }
      picture.targets.append(PanePicture.Target(area: place, action: .element(target)))
    }
    drawFocus(on: &picture.canvas, at: origin, in: area)
    drawMore(on: &picture.canvas, look)
    let last = Rect(
      column: inside.minColumn,
      row: max(inside.minRow, inside.maxRow - 1),
      columns: inside.size.columns,
      rows: min(1, inside.size.rows)
    )
    drawButtons(on: &picture, in: last, look)
    return picture
  }

  private func keys(_ frame: FrameGlyphs) -> [(SafeText, SafeText)] {
    let leave: (SafeText, SafeText) = ("esc", isPushed && !isPosting ? "back" : "cancel")
    if isPosting { return [leave] }
    var keys: [(SafeText, SafeText)] = []
    if !targets.isEmpty {
      keys = [(frame.name(of: .elements), "next"), (frame.name(of: .press), "press")]
    }
    if let postWord { keys.append(("^S", SafeText(postWord.string.lowercased()))) }
    return keys + [leave]
  }

  private func drawFocus(on canvas: inout Canvas, at origin: Position, in area: Rect) {
    guard !isPosting, let target = focusedTarget else { return }
    let frame = target.frame.offset(columns: origin.column, rows: origin.row)
    if case .field(let field) = target.role {
      canvas.restyle(frame.intersection(area)) { style in
        if style.background == nil { style.foreground = .accent }
      }
      let cell = Rect(origin: field.cursor, size: Size(columns: 1, rows: 1))
        .offset(columns: origin.column, rows: origin.row)
      canvas.restyle(cell.intersection(frame).intersection(area)) { style in
        style.attributes.formSymmetricDifference(.reverse)
      }
    } else {
      canvas.restyle(frame.intersection(area)) { style in
        style.attributes.formSymmetricDifference(.reverse)
        if style.background == nil { style.foreground = .accent }
      }
    }
  }

  /// Draws on the lower border how many rows are above and below those that are shown.
  private func drawMore(on canvas: inout Canvas, _ look: PaneLook) {
    let below = body.size.rows - firstRow - shownRows
    guard firstRow > 0 || below > 0, canvas.size.rows >= 4 else { return }
    let words = [(look.frame.above, firstRow), (look.frame.below, below)]
      .filter { $0.1 > 0 }.map { "\($0) \($1)" }
    let line = TextLine(SafeText(" \(words.joined(separator: "  ")) more "))
    let column = canvas.size.columns - 2 - line.width
    // The keys are at the left.
    guard column > canvas.size.columns / 2 else { return }
    let place = Position(column: column, row: canvas.size.rows - 1)
    canvas.write(line, style: CellStyle(foreground: .secondary), at: place, in: canvas.bounds)
  }

  private func drawButtons(on picture: inout PanePicture, in area: Rect, _ look: PaneLook) {
    var row = PaneButtons(note: note)
    if hasFailed { row.noteColor = .orange }
    let goesBack = isPushed && !isPosting
    row.buttons = [
      PaneButtons.Button(
        words: goesBack ? "Back" : "Cancel",
        action: goesBack ? .back : .cancel,
        hasFocus: focus == .cancel
      )
    ]
    if let postWord, !isPosting {
      var post = PaneButtons.Button(words: postWord, action: .post, hasFocus: focus == .post)
      post.isDefault = true
      row.buttons.append(post)
    }
    row.draw(on: &picture, in: area, look)
  }
}
