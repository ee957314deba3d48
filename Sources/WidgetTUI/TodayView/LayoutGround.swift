import WidgetCards
import WidgetKitCore
import WidgetSessions

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
  case body(
    rows: Int,
    margins: Int,
    span: Int,
    leaving: Double?,
    isMoving: Bool,
    expansion: CardExpansion?
  )
  /// A card without a view, whose height is that of some words.
  case words(Card)
}

/// What decides whether a page expands a card by itself.
nonisolated struct CardExpansion: Equatable {
  /// The rows of its body; nil if they are not known.
  var rows: Int?
  /// Whether its widget can be asked for them.
  var canBeAsked: Bool
}

nonisolated extension Card {
  /// Whether the page may expand the card by itself, and how high it then is; nil if it may not.
  var expansion: CardExpansion? {
    guard offersExpanded, chosenMode == nil, leaving == nil, !isConcealed, !asksForPermission,
      !isEdited
    else { return nil }
    let isFaulty = state == .failed || state == .stopped
    return CardExpansion(rows: expandedRows, canBeAsked: bodySize.rows > 0 && !isFaulty)
  }

  func outline(_ body: CardBody?) -> CardOutline {
    guard let body else { return .words(self) }
    return .body(
      rows: body.size.rows,
      margins: marginInsets.rows,
      span: span,
      leaving: leaving,
      isMoving: body.to != nil && body.progress < 1,
      expansion: expansion
    )
  }
}
