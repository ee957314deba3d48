import WidgetKitCore
import WidgetPlatform

/// The pages by name, and where the user was on each of them.
nonisolated struct PageTabs: Hashable, Sendable {
  /// Where the user is on a page.
  struct Place: Hashable, Sendable {
    var focus: PageFocus?
    var scrollRow = 0
    /// Which card lies in which columns.
    var plan = PagePlan()
  }

  /// The names in order; there is at least one.
  private(set) var names: [PageName]
  /// The page that is shown.
  private(set) var shown: PageName
  /// Where the user was on the others.
  private var places: [PageName: Place] = [:]

  /// Creates the tab of one page.
  init(_ name: PageName = .home) {
    names = [name]
    shown = name
  }

  /// Whether there are several pages, so that they have tabs.
  var areSeveral: Bool { names.count > 1 }

  /// Takes over which pages there are.
  mutating func setNames(_ names: [PageName]) {
    guard names != self.names, !names.isEmpty else { return }
    self.names = names
    places = places.filter { names.contains($0.key) }
  }

  /// Goes to another page.
  ///
  /// - Parameters:
  ///   - name: The page.
  ///   - place: Where the user is on the page that was shown.
  /// - Returns: Where the user was on the other page.
  mutating func show(_ name: PageName, leaving place: Place) -> Place {
    places[shown] = place
    shown = name
    return places.removeValue(forKey: name) ?? Place()
  }

  /// The page of a number, from 1; nil if there is none.
  func page(numbered number: Int) -> PageName? {
    names.indices.contains(number - 1) ? names[number - 1] : nil
  }

  /// The page that is `step` pages after the shown one; after the last comes the first.
  func page(after step: Int) -> PageName? {
    guard let index = names.firstIndex(of: shown) else { return names.first }
    return names[(index + step % names.count + names.count) % names.count]
  }

  // MARK: - Drawing

  /// A tab as it is drawn.
  private struct Tab {
    var name: PageName
    var line: TextLine
  }

  /// Draws the tabs; those that are not shown lose their names, and then go, where there is no room.
  ///
  /// - Parameters:
  ///   - canvas: The screen.
  ///   - start: Where the first tab begins.
  ///   - room: How many columns the tabs have.
  /// - Returns: The column behind them, and where each of them is.
  func draw(
    on canvas: inout Canvas,
    at start: Position,
    room: Int
  ) -> (end: Int, areas: [(page: PageName, area: Rect)]) {
    let all = names.enumerated().map { tab($0 + 1, $1, hasName: true) }
    let short = names.enumerated().map { tab($0 + 1, $1, hasName: $1 == shown) }
    let choices = [all, short, short.filter { $0.name == shown }]
    let fitting = choices.first { $0.reduce(0) { $0 + $1.line.width } <= room } ?? choices[2]
    var place = start
    var areas: [(PageName, Rect)] = []
    let clip = Rect(
      column: start.column,
      row: start.row,
      columns: max(0, room),
      rows: 1
    )
    for tab in fitting {
      let isShown = tab.name == shown
      let style = CellStyle(
        foreground: isShown ? .accent : .secondary,
        attributes: isShown ? [.bold, .reverse] : []
      )
      let end = canvas.write(tab.line, style: style, at: place, in: clip)
      areas.append(
        (
          tab.name,
          Rect(column: place.column, row: place.row, columns: end - place.column, rows: 1)
            .intersection(clip)
        )
      )
      place.column = end
    }
    return (min(place.column, clip.maxColumn), areas)
  }

  private func tab(_ number: Int, _ name: PageName, hasName: Bool) -> Tab {
    let isNumbered = number < 10
    let words =
      !areSeveral || !isNumbered ? "\(name)" : hasName ? "\(number) \(name)" : "\(number)"
    return Tab(name: name, line: TextLine(SafeText(" \(words) ")))
  }
}
