import Testing
import WidgetCards
import WidgetKitCore

@testable import WidgetTUI

@Suite struct MotionFrameTests {
  private let before = SamplePage.list(["one", "more"], width: 10, ids: ["one", "more"])
  private let after = SamplePage.list(
    ["one", "two", "three", "more"],
    width: 10,
    ids: ["one", "two", "three", "more"]
  )

  private func lines(_ progress: Double, rows: Int) -> [String] {
    let body = CardBody(
      size: Size(columns: 10, rows: rows),
      from: before,
      to: after,
      progress: progress
    )
    var canvas = Canvas(size: body.size)
    for run in MotionFrame.runs(of: body) { canvas.put(run, in: canvas.bounds) }
    return TextWriter.lines(canvas)
  }

  @Test(arguments: [
    (0.0, 2, ["one", "more"]), (0.5, 3, ["one", "two", "more"]),
    (1.0, 4, ["one", "two", "three", "more"]),
  ])
  func `elements with the same id move from the old place to the new`(
    progress: Double,
    rows: Int,
    expected: [String]
  ) {
    #expect(lines(progress, rows: rows) == expected)
  }

  @Test func `a new element is dim at first, an old one disappears`() {
    func isDim(_ id: String, _ body: CardBody) -> Bool? {
      MotionFrame.runs(of: body).first { $0.cells.map(\.glyph.text).joined() == id }
        .map { $0.cells.allSatisfy { $0.style.attributes.contains(.dim) } }
    }
    var body = CardBody(size: after.size, from: before, to: after, progress: 0.4)
    #expect(isDim("two", body) == true)
    #expect(isDim("one", body) == false)
    body.progress = 0.6
    #expect(isDim("two", body) == false)
    var back = CardBody(size: after.size, from: after, to: before, progress: 0.4)
    #expect(isDim("two", back) == true)
    back.progress = 0.6
    #expect(isDim("two", back) == nil)
  }

  @Test func `an element with slide comes from the left`() {
    var view = after
    view.elements[1].transition = .slide
    let body = CardBody(size: view.size, from: before, to: view, progress: 0.5)
    let run = MotionFrame.runs(of: body).first { $0.cells.first?.glyph.text == "t" }
    #expect(run?.position == Position(column: -5, row: 1))
  }

  @Test(arguments: [true, false])
  func `a card that shrinks loses its rows one by one`(
    hasIDs: Bool
  ) throws {
    let words: [SafeText] = ["one", "two", "three", "four", "five", "six", "seven", "eight"]
    func view(_ rows: Int) -> LaidOutView {
      var view = SamplePage.list(Array(words.prefix(rows)), width: 10)
      if !hasIDs {
        view.elements = []
        for index in view.runs.indices { view.runs[index].element = nil }
      }
      return view
    }
    var heights: Set<Int> = []
    for step in 0...100 {
      let progress = Double(step) / 100
      let rows = 8 - Int((6 * progress).rounded())
      heights.insert(rows)
      let body = CardBody(
        size: Size(columns: 10, rows: rows),
        from: view(8),
        to: view(2),
        progress: progress
      )
      var canvas = Canvas(size: body.size)
      for run in MotionFrame.runs(of: body) { canvas.put(run, in: canvas.bounds) }
      #expect(TextWriter.lines(canvas) == words.prefix(rows).map(\.string), "at \(progress)")
    }
    #expect(heights == [2, 3, 4, 5, 6, 7, 8])
  }

  @Test func `a body without a transition is its view`() {
    #expect(MotionFrame.runs(of: CardBody(after)) == after.runs)
  }

  @Test func `an element with an invalid parent is drawn`() {
    var view = after
    view.elements[1].parent = 1
    view.elements[2].parent = 99
    view.runs[0].element = 77
    let body = CardBody(size: view.size, from: before, to: view, progress: 0.5)
    let shown = MotionFrame.runs(of: body).filter { $0.cells.contains { $0 != .blank } }
    #expect(shown.count == 4)
  }
}
