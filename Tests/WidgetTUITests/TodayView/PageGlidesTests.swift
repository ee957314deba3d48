import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetPlatform

@testable import WidgetCards
@testable import WidgetTUI

@Suite struct PageGlidesTests {
  private static let id = CardID("com.example.Card")
  private let start = Moment(now: .now, date: SamplePage.now)
  private var glides = PageGlides()
  private var card = Card(id: Self.id, name: "Card")

  init() { glides.isOn = true }

  private static func layOut(_ json: String, at date: Date = SamplePage.now) throws -> LaidOutView {
    let node = try JSONDecoder().decode(ViewNode.self, from: Data(json.utf8))
    return ViewLayout.layOut(node, width: 20, in: LayoutEnvironment(now: date))
  }

  private static func gauge(_ value: Double) throws -> LaidOutView {
    try layOut(#"{"type":"gauge","value":\#(value)}"#)
  }

  private static func list(_ rows: [String]) throws -> LaidOutView {
    let rows = rows.map { #"{"id":"\#($0)","view":{"type":"text","text":"\#($0)"}}"# }
    return try layOut(#"{"type":"list","id":"l","rows":[\#(rows.joined(separator: ","))]}"#)
  }

  private func moment(_ milliseconds: Int) -> Moment {
    Moment(
      now: start.now + .milliseconds(milliseconds),
      date: start.date.addingTimeInterval(Double(milliseconds) / 1000)
    )
  }

  /// Shows a view as the content of the card; returns the number of filled cells that are drawn.
  @discardableResult
  private mutating func show(_ body: CardBody, after milliseconds: Int, isVisible: Bool = true)
    -> Int
  {
    glides.take([card], [Self.id: body], of: isVisible ? [Self.id] : [], at: moment(milliseconds))
    return filled(body)
  }

  private func filled(_ body: CardBody) -> Int {
    let drawn = glides.body(body, of: Self.id)?.from
    return drawn?.runs.flatMap(\.cells).count { "━╾".contains($0.glyph.text) } ?? 0
  }

  @Test mutating func `a bar glides for a fifth of a second, and then nothing is drawn`() throws {
    let (old, new) = (CardBody(try Self.gauge(0.1)), CardBody(try Self.gauge(0.9)))
    #expect(show(old, after: 0) == 2 && !glides.isGliding && glides.pause == nil)
    #expect(show(new, after: 1000) == 2 && glides.isGliding)
    #expect(glides.pause == PageGlides.frameTime)
    glides.advance(to: moment(1100).now)
    #expect(filled(new) == 10)
    glides.advance(to: moment(1200).now)
    #expect(filled(new) == 18 && !glides.isGliding && glides.pause == nil)
  }

  @Test mutating func `a glide that is overtaken goes on from where it is`() throws {
    let values = try [0.1, 0.9, 0.1].map { CardBody(try Self.gauge($0)) }
    show(values[0], after: 0)
    show(values[1], after: 1000)
    glides.advance(to: moment(1100).now)
    #expect(show(values[2], after: 1100) == 10)
    glides.advance(to: moment(1300).now)
    #expect(filled(values[2]) == 2 && !glides.isGliding)
  }

  @Test mutating func `nothing glides without motion`() throws {
    glides.isOn = false
    show(CardBody(try Self.gauge(0.1)), after: 0)
    #expect(show(CardBody(try Self.gauge(0.9)), after: 1000) == 18 && !glides.isGliding)
  }

  @Test mutating func `nothing glides on a card that is not on the screen, nor when it comes back`()
    throws
  {
    show(CardBody(try Self.gauge(0.1)), after: 0)
    show(CardBody(try Self.gauge(0.5)), after: 1000, isVisible: false)
    #expect(!glides.isGliding)
    #expect(show(CardBody(try Self.gauge(0.9)), after: 2000) == 18 && !glides.isGliding)
  }

  @Test mutating func `nothing glides in a look back, and none of the page when it is locked`()
    throws
  {
    show(CardBody(try Self.gauge(0.1)), after: 0)
    card.past = CardPast(.nothing(at: start.date))
    #expect(show(CardBody(try Self.gauge(0.9)), after: 1000) == 18 && !glides.isGliding)
    card.past = nil
    #expect(show(CardBody(try Self.gauge(0.1)), after: 2000) == 2 && !glides.isGliding)
    glides.take([], [:], of: [Self.id], at: moment(3000))
    #expect(show(CardBody(try Self.gauge(0.9)), after: 4000) == 18 && !glides.isGliding)
  }

  @Test mutating func `a card whose height moves has that motion alone`() throws {
    let (old, new) = (try Self.gauge(0.1), try Self.gauge(0.9))
    show(CardBody(old), after: 0)
    show(CardBody(size: new.size, from: old, to: new, progress: 0.5), after: 1000)
    #expect(!glides.isGliding)
    #expect(show(CardBody(new), after: 1250) == 18 && !glides.isGliding)
  }

  @Test mutating func `a new row comes in, and not in a list that changes all the time`() throws {
    let views = try [["a", "b"], ["c", "a"], ["d", "c"], ["e", "d"]].map { try Self.list($0) }
    for (index, time) in [0, 10_000, 12_000, 20_000].enumerated() {
      show(CardBody(views[index]), after: time)
      #expect(glides.isGliding == [false, true, false, true][index], "\(index)")
      glides.advance(to: moment(time + 200).now)
      #expect(!glides.isGliding)
    }
  }

  private static func timer(at date: Date) throws -> CardBody {
    let end = #"{"type":"date","display":"timer","date":"2026-11-20T12:00:10.4Z"}"#
    return CardBody(try layOut(end, at: date))
  }

  @Test mutating func `a card on which a countdown ends pulses twice`() throws {
    for time in stride(from: 0, to: 10_000, by: 1000) {
      show(try Self.timer(at: moment(time).date), after: time)
      #expect(!glides.isPulsing(Self.id) && glides.pause == nil)
    }
    show(try Self.timer(at: moment(10_000).date), after: 10_000)
    var (time, seen) = (10_000, [glides.isPulsing(Self.id)])
    while let pause = glides.pause, seen.count < 10 {
      time += Int(pause / .milliseconds(1))
      glides.advance(to: moment(time).now)
      seen.append(glides.isPulsing(Self.id))
    }
    #expect(seen == [true, false, true, false])
    #expect(time < 10_700)
    // It counts on, and is over.
    show(try Self.timer(at: moment(11_000).date), after: 11_000)
    #expect(!glides.isPulsing(Self.id) && glides.pause == nil)
  }

  @Test mutating func `what the widget shows at the end does not end the pulse`() throws {
    show(try Self.timer(at: moment(9000).date), after: 9000)
    show(try Self.timer(at: moment(10_000).date), after: 10_000)
    show(CardBody(try Self.gauge(1)), after: 10_050)
    #expect(glides.isPulsing(Self.id))
  }

  @Test mutating func `a countdown that ended while nobody looked, or was stopped, does not pulse`()
    throws
  {
    show(try Self.timer(at: moment(9000).date), after: 9000)
    show(try Self.timer(at: moment(60_000).date), after: 60_000)
    #expect(!glides.isPulsing(Self.id) && glides.pause == nil)
    show(try Self.timer(at: moment(8000).date), after: 61_000)
    let stopped = CardBody(try Self.layOut(#"{"type":"text","text":"0:02"}"#))
    glides.take([card], [Self.id: stopped], of: [Self.id], at: moment(8500))
    glides.take([card], [Self.id: stopped], of: [Self.id], at: moment(10_500))
    #expect(!glides.isPulsing(Self.id))
  }

  @Test(arguments: [true, false]) func `a pulse is seen with and without colours and lines`(
    hasColors: Bool
  ) throws {
    var look = PageLook(hasColors: hasColors, now: SamplePage.now)
    for fill in [nil, CardFill(surface: .indexed(8), ground: .indexed(0))] {
      look.fill = fill
      func cells(_ isPulsing: Bool, _ focus: CardView.Focus) throws -> [Cell] {
        let frame = Rect(column: 0, row: 0, columns: 24, rows: 3)
        var view = CardView(card: card, body: CardBody(try Self.gauge(0.5)), look: look)
        view.isPulsing = isPulsing
        var canvas = Canvas(size: frame.size)
        view.draw(on: &canvas, frame: frame, clip: frame, focus: focus)
        return canvas.cells
      }
      for focus in [CardView.Focus.none, .card] {
        let (still, pulse) = (try cells(false, focus), try cells(true, focus))
        #expect(still != pulse && still.map(\.glyph) == pulse.map(\.glyph))
      }
    }
  }
}
