import FoundationEssentials
import WidgetHost
import WidgetKitCore

/// Draws one picture of the page after another, of each only the cards that differ from those before.
///
/// The pictures are those of ``TodayView/picture(of:)``; they share the rows that are the same.
nonisolated struct PagePainter: Sendable {
  /// What all cards of a picture depend on.
  private struct Ground: Equatable {
    var size: Size
    var page: PageLayout
    var scrollRow: Int
    var zoom: PageZoom?
    var problems: [SafeText]
    var glyphs: GlyphSet

    init(_ model: TodayModel) {
      (size, page, scrollRow, zoom) = (
        model.size, model.page, model.place.scrollRow, model.place.zoom
      )
      (problems, glyphs) = (model.content.problems, model.look.glyphs)
    }
  }

  /// A card on the screen.
  private struct Piece {
    /// Its place on the page.
    var index: Int
    var frame: Rect
    var view: CardView
    var focus: CardView.Focus
    var hits = HitMap()

    /// Whether it looks the same at another moment, with the same focus.
    func isSame(as other: CardView, _ focus: CardView.Focus) -> Bool {
      guard self.focus == focus, view.isHeadingCurrent(at: other.look.now) else { return false }
      var later = view
      later.look.now = other.look.now
      return later == other
    }
  }

  private var ground: Ground?
  private var pieces: [Piece] = []
  private var canvas = Canvas(size: .zero)
  /// When a card on the last picture looks different because time has passed: a date in it, or the age in its heading;
  /// nil if none does.
  private(set) var nextChange: Date?

  /// The whole screen, with what can be pressed on it.
  mutating func picture(of model: TodayModel) -> PagePicture {
    guard model.showsCardsAlone else {
      ground = nil
      let visible = model.visibleCards
      nextChange = model.content.cards.filter { visible.contains($0.id) }
        .compactMap { model.view(of: $0).nextChange }.min()
      return TodayView.picture(of: model)
    }
    let ground = Ground(model)
    var picture = PagePicture(canvas: canvas)
    if ground != self.ground || !hasSameCards(as: model) {
      self.ground = ground
      picture.canvas = Canvas(size: model.size)
      drawAll(model, on: &picture)
    } else {
      drawChanged(model, on: &picture)
    }
    for piece in pieces { picture.hits.add(piece.hits) }
    nextChange = pieces.compactMap(\.view.nextChange).min()
    drawEdges(model, on: &picture)
    canvas = picture.canvas
    return picture
  }

  private func hasSameCards(as model: TodayModel) -> Bool {
    pieces.allSatisfy { piece in
      model.content.cards.indices.contains(piece.index)
        && model.content.cards[piece.index].id == piece.view.card.id
    }
  }

  private mutating func drawAll(_ model: TodayModel, on picture: inout PagePicture) {
    pieces = []
    for (index, card) in model.content.cards.enumerated() {
      guard let frame = model.frameOnScreen(card.id),
        !frame.intersection(model.viewport).size.isEmpty
      else { continue }
      var piece = Piece(
        index: index,
        frame: frame,
        view: model.view(of: card),
        focus: TodayView.focus(of: card.id, model)
      )
      draw(&piece, model, on: &picture)
      pieces.append(piece)
    }
    TodayView.drawProblems(model, on: &picture.canvas)
  }

  private mutating func drawChanged(_ model: TodayModel, on picture: inout PagePicture) {
    for place in pieces.indices {
      let card = model.content.cards[pieces[place].index]
      let (view, focus) = (model.view(of: card), TodayView.focus(of: card.id, model))
      guard !pieces[place].isSame(as: view, focus) else { continue }
      (pieces[place].view, pieces[place].focus) = (view, focus)
      picture.canvas.fill(pieces[place].frame, style: .plain, in: model.viewport)
      draw(&pieces[place], model, on: &picture)
    }
  }

  private func draw(_ piece: inout Piece, _ model: TodayModel, on picture: inout PagePicture) {
    picture.hits = HitMap()
    piece.view
      .draw(on: &picture, frame: piece.frame, clip: model.viewport, focus: piece.focus)
    piece.hits = picture.hits
    picture.hits = HitMap()
  }

  /// Draws the first and the last line.
  private func drawEdges(_ model: TodayModel, on picture: inout PagePicture) {
    let (chrome, bounds) = (model.chrome, picture.canvas.bounds)
    var line = Rect(column: 0, row: 0, columns: bounds.size.columns, rows: 1)
    if chrome.showsHeader { picture.canvas.fill(line, style: .plain, in: bounds) }
    TodayView.drawChrome(model, on: &picture)
    guard chrome.showsFooter else { return }
    line.origin.row = bounds.maxRow - 1
    picture.canvas.fill(line, style: .plain, in: bounds)
    PageFooter.draw(model, on: &picture)
  }
}

nonisolated extension TodayModel {
  /// Whether nothing is drawn over the cards, of which there are some.
  fileprivate var showsCardsAlone: Bool {
    guard !content.cards.isEmpty, !size.isEmpty else { return false }
    return switch mode {
    case .page, .filter: true
    case .letters, .edit, .help, .inspector, .palette, .settings, .question, .cover: false
    }
  }
}

nonisolated extension CardView {
  /// Whether the age in the heading is the same at another moment.
  fileprivate func isHeadingCurrent(at date: Date) -> Bool {
    // A clock that was set back shows another age too.
    nextAge.map { date >= look.now && date < $0 } ?? true
  }

  /// When another age is in the heading; nil if there is none.
  private var nextAge: Date? {
    guard let age = card.ageDate, !card.isKeptCurrent || card.isOverdue else { return nil }
    return AgeWording.nextChange(of: age, after: look.now, countsSeconds: card.countsSeconds)
  }

  /// When it looks different because time has passed; nil if it will not.
  fileprivate var nextChange: Date? {
    // Ages change in whole seconds, so that one wake-up updates all of them and clocks.
    let age = nextAge.map {
      Date(timeIntervalSinceReferenceDate: $0.timeIntervalSinceReferenceDate.rounded(.up))
    }
    return [age, body?.from.nextChange, body?.to?.nextChange].compactMap(\.self).min()
  }
}
