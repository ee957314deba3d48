import Testing
import WidgetKitCore
import WidgetRequests

@testable import WidgetTUI

/// A list on the pane to which rows come later.
@Suite(.timeLimit(.minutes(5))) struct PresentedChooserTests {
  private final class Surface: PaneSurface {
    var onKey: (Key) -> Void = { _ in }
    var onDraw: (PaneLook) -> PanePicture = { look in
      PanePicture.box(rows: 1, title: "", remark: "", keys: [], look).0
    }
    var onInterruption: () -> Void = {}
    var fillsScreen = false
    let look = PaneLook(glyphs: .unicode, size: Size(columns: 60, rows: 20))
    private(set) var pictures: [String] = []

    func open() {}
    func close() {}
    func draw() { pictures.append(TextWriter.text(onDraw(look).canvas)) }
    func action(at event: MouseEvent) -> PaneAction? { nil }
  }

  private let surface = Surface()

  private func item(_ name: SafeText) -> ExtensionChooser.Item {
    ExtensionChooser.Item(glyph: nil, name: name, detail: "share")
  }

  private func chooser(_ names: SafeText...) -> ExtensionChooser {
    ExtensionChooser(
      title: "Share",
      names.map(item),
      preview: ContentPreview(summary: "plain text", lines: ["hello"])
    )
  }

  private func all(_ rows: AsyncStream<ExtensionChooser.Item>) async -> [ExtensionChooser.Item] {
    var items: [ExtensionChooser.Item] = []
    for await item in rows { items.append(item) }
    return items
  }

  @Test func `a list is shown before all of its rows are found, and gets them then`() async {
    let pane = SharePane(on: surface)
    let (rows, found) = AsyncStream.makeStream(of: ExtensionChooser.Item.self)
    let list = chooser("Pin")
    let choice = Task { await pane.choose(list) { await all(rows) } }
    while surface.pictures.isEmpty { await Task.yield() }
    #expect(surface.pictures[0].contains("Pin") && !surface.pictures[0].contains("Look Up"))
    found.yield(item("Look Up"))
    found.finish()
    while surface.pictures.count < 2 { await Task.yield() }
    #expect(surface.pictures[1].contains("Look Up"))
    surface.onKey(.down)
    surface.onKey(.enter)
    #expect(await choice.value == 1)
  }

  @Test func `a row that is found when the person has chosen is not shown`() async {
    let pane = SharePane(on: surface)
    let (rows, found) = AsyncStream.makeStream(of: ExtensionChooser.Item.self)
    let list = chooser("Pin")
    let search = Task { await all(rows) }
    let choice = Task { await pane.choose(list) { await search.value } }
    while surface.pictures.isEmpty { await Task.yield() }
    surface.onKey(.enter)
    #expect(await choice.value == 0)
    let count = surface.pictures.count
    found.yield(item("Look Up"))
    found.finish()
    _ = await search.value
    await Task.yield()
    #expect(surface.pictures.count == count)
  }
}
