import WidgetKitCore

/// The last row of a pane: what is said at the left, and the buttons of the host at the right.
nonisolated struct PaneButtons: Sendable {
  /// A button.
  struct Button: Sendable {
    var words: SafeText
    var action: PaneAction
    var hasFocus: Bool
    /// Whether it is the one that goes on.
    var isDefault = false
    /// Whether a press on it does something.
    var isActive = true
  }

  /// The buttons from the left.
  var buttons: [Button] = []
  var note: SafeText?
  var noteColor = Color.secondary

  init(note: SafeText?) { self.note = note }

  /// Draws them in the row `area`.
  func draw(on picture: inout PanePicture, in area: Rect, _ look: PaneLook) {
    var column = area.maxColumn
    let room = area.size.columns
    let isWide = buttons.reduce(-2) { $0 + TextLine(button($1, isWide: true)).width + 2 } <= room
    for button in buttons.reversed() {
      let words = TextLine(self.button(button, isWide: isWide))
      column -= words.width
      let place = Rect(column: column, row: area.minRow, columns: words.width, rows: 1)
      let color: Color = !button.isActive ? .tertiary : button.isDefault ? .accent : .label
      var style = CellStyle(foreground: color)
      if button.hasFocus { style.attributes.insert(button.isActive ? .reverse : .underline) }
      picture.canvas.write(words, style: style, at: place.origin, in: picture.canvas.bounds)
      picture.targets.append(PanePicture.Target(area: place, action: button.action))
      column -= isWide ? 2 : 1
    }
    guard let note else { return }
    picture.canvas.write(
      TextLine(note).truncated(to: max(0, column - area.minColumn), glyphSet: look.glyphs),
      style: CellStyle(foreground: noteColor),
      at: area.origin,
      in: area
    )
  }

  private func button(_ button: Button, isWide: Bool) -> SafeText {
    SafeText(isWide ? "[ \(button.words) ]" : "[\(button.words)]")
  }
}

nonisolated extension Key {
  /// Whether it cancels what is being posted; Enter does not, as it may be a second one of what has posted it.
  var cancelsPost: Bool { self == .escape || self == .control("c") }
}
