import FoundationEssentials
import WidgetCards
import WidgetKitCore
import WidgetPlatform

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
    var zoomFrame: Rect?
    var problems: [SafeText]
    var glyphs: GlyphSet

    init(_ model: TodayModel) {
      (size, page, scrollRow, zoom) = (
        model.size, model.page, model.place.scrollRow, model.place.zoom
      )
      zoomFrame = model.place.zoom.map { _ in model.zoomFrame }
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

    /// When another age is in its heading, and when it looks different at all because time has passed.
    private(set) var nextAge: Date?
    private(set) var nextChange: Date?

    init(index: Int, frame: Rect, view: CardView, focus: CardView.Focus) {
      (self.index, self.frame, self.view, self.focus) = (index, frame, view, focus)
      noteTimes()
    }

    /// Takes over how the card is to be drawn, with its focus; returns whether it looks different.
    mutating func take(_ view: CardView, _ focus: CardView.Focus) -> Bool {
      let isSame =
        self.focus == focus && isHeadingCurrent(at: view.look.now)
        && self.view.isSame(as: view)
      guard !isSame else { return false }
      (self.view, self.focus) = (view, focus)
      noteTimes()
      return true
    }

    /// Whether the age in the heading is the same at another moment.
    private func isHeadingCurrent(at date: Date) -> Bool {
      // A clock that was set back shows another age too.
      nextAge.map { date >= view.look.now && date < $0 } ?? true
    }

    private mutating func noteTimes() {
      nextAge = view.nextAge
      nextChange = view.nextChange
    }
  }

  private var ground: Ground?
  private var pieces: [Piece] = []
  private var canvas = Canvas(size: .zero)
  /// What can be pressed on the cards.
  private var cardHits = HitMap()
  private var nextCardChange: Date?
  /// What the first line says, and what can be pressed on it.
  private var header: PageHeader?
  private var headerHits = HitMap()
  /// What the last line says.
  private var footer: PageFooter.Words?
  /// The cards of which a row is on the last picture.
  private(set) var visible: Set<CardID> = []
  /// When a card on the last picture looks different because time has passed: a date in it, or the age in its heading;
  /// nil if none does.
  private(set) var nextChange: Date?

  /// The whole screen, with what can be pressed on it.
  mutating func picture(of model: TodayModel) -> PagePicture {
    guard model.showsCardsAlone else {
      ground = nil
      visible = model.visibleCards
      nextChange = model.content.cards.filter { visible.contains($0.id) }
        .compactMap { model.view(of: $0).nextChange }.min()
      return TodayView.picture(of: model)
    }
    let ground = Ground(model)
    var picture = PagePicture(canvas: canvas)
    if ground != self.ground || !drawChanged(model, on: &picture) {
      self.ground = ground
      (header, footer, headerHits) = (nil, nil, HitMap())
      picture.canvas = Canvas(size: model.size)
      drawAll(model, on: &picture)
    }
    picture.hits = cardHits
    nextChange = nextCardChange
    drawEdges(model, on: &picture)
    canvas = picture.canvas
    return picture
  }

  private mutating func drawAll(_ model: TodayModel, on picture: inout PagePicture) {
    pieces = []
    for (index, card) in model.content.cards.enumerated() {
      guard let frame = model.frameOnScreen(card.id),
        !frame.intersection(model.viewport).size.isEmpty
      else { continue }
      pieces.append(
        Piece(
          index: index,
          frame: frame,
          view: model.view(of: card),
          focus: TodayView.focus(of: card.id, model)
        )
      )
      draw(pieces.count - 1, model, on: &picture)
    }
    visible = Set(pieces.map(\.view.card.id))
    TodayView.drawProblems(model, on: &picture.canvas)
    joinPieces()
  }

  /// Draws the cards that look different; returns false if the cards are not those of the last picture.
  private mutating func drawChanged(_ model: TodayModel, on picture: inout PagePicture) -> Bool {
    var isChanged = false
    // By their places, as a copy of each card costs more than the comparison.
    for place in pieces.indices {
      let index = pieces[place].index
      guard model.content.cards.indices.contains(index) else { return false }
      let card = model.content.cards[index]
      guard card.id == pieces[place].view.card.id else { return false }
      guard pieces[place].take(model.view(of: card), TodayView.focus(of: card.id, model)) else {
        continue
      }
      picture.canvas.fill(pieces[place].frame, style: .plain, in: model.viewport)
      draw(place, model, on: &picture)
      isChanged = true
    }
    if isChanged { joinPieces() }
    return true
  }

  /// Puts together what all cards have.
  private mutating func joinPieces() {
    cardHits = HitMap()
    nextCardChange = nil
    for place in pieces.indices {
      cardHits.add(pieces[place].hits)
      nextCardChange = [nextCardChange, pieces[place].nextChange].compactMap(\.self).min()
    }
  }

  private mutating func draw(_ place: Int, _ model: TodayModel, on picture: inout PagePicture) {
    let piece = pieces[place]
    picture.hits = HitMap()
    piece.view
      .draw(on: &picture, frame: piece.frame, clip: model.viewport, focus: piece.focus)
    pieces[place].hits = picture.hits
    picture.hits = HitMap()
  }

  /// Draws the first and the last line, if they say something else.
  private mutating func drawEdges(_ model: TodayModel, on picture: inout PagePicture) {
    let (chrome, bounds) = (model.chrome, picture.canvas.bounds)
    var line = Rect(column: 0, row: 0, columns: bounds.size.columns, rows: 1)
    if chrome.showsHeader {
      let present = TodayView.header(model)
      if header != present {
        header = present
        headerHits = HitMap()
        picture.canvas.fill(line, style: .plain, in: bounds)
        for (hit, area) in present.draw(on: &picture.canvas) { headerHits.add(hit, in: area) }
      }
      picture.hits.add(headerHits)
    }
    guard chrome.showsFooter else { return }
    let words = PageFooter.words(model, picture.hits)
    guard footer != words else { return }
    footer = words
    line.origin.row = bounds.maxRow - 1
    picture.canvas.fill(line, style: .plain, in: bounds)
    PageFooter.draw(words, on: &picture.canvas)
  }
}

nonisolated extension TodayModel {
  /// Whether nothing is drawn over the cards, of which there are some.
  fileprivate var showsCardsAlone: Bool {
    guard !content.cards.isEmpty, !size.isEmpty else { return false }
    return switch mode {
    case .page, .filter: true
    case .letters, .edit, .help, .inspector, .palette, .settings, .question, .pane, .cover: false
    }
  }
}

nonisolated extension CardView {
  /// Whether another card looks the same, apart from the age in the heading.
  fileprivate func isSame(as other: CardView) -> Bool {
    var otherLook = other.look
    otherLook.now = look.now
    return look == otherLook && scrollRow == other.scrollRow
      && changedNumbers == other.changedNumbers && isPulsing == other.isPulsing
      && card == other.card && body == other.body
  }

  /// When another age is in the heading; nil if there is none.
  fileprivate var nextAge: Date? {
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
