import FoundationEssentials
import Testing
import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetSessions

@testable import WidgetTUI

/// Marks, keys and drags in edit mode.
@Suite struct WidgetEditingTests {
  private func model(
    columns: Int = 80,
    rows: Int = 30,
    allows: Bool = true,
    isEdited: Bool = false
  ) -> TodayModel {
    var model = SamplePage.model(Size(columns: columns, rows: rows))
    model.content.cards[0].allowsEditing = allows
    model.content.cards[0].isEdited = isEdited
    model.mode = .edit(PageEditing())
    model.place.focus = PageFocus(card: model.content.cards[0].id)
    return model
  }

  private func rows(_ model: TodayModel) -> [String] {
    TextWriter.text(TodayView.draw(model)).split(separator: "\n").map(String.init)
  }

  private func heading(_ model: TodayModel) -> String {
    rows(model).first { $0.contains("Clock") } ?? ""
  }

  /// What a press on some words in the first row below the header that has them is for.
  private func control(_ words: String, _ model: TodayModel) throws -> ChromeHit? {
    let picture = TodayView.picture(of: model)
    for row in 1..<picture.canvas.size.rows {
      let line = picture.canvas.row(row).map(\.glyph.text).joined()
      guard let place = line.firstRange(of: words)?.lowerBound else { continue }
      let column = line.distance(from: line.startIndex, to: place)
      return picture.hits.chromeHit(Position(column: column + 1, row: row))
    }
    return nil
  }

  @Test func `a card whose widget can be edited has a mark, which becomes Done`() throws {
    #expect(!heading(model(allows: false)).contains("Edit"))
    let card = model().content.cards[0].id
    #expect(heading(model()).contains(" Edit ") && heading(model()).contains("✕"))
    #expect(try control(" Edit ", model()) == .edit(.widget(card)))
    let edited = model(columns: 40, isEdited: true)
    #expect(heading(edited).contains(" Done ") && !heading(edited).contains("✕"))
    #expect(try control(" Done ", edited) == .edit(.widgetDone))
    // Outside of edit mode there is none.
    var page = model()
    page.mode = .page
    #expect(!heading(page).contains("Edit"))
  }

  @Test(arguments: [40, 24, 18, 16])
  func `the marks give way to the name where there is no room`(columns: Int) {
    let line = heading(model(columns: columns))
    #expect(line.contains("✕") && line.contains("Edit") == (columns > 16))
    #expect(line.contains("Clock"))
  }

  @Test(arguments: [40, 60, 80, 120])
  func `the footer always says how the mode is left, and the first line cuts no word`(columns: Int)
  {
    for model in [model(columns: columns), model(columns: columns, isEdited: true)] {
      let lines = rows(model)
      #expect(lines.last?.contains("Esc done") == true, "\(lines.last ?? "")")
      let header = lines.first ?? ""
      #expect(header.contains("[ + Add ]") && header.contains("[ Done ]"))
      let day = "Friday 20 November"
      #expect(header.contains(day) || !header.contains("Fri"), "\(header)")
    }
  }

  @Test func `the footer has the keys of the widget that is edited`() {
    var model = model(isEdited: true)
    model.content.cards[0].addsRows = true
    #expect(rows(model).last?.contains("+ add") == true)
    #expect(rows(model).last?.contains("done with Clock") == true)
    model.content.cards[0].isEdited = false
    #expect(rows(model).last?.contains("edit its contents") == true)
  }

  // MARK: - Drags

  private func drag(_ model: inout TodayModel, card: Int, to other: Int) throws {
    let start = try #require(model.frameOnScreen(model.content.cards[card].id))
    let end = try #require(model.frameOnScreen(model.content.cards[other].id))
    var editing = PageEditing()
    var drag = PageDrag(
      card: model.content.cards[card].id,
      grip: Position(column: 2, row: 0),
      pointer: Position(column: start.minColumn + 2, row: start.minRow)
    )
    drag.move(to: Position(column: end.minColumn + 3, row: end.minRow + 1))
    editing.drag = drag
    model.mode = .edit(editing)
  }

  @Test(arguments: [(0, 1, true), (1, 0, false)])
  func `a dragged card is drawn at the pointer, with a line where it lands`(
    card: Int,
    other: Int,
    isAfter: Bool
  ) throws {
    var model = model(columns: 40)
    try drag(&model, card: card, to: other)
    let picture = TodayView.picture(of: model)
    let landing = try #require(model.editing?.drag).landing(in: model, picture.hits)
    #expect(landing == .card(model.content.cards[other].id, isAfter: isAfter))
    let frame = try #require(model.frameOnScreen(model.content.cards[other].id))
    let lines = rows(model)
    let edge = isAfter ? frame.maxRow - 1 : frame.minRow
    #expect(lines[edge].contains("══ here ═"), "\(lines.joined(separator: "\n"))")
    #expect(lines.last?.contains(isAfter ? "after “" : "before “") == true)
    #expect(lines.last?.contains("Esc cancel") == true)
    // Its heading is at the pointer, beside its own place.
    #expect(lines[frame.minRow + 1].contains("\(model.content.cards[card].name)"))
  }

  @Test func `a press without a move, and a drag over nothing, land nowhere`() throws {
    var model = model()
    try drag(&model, card: 0, to: 0)
    let hits = TodayView.picture(of: model).hits
    #expect(try #require(model.editing?.drag).landing(in: model, hits) == nil)
    var editing = PageEditing()
    editing.drag = PageDrag(card: model.content.cards[0].id, grip: .zero, pointer: .zero)
    model.mode = .edit(editing)
    #expect(rows(model).last?.contains("Drop") == false)
    editing.drag?.move(to: Position(column: 9_999, row: -5))
    model.mode = .edit(editing)
    #expect(rows(model).last?.contains("leaves it where it is") == true)
  }

  @Test func `a drag ends with another size of the screen, and when its card goes`() throws {
    var model = model()
    try drag(&model, card: 0, to: 1)
    model.checkDrag()
    #expect(model.editing?.drag != nil)
    var resized = model
    resized.checkDrag(hasOtherSize: true)
    #expect(resized.editing != nil && resized.editing?.drag == nil)
    var leaving = model
    leaving.content.cards[0].leaving = 0.5
    leaving.checkDrag()
    #expect(leaving.editing?.drag == nil)
    var gone = model
    gone.content.cards.removeFirst()
    gone.checkDrag()
    #expect(gone.editing?.drag == nil)
  }

  @Test(arguments: [
    Size(columns: 0, rows: 0), Size(columns: 1, rows: 1), Size(columns: 14, rows: 6),
    Size(columns: 40, rows: 10), Size(columns: 400, rows: 3),
  ])
  func `a drag can be drawn at every size`(size: Size) {
    var model = model(columns: size.columns, rows: size.rows)
    for place in [Position.zero, Position(column: -3, row: -3), Position(column: 900, row: 900)] {
      var editing = PageEditing()
      editing.drag = PageDrag(card: model.content.cards[0].id, grip: .zero, pointer: .zero)
      editing.drag?.move(to: place)
      model.mode = .edit(editing)
      #expect(TodayView.draw(model).size == size)
    }
  }

  // MARK: - Rows

  private func listModel(_ rows: [String]) throws -> TodayModel {
    try Self.listModel(rows, Size(columns: 50, rows: 20))
  }

  /// A page with a list that is edited.
  static func listModel(_ rows: [String], _ size: Size) throws -> TodayModel {
    var model = TodayModel(size: size, look: PageLook(now: SamplePage.now))
    var card = Card(id: CardID("com.example.A"), name: "A")
    card.state = .live
    (card.removesRows, card.movesRows, card.isEdited, card.allowsEditing) = (true, true, true, true)
    let rows = rows.map { #"{"id":"\#($0)","view":"row \#($0)"}"# }.joined(separator: ",")
    let json = #"{"type":"list","id":"l","rows":[\#(rows)]}"#
    let node = try JSONDecoder().decode(ViewNode.self, from: Data(json.utf8))
    var environment = LayoutEnvironment(now: SamplePage.now)
    environment.state.editing = ListEditing(removes: true, moves: true, adds: false)
    let width = min(40, size.columns - 4)
    model.take([(card, CardBody(ViewLayout.layOut(node, width: width, in: environment)))])
    model.relayout()
    model.mode = .edit(PageEditing())
    return model
  }

  @Test func `a dragged row is drawn at the pointer, and the others as they will be`() throws {
    var model = try listModel(["a", "b", "c"])
    let card = model.content.cards[0].id
    let first = try #require(model.targets(of: card).first)
    let origin = model.view(of: model.content.cards[0]).bodyOrigin(
      in: try #require(model.frameOnScreen(card))
    )
    var editing = PageEditing()
    editing.drag = PageDrag(
      card: card,
      row: first,
      grip: Position(column: 1, row: 0),
      pointer: origin
    )
    editing.drag?.move(to: Position(column: origin.column + 1, row: origin.row + 2))
    model.mode = .edit(editing)
    let lines = rows(model)
    #expect(lines[origin.row].contains("row b"))
    #expect(lines[origin.row + 1].contains("row c"))
    #expect(lines[origin.row + 2].contains("row a"))
    let move = try #require(editing.drag?.rowMove(in: model, TodayView.picture(of: model).hits))
    #expect(move.from == 0 && move.to == 2)
    // The mark that removes a row is pressed as such.
    let hit = TodayView.picture(of: model).hits.hit(
      Position(column: origin.column + 39, row: origin.row)
    )
    #expect(hit == PageHit(card: card, part: .removal(first)))
    var gone = model
    gone.take([(model.content.cards[0], try listModel(["b", "c"]).content.bodies[card])])
    gone.checkDrag()
    #expect(gone.editing?.drag == nil)
  }

  @Test(arguments: [false, true])
  func `every key of edit mode is in its list, and those of the page that it has`(isInWidget: Bool)
  {
    let lines = EditKeyList.lines(.standard, inWidget: isInWidget, isASCII: true)
    let names = Set(lines.flatMap { $0.names.string.split(separator: " ").map(String.init) })
    let keys = (0x21...0x7E).compactMap { Unicode.Scalar($0) }.map(Key.character)
    for key in keys {
      let command = isInWidget ? EditCommand(inWidget: key) : EditCommand(key)
      guard command != nil else { continue }
      let isListed = names.contains(key.name.string)
      #expect(isListed || ["-", "+"].contains(key.name.string), "\(key)")
    }
    let intents = KeyMap.standard.lines.flatMap(\.entries).map(\.intent)
      .filter { KeyMap.standard.holds($0, in: isInWidget ? .widget : .edit) }
    for intent in intents where intent.pageNumber == nil {
      let keys = KeyMap.standard.keys(of: intent).map(\.name.string)
      #expect(keys.contains(where: names.contains), "\(intent)")
    }
    // The palette is opened from edit mode, but not while a key changes what a widget holds.
    #expect(names.contains(":") == !isInWidget && !names.contains("z"))
  }

  @Test func `all keys of edit mode can be seen on a small screen`() throws {
    var model = model(rows: 24)
    let editing = TodayModel.ModeBelow.edit(try #require(model.editing))
    model.mode = .help(TodayModel.KeyList(below: editing))
    let lines = rows(model)
    #expect(lines.contains { $0.contains("Keys of edit mode") })
    model.mode = .help(TodayModel.KeyList(below: editing, scroll: .max))
    #expect(rows(model).contains { $0.contains("quit") })
    model.mode = .help(TodayModel.KeyList(below: editing))
    model.content.cards[0].isEdited = true
    #expect(rows(model).contains { $0.contains("move the row down, up") })
    let inspector = Inspector(card: model.content.cards[0].id)
    model.mode = .help(TodayModel.KeyList(below: .inspector(inspector)))
    #expect(rows(model).contains { $0.contains("overview, view, messages") })
  }

  @Test func `what is drawn over edit mode goes back to it`() throws {
    var model = model()
    let editing = TodayModel.ModeBelow.edit(try #require(model.editing))
    model.mode = .help(TodayModel.KeyList(below: editing))
    model.closeOverlay()
    #expect(model.editing != nil)
    var form = SampleSettings.form()
    form.below = editing
    model.mode = .settings(form)
    model.closeOverlay()
    #expect(model.editing != nil)
    model.mode = .help(TodayModel.KeyList())
    model.closeOverlay()
    #expect(model.editing == nil)
  }
}
