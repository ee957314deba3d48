import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import EngineTestSupport
@testable import PageRecords
@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetPlatform

/// Changes of the open page by the user, and the gallery.
@Suite struct PageEditsTests {
  private static let (a, b) = (EngineWorld.id, CardID("com.example.B"))
  private static let c = CardID("com.example.C")

  /// A page with A and B, and C, which was removed.
  private func world() throws -> EngineWorld {
    let folder = try BundleFolder()
    try folder.widget("widgets/B.widget", "com.example.B")
    try folder.widget("widgets/C.widget", "com.example.C")
    let world = try EngineWorld(
      ["widgetPerformUpdate": #"{"result":"noData"}"#],
      first: #","view":\#(stack(2))"#,
      folder: folder
    )
    world.center.screen.setWidth(40)
    world.center.screen.setVisible([Self.a, Self.b])
    world.center.start()
    world.settle()
    #expect(world.center.edits.make([.remove(Self.c)]) == .made)
    world.center.edits.forget()
    return world
  }

  private func cards(_ world: EngineWorld) -> [CardID] { world.center.page.shown.map(\.id) }

  @Test func `each change takes effect at once, and all are undone step by step`() throws {
    let world = try world()
    let edits = world.center.edits
    let other = CardID("com.example.A", instance: InstanceName(rawValue: "2"))
    #expect(edits.freeName(for: "com.example.A") == "2")
    let changes: [PageChange] = [
      .move(Self.a, page: nil, position: 2), .add(other, page: nil), .add(Self.c, page: nil),
      .span(Self.b, 2), .remove(Self.a),
    ]
    var before: [([CardID], [Int])] = []
    for change in changes {
      before.append((cards(world), world.center.page.shown.map(\.span)))
      #expect(edits.make([change]) == .made)
      #expect(
        cards(world) != before.last?.0 || world.center.page.shown.map(\.span) != before.last?.1
      )
    }
    #expect(cards(world) == [Self.b, other, Self.c])
    #expect(edits.freeName(for: "com.example.A") == "3")
    for (cards, spans) in before.reversed() {
      #expect(edits.undo())
      #expect(self.cards(world) == cards)
      #expect(world.center.page.shown.map(\.span) == spans)
    }
    #expect(!edits.undo() && !edits.canUndo)
  }

  @Test func `a card that was added is removed again, whatever commands have changed since`() throws
  {
    let world = try world()
    let edits = world.center.edits
    #expect(edits.make([.add(Self.c, page: nil)]) == .made)
    // As a command does it.
    let other = CardID("com.example.A", instance: InstanceName(rawValue: "2"))
    try world.center.page.edit { editor throws(HostError) in
      _ = try editor.apply([.add(other, page: nil)])
      _ = try editor.apply([.move(Self.b, page: nil, position: 1)])
    }
    edits.begin()
    #expect(edits.canUndo && !edits.isCutOff)
    #expect(edits.undo())
    #expect(!cards(world).contains(Self.c) && cards(world).contains(other))
    #expect(cards(world).first == Self.b)
    #expect(!edits.canUndo)
  }

  @Test func `the gallery says of a widget that it has no content`() throws {
    let world = try world()
    #expect(world.center.edits.choices.allSatisfy { $0.hasContent })
    try world.center.contentFlags.set(false, for: Self.c)
    #expect(world.center.edits.choices.first { $0.id == Self.c }?.hasContent == false)
  }

  @Test func `changes can be undone later, unless the pages were changed by others`() throws {
    let world = try world()
    let edits = world.center.edits
    edits.make([.move(Self.a, page: nil, position: 2)])
    edits.begin()
    #expect(edits.canUndo && edits.undo())
    #expect(cards(world) == [Self.a, Self.b])
    edits.make([.remove(Self.b)])
    // As a command does.
    try world.center.page.edit { editor throws(HostError) in
      try editor.apply([.add(Self.c, page: nil)])
    }
    for _ in 0..<2 {
      edits.begin()
      #expect(!edits.canUndo && edits.isCutOff)
    }
    #expect(cards(world) == [Self.a, Self.c])
    edits.make([.remove(Self.c)])
    #expect(edits.canUndo && !edits.isCutOff)
  }

  @Test func `what is undone is made again, until something else is changed`() throws {
    let world = try world()
    let edits = world.center.edits
    #expect(!edits.canRedo && !edits.redo())
    var pages = [cards(world)]
    for change in [PageChange.move(Self.a, page: nil, position: 2), .add(Self.c, page: nil)] {
      #expect(edits.make([change]) == .made)
      pages.append(cards(world))
    }
    for page in pages.dropLast().reversed() {
      #expect(edits.undo())
      #expect(cards(world) == page)
    }
    for page in pages.dropFirst() {
      edits.begin()
      #expect(edits.canRedo && edits.redo())
      #expect(cards(world) == page)
    }
    #expect(!edits.canRedo && edits.undo() && edits.undo())
    #expect(cards(world) == pages[0])
    edits.make([.remove(Self.b)])
    #expect(!edits.canRedo && !edits.redo())
    // Nor after a command has changed the pages.
    #expect(edits.undo() && edits.canRedo)
    try world.center.page.edit { editor throws(HostError) in
      try editor.apply([.add(Self.c, page: nil)])
    }
    edits.begin()
    #expect(!edits.canRedo)
  }

  @Test func `a card is moved by one place, and not beyond the ends`() throws {
    let world = try world()
    let edits = world.center.edits
    #expect(edits.move(Self.a, by: -1) == nil)
    #expect(edits.move(Self.b, by: 1) == nil)
    edits.make([try #require(edits.move(Self.a, by: 1))])
    #expect(cards(world) == [Self.b, Self.a])
    edits.make([try #require(edits.move(Self.a, to: Self.b))])
    #expect(cards(world) == [Self.a, Self.b])
    #expect(edits.move(Self.a, to: Self.a) == nil && edits.move(Self.c, by: 1) == nil)
  }

  @Test func `the gallery lists every widget once, with where it is`() throws {
    let world = try world()
    let choices = world.center.edits.choices
    #expect(
      choices.map(\.id).sorted { $0.description < $1.description } == [Self.a, Self.b, Self.c]
    )
    #expect(choices.first { $0.id == Self.c }?.page == nil)
    #expect(choices.first { $0.id == Self.a }?.page == .home)
  }

  @Test func `a preview shows what is stored, runs the widget on demand, and ends it`() throws {
    let world = try world()
    let preview = world.center.preview
    preview.show(Self.c, width: 30)
    world.settle()
    let count = world.runs.count
    #expect(preview.drawing(of: Self.c)?.body == nil)
    preview.run()
    world.pass(.seconds(1))
    #expect(world.runs.count == count + 1)
    #expect(preview.drawing(of: Self.c)?.body?.size == Size(columns: 28, rows: 2))
    #expect(cards(world) == [Self.a, Self.b])
    preview.end()
    world.pass(.seconds(3))
    #expect(try world.widget.methods.contains("shutdown"))
    #expect(preview.drawing(of: Self.c) == nil)
    preview.show(Self.c, width: 30)
    #expect(preview.drawing(of: Self.c)?.body?.size.rows == 2, "the snapshot of the preview")
    // One that is on the page is shown as it is there.
    preview.show(Self.a, width: 30)
    #expect(preview.drawing(of: Self.a)?.body?.size.columns == 38)
  }

  @Test func `a preview ends with the page`() throws {
    let world = try world()
    world.center.preview.show(Self.c, width: 30)
    world.center.preview.run()
    world.settle()
    var hasEnded = false
    world.center.shutdown { hasEnded = true }
    world.pass(.seconds(3))
    #expect(hasEnded)
    #expect(world.runs.allSatisfy { $0.methods.contains("shutdown") })
  }
}
