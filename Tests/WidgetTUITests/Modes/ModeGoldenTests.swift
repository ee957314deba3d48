import Testing
import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform

@testable import WidgetTUI

/// The picture of each mode, in the colours for dark and for light backgrounds.
@Suite struct ModeGoldenTests {
  nonisolated enum Sample: String, CaseIterable, Sendable {
    case filter, palette, letters, help, cover, locked, settings, edit, gallery
    case question, tabs, drag, row, editKeys
  }

  nonisolated private static let sizes = [
    Size(columns: 40, rows: 30), Size(columns: 80, rows: 24), Size(columns: 120, rows: 24),
    Size(columns: 200, rows: 40),
  ]

  /// A list whose first row is dragged below the second one.
  private func rowModel(_ size: Size) throws -> TodayModel {
    var model = try WidgetEditingTests.listModel(["milk", "bread", "salt"], size)
    let card = model.content.cards[0]
    guard let row = model.targets(of: card.id).first else { return model }
    let origin = model.view(of: card).bodyOrigin(in: model.frameOnScreen(card.id) ?? .zero)
    var editing = PageEditing()
    editing.drag = PageDrag(
      card: card.id,
      row: row,
      grip: Position(column: 1, row: 0),
      pointer: origin
    )
    editing.drag?.move(to: Position(column: origin.column + 3, row: origin.row + 1))
    model.mode = .edit(editing)
    return model
  }

  private func model(_ sample: Sample, _ size: Size) throws -> TodayModel {
    if sample == .row { return try rowModel(size) }
    var model = SamplePage.model(size)
    switch sample {
    case .row: break
    case .editKeys: model.mode = .help(TodayModel.KeyList(below: .edit(PageEditing())))
    case .filter:
      let entry = LineEditor("m")
      model.mode = .filter(entry)
      model.place.filter = PageFilter(entry.text)
      model.take(model.content.cards.map { ($0, model.content.bodies[$0.id]) })
      model.relayout()
    case .palette:
      let items = [
        Palette.Item(title: "Refresh all cards", detail: "R", action: .perform("refreshAll")),
        Palette.Item(title: "Quit", detail: "q  Ctrl-C", action: .perform(.quit)),
        Palette.Item(
          title: "Theme: Dark",
          detail: "in use, dark",
          action: .theme(id: "dark", .standard(isDark: true))
        ),
      ]
      let note: SafeText = "config.json sets the theme “dark”, which takes precedence."
      var palette = Palette(items, themeNote: note)
      _ = palette.take(.up)
      model.mode = .palette(palette)
    case .letters:
      let hits = TodayView.picture(of: model).hits.pressable { _ in true }
      model.mode = .letters(PressLetters(hits))
    case .help: model.mode = .help(TodayModel.KeyList())
    case .cover: model.mode = .cover
    case .locked:
      model.content.isLocked = true
      model.take(model.content.cards.map { ($0.concealed, nil) })
      model.layOut()
    case .question:
      let question = URLQuestion(
        name: "Team",
        scheme: "slack",
        host: "general",
        handler: "com.example.Chat"
      )
      model.mode = .question(QuestionBox(.url(question)))
    case .settings: model.mode = .settings(SampleSettings.form(typing: "Asia/Tokyo\nEurope/Paris"))
    case .edit:
      model.content.cards[0].allowsEditing = true
      model.content.cards[1].isEdited = true
      var editing = PageEditing()
      editing.canUndo = true
      model.mode = .edit(editing)
    case .tabs:
      model.tabs.setNames(["Home", "Work", "Trips abroad"].compactMap { PageName(rawValue: $0) })
    case .drag:
      var editing = PageEditing()
      let frame = model.frameOnScreen(model.content.cards[0].id) ?? .zero
      let target = model.frameOnScreen(model.content.cards[1].id) ?? .zero
      var drag = PageDrag(
        card: model.content.cards[0].id,
        grip: Position(column: 3, row: 0),
        pointer: Position(column: frame.minColumn + 3, row: frame.minRow)
      )
      drag.move(to: Position(column: target.minColumn + 8, row: target.minRow + 2))
      editing.drag = drag
      model.mode = .edit(editing)
    case .gallery:
      var editing = PageEditing()
      var gallery = WidgetGallery()
      gallery.take(WidgetGalleryTests.choices)
      if let card = model.content.cards.first {
        var card = card
        card.id = WidgetGalleryTests.choices[0].id
        gallery.preview = (card, model.content.bodies[model.content.cards[0].id])
      }
      editing.gallery = gallery
      model.mode = .edit(editing)
    }
    return model
  }

  @Test(arguments: Sample.allCases, sizes)
  func `every mode looks as recorded, in dark and light`(sample: Sample, size: Size) throws {
    let canvas = TodayView.draw(try model(sample, size))
    #expect(canvas.size == size)
    for isDark in [true, false] {
      let writer = ANSIWriter(theme: Theme(depth: .full, isDark: isDark))
      let name = "Mode.\(sample.rawValue).\(isDark ? "dark" : "light").\(size.columns)x\(size.rows)"
      Golden.expect(writer.text(canvas), matches: "\(name).ansi")
    }
  }

  @Test(arguments: [
    Size(columns: 0, rows: 0), Size(columns: 1, rows: 1), Size(columns: 3, rows: 2),
    Size(columns: 14, rows: 6), Size(columns: 400, rows: 1), Size(columns: 5, rows: 100),
  ])
  func `every mode can be drawn at every size`(size: Size) throws {
    for sample in Sample.allCases {
      #expect(TodayView.draw(try model(sample, size)).size == size)
    }
  }
}
