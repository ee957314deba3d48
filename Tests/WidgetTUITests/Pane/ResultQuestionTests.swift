import Testing
import WidgetKitCore
import WidgetRequests

@testable import WidgetTUI

@Suite struct ResultQuestionTests {
  private func question(
    _ choices: [ResultQuestion.Choice] = ResultQuestion.Choice.allCases
  ) -> ResultQuestion {
    ResultQuestion(
      title: "Upper",
      preview: ContentPreview(summary: "plain text", lines: ["ONE", "TWO"]),
      choices: choices,
      fileName: "notes.txt"
    )
  }

  private func text(_ question: ResultQuestion, _ columns: Int = 60, _ rows: Int = 20) -> String {
    let look = PaneLook(glyphs: .unicode, size: Size(columns: columns, rows: rows))
    return TextWriter.text(question.picture(look).canvas)
  }

  private func take(_ keys: [Key], _ question: inout ResultQuestion) -> ResultQuestion.Answer? {
    for (index, key) in keys.enumerated() {
      if let answer = question.take(key, nil) {
        #expect(index == keys.count - 1)
        return answer
      }
    }
    return nil
  }

  @Test(arguments: [
    ([Key.enter], ResultQuestion.Answer.copies),
    ([.character("c")], .copies), ([.character("p")], .pins), ([.character("d")], .discards),
    ([.escape], .discards), ([.control("c")], .discards), ([.right, .right, .enter], .pins),
    ([.left, .enter], .discards), ([.character("x"), .tab, .backTab, .enter], .copies),
    ([.character("s"), .enter], .saves("notes.txt", replaces: false)),
    ([.character("s"), .control("u"), .character("a"), .enter], .saves("a", replaces: false)),
    ([.character("s"), .escape, .left, .enter], .copies),
    ([.character("s"), .control("c")], .discards),
  ])
  func `keys alone answer the question`(keys: [Key], answer: ResultQuestion.Answer) {
    var question = question()
    #expect(take(keys, &question) == answer)
  }

  @Test func `what cannot be done with a result is not offered`() {
    var question = question([.save, .discard])
    #expect(take([.character("c"), .character("p")], &question) == nil)
    #expect(!text(question).contains("Copy") && !text(question).contains("Pin"))
    #expect(text(question).contains("[ Save… ]  [ Discard ]"))
  }

  @Test func `a file without a name is not saved`() {
    var question = question()
    #expect(take([.character("s"), .control("u"), .enter], &question) == nil)
    #expect(text(question).contains("A file needs a name."))
    #expect(take([.character("a"), .enter], &question) == .saves("a", replaces: false))
  }

  @Test(arguments: [[Key.character("r")], [.right, .enter], [.tab, .character(" ")]])
  func `a file is replaced only by a key of its own`(keys: [Key]) {
    var question = question()
    question.fileExists("notes.txt")
    #expect(text(question).contains("“notes.txt” exists. Replace it?"))
    // Enter asks for another name.
    #expect(take([.enter], &question) == nil)
    #expect(text(question).contains("Save as"))
    question.fileExists("notes.txt")
    #expect(take(keys, &question) == .saves("notes.txt", replaces: true))
  }

  @Test func `what went wrong is said, and the name can be changed`() {
    var question = question()
    question.fileExists("notes.txt")
    question.didFail("it is read-only")
    #expect(text(question).contains("it is read-only"))
    #expect(take([.backspace, .enter], &question) == .saves("notes.tx", replaces: false))
  }

  @Test func `the mouse presses the buttons`() throws {
    var question = question()
    let look = PaneLook(glyphs: .unicode, size: Size(columns: 60, rows: 20))
    let picture = question.picture(look)
    let target = try #require(picture.targets.first { $0.action == .row(2) })
    let press = MouseEvent(
      action: .press,
      column: target.area.minColumn,
      row: target.area.minRow
    )
    #expect(question.take(.mouse(press), picture.action(at: target.area.origin)) == .pins)
  }

  @Test(arguments: [0, 1, 3, 4, 5, 6, 40], [0, 1, 10, 30, 200])
  func `it fits into each size`(rows: Int, columns: Int) {
    var asked = question()
    for key in [Key.escape, .character("s")] {
      let look = PaneLook(glyphs: .unicode, size: Size(columns: columns, rows: rows))
      let size = asked.picture(look).canvas.size
      #expect(size.columns <= columns && size.rows <= rows)
      _ = asked.take(key, nil)
    }
    asked.fileExists("a")
    #expect(text(asked, 30, 4).contains("Other name"))
  }
}
