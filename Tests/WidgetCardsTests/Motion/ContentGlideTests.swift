import FoundationEssentials
import Testing
import WidgetKitCore

@testable import WidgetCards

@Suite struct `A glide from one content to the next` {
  private let start = ContinuousClock.Instant.now

  private func view(
    _ json: String,
    _ width: Int = 20,
    _ glyphs: GlyphSet = .unicode
  ) throws -> LaidOutView {
    let node = try JSONDecoder().decode(ViewNode.self, from: Data(json.utf8))
    let environment = LayoutEnvironment(now: Date(timeIntervalSince1970: 0), glyphs: glyphs)
    return ViewLayout.layOut(node, width: width, in: environment)
  }

  private func gauge(_ value: String, _ label: String = "") -> String {
    #"{"type":"gauge","value":\#(value),"label":"\#(label)"}"#
  }

  private func large(_ text: String) -> String {
    #"{"type":"text","size":"large","text":"\#(text)"}"#
  }

  private func list(_ rows: [(id: String, text: String)]) -> String {
    let rows = rows.map { #"{"id":"\#($0.id)","view":{"type":"text","text":"\#($0.text)"}}"# }
    return #"{"type":"list","id":"l","rows":[\#(rows.joined(separator: ","))]}"#
  }

  private func begin(
    from old: LaidOutView,
    to new: LaidOutView,
    bringsRows: Bool = true
  ) -> ContentGlide? {
    ContentGlide(from: old, to: new, bringsRows: bringsRows, at: start)
  }

  /// The characters of each row.
  private func rows(_ view: LaidOutView) -> [String] {
    var rows = Array(
      repeating: Array(repeating: " ", count: view.size.columns),
      count: view.size.rows
    )
    for run in view.runs {
      for (index, cell) in run.cells.enumerated() {
        rows[run.position.row][run.position.column + index] = cell.glyph.text
      }
    }
    return rows.map { $0.joined() }
  }

  private func at(_ milliseconds: Int) -> ContinuousClock.Instant {
    start + .milliseconds(milliseconds)
  }

  @Test(arguments: [GlyphSet.unicode, .console, .ascii])
  func `draws a bar between its old and its new value`(glyphs: GlyphSet) throws {
    let (old, new) = (try view(gauge("0.1"), 20, glyphs), try view(gauge("0.9"), 20, glyphs))
    let glide = try #require(begin(from: old, to: new))
    let track = Set(["─", "·", "-"])
    let filled = [0, 50, 100, 150, 200].map { time in
      rows(glide.view(new, at: at(time)))[0].count { !track.contains(String($0)) }
    }
    #expect(filled == [2, 5, 10, 16, 18] || filled == [2, 4, 10, 16, 18], "\(filled)")
    #expect(rows(glide.view(new, at: at(0))) == rows(old))
    #expect(rows(glide.view(new, at: at(200))) == rows(new))
    #expect(!glide.isOver(at: at(199)) && glide.isOver(at: at(200)))
  }

  @Test(arguments: [
    ("10 %", "30 %", "20 %"), ("1.5 °C", "2.5 °C", "2.0 °C"), ("−4°", "−2°", "−3°"),
    ("1,020", "1,024", "1,022"), ("30 %", "10 %", "20 %"),
  ])
  func `counts a large number to its new value`(old: String, new: String, half: String) throws {
    let (old, new) = (try view(large(old), 40), try view(large(new), 40))
    let glide = try #require(begin(from: old, to: new))
    #expect(rows(glide.view(new, at: at(0))) == rows(old))
    #expect(rows(glide.view(new, at: at(100))) == rows(try view(large(half), 40)))
    #expect(rows(glide.view(new, at: at(500))) == rows(new))
  }

  @Test func `a shorter number stands at the end of its place`() throws {
    let new = try view(large("11 %"))
    let glide = try #require(begin(from: try view(large("7 %")), to: new))
    // Nine, with the columns of another digit and the gap before it.
    let nine = try rows(view(large("9"))).map { "    " + $0.prefix(3) }
    #expect(zip(rows(glide.view(new, at: at(100))), nine).allSatisfy { $0.hasPrefix($1) })
  }

  @Test(arguments: [
    ("12:30", "12:31"), ("1.5", "25"), ("1,5", "1.5"), ("007", "9"), ("5", "many"),
  ])
  func `what is not written in the same way changes at once`(old: String, new: String) throws {
    let (old, new) = (try view(large(old)), try view(large(new)))
    guard let glide = begin(from: old, to: new) else { return }
    for time in [0, 100] { #expect(rows(glide.view(new, at: at(time))) == rows(new)) }
  }

  @Test func `in another size, and for the same values, there is none`() throws {
    let old = try view(gauge("0.1"))
    #expect(begin(from: old, to: try view(gauge("0.9"), 21)) == nil)
    #expect(begin(from: old, to: try view(gauge("0.1"))) == nil)
    // The same cells.
    #expect(begin(from: old, to: try view(gauge("0.1001"))) == nil)
    let tall = #"{"type":"vstack","children":[\#(gauge("0.9")),\#(gauge("0.9"))]}"#
    #expect(begin(from: old, to: try view(tall)) == nil)
  }

  @Test func `another one that overtakes it begins where it is`() throws {
    let views = try ["0.1", "0.9", "0.3"].map { try view(gauge($0)) }
    let first = try #require(begin(from: views[0], to: views[1]))
    let shown = first.view(views[1], at: at(100))
    let second = try #require(
      ContentGlide(from: shown, to: views[2], bringsRows: true, at: at(100))
    )
    #expect(rows(second.view(views[2], at: at(100))) == rows(shown))
    #expect(rows(second.view(views[2], at: at(200))) == rows(try view(gauge("0.4"))))
    #expect(rows(second.view(views[2], at: at(300))) == rows(views[2]))
  }

  @Test func `a bar is the same one in another row of its list`() throws {
    func view(_ values: [(String, String)]) throws -> LaidOutView {
      let rows = values.map { #"{"id":"\#($0.0)","view":\#(gauge($0.1))}"# }
      return try self.view(#"{"type":"list","id":"l","rows":[\#(rows.joined(separator: ","))]}"#)
    }
    let new = try view([("b", "0.6"), ("a", "0.5")])
    let glide = try #require(begin(from: try view([("a", "0.5"), ("b", "0.2")]), to: new))
    let begun = rows(glide.view(new, at: at(0)))
    #expect(begun == rows(try view([("b", "0.2"), ("a", "0.5")])))
  }

  @Test func `a new row comes in from the left, and the others are in their places`() throws {
    let old = try view(list([("a", "first"), ("b", "日本語")]), 10)
    let new = try view(list([("c", "日本語 new"), ("a", "first")]), 10)
    let glide = try #require(begin(from: old, to: new))
    #expect(rows(glide.view(new, at: at(0)))[1] == rows(new)[1])
    #expect(rows(glide.view(new, at: at(0)))[0].allSatisfy { $0 == " " })
    let words = rows(glide.view(new, at: at(100)))[0].filter { $0 != " " }
    // Half of ten columns has two wide characters, and not half of the third.
    #expect(words == "日本")
    #expect(rows(glide.view(new, at: at(200))) == rows(new))
    #expect(begin(from: old, to: new, bringsRows: false) == nil)
    let other = try view(list([("x", "all"), ("y", "others")]), 10)
    #expect(begin(from: old, to: other) == nil)
  }

  @Test(arguments: ["1e308", "-1e308", "0", "1"])
  func `extreme values stay inside the bar`(value: String) throws {
    let (old, new) = (try view(gauge("0.5")), try view(gauge(value)))
    guard let glide = begin(from: old, to: new) else { return }
    for time in [-100, 0, 70, 199, 10_000] {
      let row = rows(glide.view(new, at: at(time)))[0]
      #expect(row.allSatisfy { "━╾─".contains($0) })
    }
  }

  @Test func `the colour of a threshold is that of the new value at once`() throws {
    func view(_ value: String) throws -> LaidOutView {
      try self.view(
        #"{"type":"gauge","value":\#(value),"thresholds":[{"at":0.8,"foreground":"red"}]}"#
      )
    }
    let new = try view("0.9")
    let glide = try #require(begin(from: try view("0.1"), to: new))
    #expect(glide.view(new, at: at(0)).runs[0].cells[0].style.foreground == .red)
  }
}
