import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import WidgetCards
@testable import WidgetSessions
@testable import WidgetTUI

@Suite struct PagePainterTests {
  /// Makes one random change of what a page shows.
  private func change(_ model: inout TodayModel, _ random: inout SeededGenerator) {
    guard !model.content.cards.isEmpty else { return }
    let index = random.number(0...model.content.cards.count - 1)
    let id = model.content.cards[index].id
    let words = SafeText(random.one(of: ["7", "1,024 of 9", "日本語 text", "a longer line of text"]))
    switch random.number(0...19) {
    case 0: model.look.now.addTimeInterval(Double(random.number(0...90)))
    case 1: model.look.now.addTimeInterval(Double(-random.number(0...90)))
    case 2: model.content.cards[index].message = random.once(in: 2) ? nil : words
    case 3: model.content.cards[index].name = words
    case 4: model.content.cards[index].isUpdating.toggle()
    case 5: model.content.cards[index].hasMissedUpdate.toggle()
    case 6: model.content.cards[index].contentDate = model.look.now
    case 7:
      model.content.cards[index].state = random.one(of: [.live, .failed, .stopped, .starting])
    case 8: model.content.cards[index].leaving = random.once(in: 3) ? nil : 0.5
    case 9: model.content.bodies[id]?.from.runs.append(SamplePage.run(words, row: 0))
    case 10:
      model.content.bodies[id] = random.once(in: 4) ? nil : CardBody(SamplePage.posts(20))
    case 11: model.moveFocus(random.one(of: [.up, .down, .left, .right]))
    case 12: model.moveElementFocus(forward: random.once(in: 2))
    case 13: model.scroll(by: random.number(-9...9))
    case 14: model.mode = random.one(of: [.page, .help(TodayModel.KeyList()), .cover, .page])
    case 15: model.content.notice = random.once(in: 2) ? nil : words
    case 16: model.content.problems = random.once(in: 2) ? [] : [words]
    case 17: model.toggleZoom()
    case 18: model.content.cards[index].pressed = model.targets(of: id)
    default:
      model.look.glyphs = random.one(of: [.unicode, .console, .ascii])
      if random.once(in: 3) { model.content.cards.swapAt(0, index) }
      if random.once(in: 5) {
        model.size = Size(columns: random.number(0...130), rows: random.number(0...45))
      }
    }
    if random.once(in: 2) { model.relayout() }
    if random.once(in: 3) { model.noteChangedNumbers() }
  }

  @Test(arguments: 0..<80)
  func `a picture that continues another one is the same as a new one`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var model = SamplePage.model(Size(columns: 80, rows: random.number(8...40)))
    var painter = PagePainter()
    for _ in 0..<40 {
      for _ in 0..<random.number(0...3) { change(&model, &random) }
      let picture = painter.picture(of: model)
      #expect(picture == TodayView.picture(of: model))
    }
  }

  @Test func `the rows of cards that are the same are not drawn again`() {
    var model = SamplePage.model(Size(columns: 80, rows: 40))
    var painter = PagePainter()
    let before = painter.picture(of: model).canvas
    model.content.cards[0].name = "Another Name"
    let after = painter.picture(of: model).canvas
    let rows = Set(CanvasDiff.segments(from: before, to: after).map(\.position.row))
    #expect(rows == [model.areaOnScreen(model.content.cards[0].id)?.minRow])
  }
}
