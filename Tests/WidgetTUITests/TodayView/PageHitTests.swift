import Testing
import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetPlatform

@testable import WidgetTUI

@Suite struct PageHitTests {
  private static let clowns = CardID("com.example.ClownTown")
  private let model = SamplePage.model(Size(columns: 80, rows: 24))

  private func hit(_ column: Int, _ row: Int, on model: TodayModel? = nil) -> PageHit? {
    TodayView.picture(of: model ?? self.model).hits.hit(Position(column: column, row: row))
  }

  private func target(_ index: Int) -> PageHit.Part { .target(SamplePage.posts(36).targets[index]) }

  @Test func `a press goes to the element that is drawn there`() {
    let clowns = Self.clowns
    #expect(hit(4, 6) == PageHit(card: clowns, part: target(0)))
    #expect(hit(31, 8) == PageHit(card: clowns, part: target(1)))
    #expect(hit(4, 8) == PageHit(card: clowns, part: .card))
    #expect(hit(0, 6) == PageHit(card: clowns, part: .card))
    #expect(hit(37, 5) == PageHit(card: clowns, part: .state))
  }

  @Test func `a press beside the cards has no effect`() {
    #expect(hit(5, 0) == nil)
    #expect(hit(5, 20) == nil)
    #expect(hit(5, 23) == nil)
    #expect(hit(-1, -1) == nil)
    #expect(hit(400, 400) == nil)
  }

  @Test func `a press on a scrolled page goes to the element that is drawn there`() {
    var model = SamplePage.model(Size(columns: 40, rows: 12))
    model.scroll(by: 10)
    #expect(hit(31, 4, on: model) == PageHit(card: Self.clowns, part: target(1)))
  }

  @Test func `a press on the list of keys has no effect`() {
    var model = model
    model.mode = .help(TodayModel.KeyList())
    #expect(hit(31, 8, on: model) == nil)
  }

  @Test func `a late click goes to the element that moved away, for a short time`() {
    let button = PageHit(card: Self.clowns, part: target(1))
    let post = PageHit(card: Self.clowns, part: target(0))
    let area = Rect(column: 0, row: 0, columns: 8, rows: 1)
    var (moving, passed, still) = (HitMap(), HitMap(), HitMap())
    moving.add(button, in: area, isMoving: true)
    passed.add(button, in: area.offset(columns: 0, rows: 1), isMoving: true)
    passed.add(post, in: area)
    still.add(post, in: area)
    let start = ContinuousClock.now
    var shown = ShownHits()
    shown.show(moving, at: start)
    shown.show(passed, at: start + .milliseconds(15))
    #expect(shown.hit(.zero, at: start + .milliseconds(20)) == button)
    #expect(shown.hit(Position(column: 0, row: 1), at: start + .milliseconds(20)) == button)
    shown.show(still, at: start + .milliseconds(30))
    #expect(shown.hit(.zero, at: start + .milliseconds(160)) == button)
    #expect(shown.hit(.zero, at: start + .milliseconds(170)) == post)
    #expect(shown.hit(Position(column: 9, row: 9), at: start) == nil)
  }

  /// The cells of ClownTown between three rows and nine, drawn and pressed at each of 26 moments.
  @Test(arguments: [true, false], [40, 80, 120, 200])
  func `during an animation a press goes to the element that is drawn there`(
    grows: Bool,
    columns: Int
  ) throws {
    let screen = Size(columns: columns, rows: 60)
    let width = SamplePage.model(screen).widths[Self.clowns] - 2
    let (short, long) = (MotionSample.posts(2, "More", width), MotionSample.posts(8, "Less", width))
    for step in 0...25 {
      var model = SamplePage.model(screen)
      let progress = Double(step) / 25
      let rows = grows ? 3 + 6 * progress : 9 - 6 * progress
      model.content.bodies[Self.clowns] = CardBody(
        size: Size(columns: width, rows: Int(rows.rounded())),
        from: grows ? short : long,
        to: grows ? long : short,
        progress: progress
      )
      model.relayout()
      let picture = TodayView.picture(of: model)
      var buttons = 0
      for row in 0..<screen.rows {
        for column in 0..<columns {
          let glyph = picture.canvas.row(row)[column].glyph.text
          guard let drawn = MotionSample.actions[glyph] else { continue }
          if glyph == "#" { buttons += 1 }
          let part = picture.hits.hit(Position(column: column, row: row))?.part
          guard case .target(let target)? = part else {
            // What leaves and is not there at the end cannot be pressed.
            #expect(!grows && drawn.hasPrefix("open:"), "step \(step), “\(glyph)” at \(row)")
            continue
          }
          #expect(target.action == drawn, "step \(step), “\(glyph)” at \(row)")
        }
      }
      #expect(buttons == 8, "step \(step)")
    }
  }
}

/// A view of posts with a button below them, each element with its own character.
private enum MotionSample {
  static let actions: [String: String] = {
    var actions = ["#": "more"]
    for number in 1...8 { actions[sign(number)] = "open:\(number)" }
    return actions
  }()

  /// A digit in a circle: no other card of the page has one.
  private static func sign(_ number: Int) -> String {
    Unicode.Scalar(0x245F + UInt32(number)).map { String($0) } ?? "?"
  }

  static func posts(_ count: Int, _ title: SafeText, _ width: Int) -> LaidOutView {
    let words = (1...count).map { SafeText(String(repeating: sign($0), count: 20)) }
    var view = SamplePage.list(words, width: width, ids: (1...count).map { "post\($0)" })
    view.size.rows = count + 1
    let frame = Rect(column: width - 8, row: count, columns: 8, rows: 1)
    view.runs.append(
      SamplePage.run("########", column: width - 8, row: count, element: count)
    )
    view.elements.append(
      LaidOutElement(id: "more", frame: frame, parent: nil, transition: .opacity)
    )
    view.targets = (1...count).map { number in
      PressTarget(
        frame: Rect(column: 0, row: number - 1, columns: width, rows: 1),
        elementID: "post\(number)",
        action: "open:\(number)",
        link: nil,
        newValue: nil,
        label: words[number - 1]
      )
    }
    view.targets.append(
      PressTarget(
        frame: frame,
        elementID: "more",
        action: "more",
        link: nil,
        newValue: nil,
        label: title
      )
    )
    return view
  }
}
