import FoundationEssentials
import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetSessions

@testable import WidgetTUI

/// Made-up cards in every state, laid out by hand.
nonisolated enum SamplePage {
  /// Friday 20 November 2026, 12:00 GMT.
  static let now = Date(timeIntervalSince1970: 1_795_176_000)

  /// A page: its cards, and the bodies of those that have a view.
  struct Page {
    var cards: [Card] = []
    var bodies: [CardID: CardBody] = [:]

    mutating func add(_ card: Card, _ body: CardBody?) {
      cards.append(card)
      bodies[card.id] = body
    }
  }

  /// A run of cells in one style.
  static func run(
    _ text: SafeText,
    column: Int = 0,
    row: Int,
    style: CellStyle = .plain,
    element: Int? = nil
  ) -> CellRun {
    let cells = Glyph.glyphs(of: text.string).flatMap { glyph -> [Cell] in
      let cell = Cell(glyph: glyph, style: style)
      return glyph.width == 2 ? [cell, Cell(glyph: .continuation, style: style)] : [cell]
    }
    return CellRun(position: Position(column: column, row: row), cells: cells, element: element)
  }

  /// Elements of one line of text each, called `rowN`, at a width.
  static func list(_ lines: [SafeText], width: Int, ids: [String]? = nil) -> LaidOutView {
    LaidOutView(
      size: Size(columns: width, rows: lines.count),
      runs: lines.enumerated().map { run($1, row: $0, element: $0) },
      elements: lines.indices.map { row in
        LaidOutElement(
          id: ids?[row] ?? "row\(row)",
          frame: Rect(column: 0, row: row, columns: width, rows: 1),
          parent: nil,
          transition: .opacity
        )
      }
    )
  }

  static func card(_ name: SafeText, _ state: CardStatus, age: Double? = nil) -> Card {
    var card = Card(id: CardID("com.example.\(name)"), name: name)
    card.state = state
    card.contentDate = age.map { now.addingTimeInterval(-$0) }
    if age != nil { card.view = ViewNode(.divider) }
    return card
  }

  /// A page of six cards of given widths between their borders.
  static func page(_ widths: CardWidths) -> Page {
    func bodyWidth(_ name: String) -> Int { max(0, widths[CardID("com.example.\(name)")] - 2) }
    var page = Page()
    page.add(card("Clock", .live, age: 0), CardBody(clock(bodyWidth("Clock"))))
    page.add(card("System", .live, age: 4), CardBody(system(bodyWidth("System"))))

    var clowns = card("ClownTown", .snapshot, age: 250)
    clowns.offersExpanded = true
    page.add(clowns, CardBody(posts(bodyWidth("ClownTown"))))

    var builds = card("Builds", .failed, age: 725)
    builds.message = "no answer for 30 s"
    page.add(builds, CardBody(list(["main   passed  3 min 20 s"], width: bodyWidth("Builds"))))

    page.add(card("Calendar", .starting), nil)

    var broken = card("Weather in a town with a long name", .stopped)
    broken.message = "stopped after 5 failures"
    page.add(broken, nil)
    return page
  }

  private static func clock(_ width: Int) -> LaidOutView {
    LaidOutView(
      size: Size(columns: width, rows: 2),
      runs: [
        run("14:32:07", row: 0, style: CellStyle(attributes: .bold)),
        run("Copenhagen", column: 10, row: 0),
        run("22:32:07", row: 1, style: CellStyle(attributes: .bold)),
        run("東京 Tokyo", column: 10, row: 1),
        run("+8 h", column: max(0, width - 4), row: 1, style: CellStyle(foreground: .secondary)),
      ]
    )
  }

  private static func system(_ width: Int) -> LaidOutView {
    LaidOutView(
      size: Size(columns: width, rows: 4),
      runs: [
        run("CPU", row: 0, style: CellStyle(foreground: .secondary)),
        run("▁▂▃▅▂▁▂▇▅▃▂▁▂▂▃▅", column: 7, row: 0, style: CellStyle(foreground: .green)),
        run("23 %", column: max(0, width - 4), row: 0),
        run("Memory", row: 1, style: CellStyle(foreground: .secondary)),
        run("███████▌", column: 7, row: 1, style: CellStyle(foreground: .blue)),
        run("░░░░░░░░", column: 15, row: 1, style: CellStyle(foreground: .separator)),
        run("7.1 GB", column: max(0, width - 6), row: 1),
        run("Load", row: 2, style: CellStyle(foreground: .secondary)),
        run("⡀⣀⣠⣴⣶⣾⣿⣷⣄⡀", column: 7, row: 2, style: CellStyle(foreground: .orange)),
        run("0.42", column: max(0, width - 4), row: 2),
        run("eth0", row: 3, style: CellStyle(foreground: .secondary)),
        run("↓ 1.2 MB/s  ↑ 40 kB/s", column: 7, row: 3),
      ]
    )
  }

  static func posts(_ width: Int) -> LaidOutView {
    var view = list(
      ["● Corbin  Multicoloured suspenders, free!", "● Ida     Three weddings this weekend"],
      width: width,
      ids: ["post1", "post2"]
    )
    view.size.rows = 3
    view.runs.append(run("[ More ]", column: max(0, width - 8), row: 2, element: 2))
    let frame = Rect(column: max(0, width - 8), row: 2, columns: 8, rows: 1)
    view.elements.append(
      LaidOutElement(id: "more", frame: frame, parent: nil, transition: .opacity)
    )
    view.targets = [
      PressTarget(
        frame: Rect(column: 0, row: 0, columns: width, rows: 1),
        elementID: "post1",
        action: nil,
        link: "clowntown://post/1",
        newValue: nil,
        label: "Corbin"
      ),
      PressTarget(
        frame: frame,
        elementID: "more",
        action: "more",
        link: nil,
        newValue: nil,
        label: "More"
      ),
    ]
    return view
  }

  /// The dashboard's model with this page on a screen of `size`.
  static func model(_ size: Size, look: PageLook = PageLook(now: now)) -> TodayModel {
    var model = TodayModel(size: size, look: look)
    model.content.dayWords = "Friday 20 November"
    // The first round finds the columns, the second one the widths in them.
    for _ in 0..<3 {
      let page = page(model.widths)
      model.content.cards = page.cards
      model.content.bodies = page.bodies
      model.relayout()
    }
    return model
  }
}
