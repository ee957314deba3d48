import Testing
import WidgetKitCore
import WidgetSessions

@testable import WidgetRequests
@testable import WidgetTUI

@Suite struct PaneViewTests {
  private let now = ContinuousClock.now

  private func look(_ columns: Int = 60, _ rows: Int = 24) -> PaneLook {
    PaneLook(glyphs: .unicode, size: Size(columns: columns, rows: rows))
  }

  private func view(@ViewBuilder _ content: () -> some View) -> PaneView {
    var pane = PaneView(title: "Words", remark: "", look())
    pane.input.implements = ["fieldDidChange", "performAction"]
    pane.show(RequestView(VStack { content() }.node))
    return pane
  }

  private func text(_ pane: inout PaneView, _ look: PaneLook? = nil) -> String {
    TextWriter.text(pane.picture(look ?? self.look()).canvas)
  }

  private func take(_ key: Key, _ pane: inout PaneView) -> [PaneView.Event] {
    pane.take(key, nil, at: now)
  }

  private var form: PaneView {
    view {
      Field("A word", action: "enter").id("word")
      Toggle("Loud", isOn: false, action: "loud")
      Button("Add", action: "add")
    }
  }

  @Test func `the first element has the focus, and Tab goes through all and the buttons`() {
    var pane = form
    pane.postWord = "Done"
    #expect(pane.focusedTarget?.action == "enter")
    var actions: [String?] = []
    for _ in 0..<3 {
      _ = take(.tab, &pane)
      actions.append(pane.focusedTarget?.action)
    }
    #expect(actions == ["loud", "add", nil] && pane.focus == .post)
    _ = take(.tab, &pane)
    #expect(pane.focus == .cancel)
    _ = take(.tab, &pane)
    #expect(pane.focusedTarget?.action == "enter")
    _ = take(.backTab, &pane)
    #expect(pane.focus == .cancel && take(.enter, &pane) == [.cancels])
  }

  @Test func `what is typed is told at most every 50 ms, and before what may depend on it`() {
    var pane = form
    pane.postWord = "Done"
    let first = take(.character("a"), &pane)
    #expect(first == [.typed(FieldDidChangeNotification(field: "word", text: "a"))])
    #expect(take(.character("b"), &pane) == [] && pane.input.due != nil)
    let rest = PaneView.Event.typed(FieldDidChangeNotification(field: "word", text: "ab"))
    #expect(take(.control("s"), &pane) == [rest, .posts])
    #expect(pane.input.due == nil && pane.input.wake(at: now + .seconds(1)) == [])
    #expect(text(&pane).contains("ab"))
  }

  @Test func `a view that answers an older text does not take back what was typed since`() {
    var pane = form
    for letter in "abc".unicodeScalars { _ = take(.character(letter), &pane) }
    _ = pane.input.wake(at: now + .milliseconds(50))
    var answer = RequestView()
    let old = VStack { Field("A word", text: "a", action: "enter").id("word") }.node
    answer.apply(ContentUpdate(view: old), .push)
    pane.show(answer)
    #expect(text(&pane).contains("abc"))
    let newest = VStack { Field("A word", text: "abc", action: "enter").id("word") }.node
    answer.apply(ContentUpdate(view: newest), .push)
    pane.show(answer)
    #expect(text(&pane).contains("abc") && !text(&pane).contains("Loud"))
  }

  @Test func `Enter sends the text of a field, the state of a toggle, and the action of a button`()
  {
    var pane = form
    _ = take(.character("a"), &pane)
    #expect(take(.enter, &pane).last == .presses(PerformActionRequest(action: "enter", text: "a")))
    _ = take(.tab, &pane)
    #expect(take(.enter, &pane) == [.presses(PerformActionRequest(action: "loud", value: true))])
    // It is shown at once, and a second press takes it back.
    #expect(text(&pane).contains("☑ Loud"))
    #expect(take(.enter, &pane) == [.presses(PerformActionRequest(action: "loud", value: false))])
    _ = take(.enter, &pane)
    pane.pressDidFail()
    #expect(text(&pane).contains("☐ Loud"))
    _ = take(.down, &pane)
    #expect(take(.character(" "), &pane) == [.presses(PerformActionRequest(action: "add"))])
  }

  @Test func `a link is not opened from a request, and Esc goes back from a pushed view`() throws {
    let url = "https://example.com"
    var pane = PaneView(title: "Words", remark: "", isPushed: true, look())
    pane.show(RequestView(VStack { Link("Elsewhere", destination: url) }.node))
    #expect(pane.targets.isEmpty && pane.focus == .cancel)
    #expect(text(&pane).contains("[ Back ]"))
    #expect(take(.escape, &pane) == [.goesBack] && take(.left, &pane) == [.goesBack])
    #expect(take(.enter, &pane) == [.goesBack] && take(.control("c"), &pane) == [.cancels])
  }

  @Test func `the focus stays at its element when the view changes, and goes on when it has gone`()
  {
    var pane = form
    _ = take(.tab, &pane)
    _ = take(.tab, &pane)
    var other = RequestView()
    let moved = VStack {
      Button("New", action: "new")
      Button("Add", action: "add")
    }
    other.apply(ContentUpdate(view: moved.node), .push)
    pane.show(other)
    #expect(pane.focusedTarget?.action == "add")
    other.apply(ContentUpdate(view: VStack { Text("nothing") }.node), .push)
    pane.show(other)
    #expect(pane.focus == .cancel && take(.enter, &pane) == [.cancels])
  }

  @Test func `a high view scrolls with the arrows, the wheel and the pages`() {
    var pane = view { ForEach(1..<41) { Text("row \($0).") } }
    let small = look(60, 12)
    #expect(text(&pane, small).contains("row 1.") && text(&pane, small).contains("more"))
    _ = take(.down, &pane)
    #expect(pane.firstRow == 1 && !text(&pane, small).contains("row 1."))
    _ = pane.take(.mouse(MouseEvent(action: .wheelDown, column: 1, row: 1)), nil, at: now)
    #expect(pane.firstRow == 2)
    _ = take(.end, &pane)
    #expect(text(&pane, small).contains("row 40."))
    _ = take(.pageUp, &pane)
    #expect(!text(&pane, small).contains("row 40."))
    _ = take(.home, &pane)
    #expect(pane.firstRow == 0)
  }

  @Test func `a preferred height is that of the pane, and the whole screen is filled`() {
    var pane = form
    var preferred = RequestView()
    preferred.apply(
      ContentUpdate(
        view: Text("low").node,
        preferredContentSize: .value(PreferredContentSize(height: 7))
      ),
      .push
    )
    pane.show(preferred)
    #expect(pane.picture(look()).canvas.size.rows == 7 + 4)
    var whole = look(120, 30)
    whole.fillsScreen = true
    #expect(pane.picture(whole).canvas.size == whole.size)
    #expect(PaneView.size(whole) == Size(columns: 116, rows: 26))
  }

  @Test func `once it goes on only Cancel is left`() {
    var pane = form
    pane.postWord = "Done"
    pane.didPost()
    #expect(!text(&pane).contains("[ Done ]") && take(.character("a"), &pane) == [])
    #expect(take(.enter, &pane) == [])
    #expect(take(.control("s"), &pane) == [] && take(.escape, &pane) == [.cancels])
  }

  @Test(arguments: [(0, 0), (1, 1), (12, 3), (20, 4), (24, 7), (84, 12), (300, 100)])
  func `it fits into every size, and what can be pressed is within it`(columns: Int, rows: Int) {
    for fillsScreen in [false, true] {
      var look = look(columns, rows)
      look.fillsScreen = fillsScreen
      var pane = form
      pane.postWord = "Done"
      let picture = pane.picture(look)
      #expect(picture.canvas.size.columns <= columns && picture.canvas.size.rows <= rows)
      if columns >= 24, rows >= 4 { #expect(text(&pane, look).contains("[ Done ]")) }
      for target in picture.targets where columns >= 24 {
        #expect(picture.canvas.bounds.intersection(target.area) == target.area)
      }
    }
  }
}
