import WidgetCards
import WidgetKitCore

/// What the layout of a page depends on besides its cards.
nonisolated struct LayoutGround: Equatable, Sendable {
  var size: Size
  var columns: ColumnRule
  var filter: PageFilter?
  var zoomed: CardID?
  var problems: [SafeText]
  var glyphs: GlyphSet
  var retryKey: SafeText?

  init(_ model: TodayModel) {
    (size, columns, filter) = (model.size, model.columns, model.place.filter)
    (zoomed, problems) = (model.place.zoom?.card, model.content.problems)
    (glyphs, retryKey) = (model.look.glyphs, model.look.retryKey)
  }
}

/// What the layout of a page depends on of one card.
nonisolated enum CardOutline: Equatable {
  case body(rows: Int, margins: Int, span: Int, leaving: Double?, isMoving: Bool)
  /// A card without a view, whose height is that of some words.
  case words(Card)
}

nonisolated extension Card {
  func outline(_ body: CardBody?) -> CardOutline {
    guard let body else { return .words(self) }
    return .body(
      rows: body.size.rows,
      margins: marginInsets.rows,
      span: span,
      leaving: leaving,
      isMoving: body.to != nil && body.progress < 1
    )
  }
}
