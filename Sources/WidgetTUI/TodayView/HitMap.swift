import WidgetCards
import WidgetKitCore
import WidgetPlatform

/// What a press at a position is for.
nonisolated struct PageHit: Hashable, Sendable {
  enum Part: Hashable, Sendable {
    /// The card, without an element that can be pressed.
    case card
    /// A pressable element, as it is in the view that the card shows or is animated to.
    case target(PressTarget)
    /// The mark that removes a row of a list.
    case removal(PressTarget)
    /// The state in the heading of the card.
    case state
  }

  var card: CardID
  var part: Part
}

/// What a press beside the cards is for.
nonisolated enum ChromeHit: Hashable, Sendable {
  /// The tab of a page.
  case page(PageName)
  /// The number of notices that wait.
  case waitingNotices
  /// The number of new widgets.
  case newWidgets
  /// The number of problems.
  case problems
  /// What can be pressed in edit mode.
  case edit(PageEditing.Control)
}

/// What each cell of a picture can be pressed for, recorded while the cell is drawn.
///
/// It belongs to one picture: a press is looked up in the map of the picture that was on the screen,
/// not in the present page.
nonisolated struct HitMap: Hashable, Sendable {
  private struct Region: Hashable {
    var area: Rect
    var hit: PageHit?
    var isMoving: Bool
  }

  private var regions: [Region] = []
  private struct ChromeRegion: Hashable {
    var area: Rect
    var hit: ChromeHit
  }

  private var chrome: [ChromeRegion] = []
  /// Whether an element that can be pressed is moving.
  private(set) var hasMotion = false

  /// Records what an area is pressed for, in front of earlier areas; nil for nothing.
  mutating func add(_ hit: PageHit?, in area: Rect, isMoving: Bool = false) {
    guard !area.size.isEmpty else { return }
    regions.append(Region(area: area, hit: hit, isMoving: isMoving))
    if isMoving { hasMotion = true }
  }

  /// Records what an area beside the cards is pressed for.
  mutating func add(_ hit: ChromeHit, in area: Rect) {
    if !area.size.isEmpty { chrome.append(ChromeRegion(area: area, hit: hit)) }
  }

  /// Records what another map has recorded, in front of earlier areas.
  mutating func add(_ other: HitMap) {
    regions += other.regions
    chrome += other.chrome
    hasMotion = hasMotion || other.hasMotion
  }

  /// What a press at a position beside the cards is for.
  func chromeHit(_ position: Position) -> ChromeHit? {
    chrome.last { $0.area.contains(position) }?.hit
  }

  /// The area beside the cards that is pressed at a position.
  func chromeArea(_ position: Position) -> Rect? {
    chrome.last { $0.area.contains(position) }?.area
  }

  /// Everything that is pressed somewhere, with where; what is in front comes last.
  var areas: [(hit: PageHit, area: Rect)] {
    regions.compactMap { region in region.hit.map { ($0, region.area) } }
  }

  /// Where links are, the ones in front last.
  var links: [PageLink] {
    var links: [PageLink] = []
    for index in regions.indices {
      guard case .target(let target)? = regions[index].hit?.part, let url = target.link else {
        continue
      }
      links.append(PageLink(area: regions[index].area, url: url))
    }
    return links
  }

  /// What a press at a position of the screen is for; nil beside the cards.
  func hit(_ position: Position) -> PageHit? {
    regions.last { $0.area.contains(position) }?.hit
  }

  /// The moving element that is drawn at a position of the screen.
  func movingTarget(_ position: Position) -> PageHit? {
    guard hasMotion, let region = regions.last(where: { $0.area.contains(position) }),
      region.isMoving
    else { return nil }
    switch region.hit?.part {
    case .target, .removal: return region.hit
    case .card, .state, nil: return nil
    }
  }
}

/// What could be pressed on the last pictures on the screen.
///
/// A terminal shows a picture and sends a click some time later, over a network 100 ms or more. By
/// then a moving element is somewhere else, and another one may lie under the pointer.
nonisolated struct ShownHits: Sendable {
  /// What can be pressed on the picture on the screen.
  private(set) var newest = HitMap()
  /// Older pictures with moving elements, and when they were replaced.
  private var older: [(hits: HitMap, end: ContinuousClock.Instant)] = []

  /// How long after a picture was replaced a click can go to an element that moved on it.
  static let patience: Duration = .milliseconds(150)

  /// Records that another picture is on the screen.
  mutating func show(_ hits: HitMap, at now: ContinuousClock.Instant) {
    older.removeAll { $0.end.duration(to: now) > Self.patience }
    if newest.hasMotion { older.append((newest, now)) }
    newest = hits
  }

  /// What a click at a position beside the cards is for.
  func chromeHit(_ position: Position) -> ChromeHit? { newest.chromeHit(position) }

  /// What a click at a position of the screen is for.
  func hit(_ position: Position, at now: ContinuousClock.Instant) -> PageHit? {
    if let moving = newest.movingTarget(position) { return moving }
    for picture in older.reversed() where picture.end.duration(to: now) <= Self.patience {
      if let moving = picture.hits.movingTarget(position) { return moving }
    }
    return newest.hit(position)
  }
}

/// A picture of the page, and what can be pressed on it.
nonisolated struct PagePicture: Hashable, Sendable {
  var canvas: Canvas
  var hits = HitMap()
}
