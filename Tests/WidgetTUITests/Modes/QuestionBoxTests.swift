import Testing
import WidgetExtensions
import WidgetKitCore

@testable import WidgetTUI

/// Whether a command may run: nothing of it is hidden when the user agrees.
@Suite struct QuestionBoxTests {
  private func box(_ line: String) -> QuestionBox {
    QuestionBox(
      .command(CommandQuestion(name: "Plugin", line: SafeText(line), usesTerminal: false))
    )
  }

  private func picture(_ box: QuestionBox, _ size: Size) -> String {
    var canvas = Canvas(size: size)
    box.draw(.unicode, on: &canvas)
    return TextWriter.text(canvas)
  }

  @Test(arguments: [40, 60, 120])
  func `a command that is longer than a line takes several`(_ columns: Int) {
    let size = Size(columns: columns, rows: 30)
    let line = "sh -c 'echo hello" + String(repeating: " ", count: 90) + "; rm -r \"$HOME\"'"
    let box = box(line)
    let picture = picture(box, size)
    #expect(picture.contains("rm -r"), "\(picture)")
    #expect(!picture.contains("…"), "\(picture)")
    #expect(box.answer(.enter, on: size) == .always)
    #expect(picture.contains("o      run it once"), "\(picture)")
    #expect(box.answer(.character("o"), on: size) == .once)
  }

  @Test func `a command with characters that cannot be seen is run once at most`() {
    let size = Size(columns: 100, rows: 30)
    let box = QuestionBox(
      .command(
        CommandQuestion(
          name: "Plug\nRun it? Enter",
          line: "printf a\\u{202E}b",
          hasInvisibleCharacters: true,
          usesTerminal: false,
          program: "printf"
        )
      )
    )
    #expect(box.answer(.enter, on: size) == nil)
    #expect(box.answer(.character("a"), on: size) == nil)
    #expect(box.answer(.character("o"), on: size) == .once)
    #expect(box.answer(.character("d"), on: size) == .never)
    let picture = picture(box, size)
    #expect(picture.contains("printf a\\u{202E}b"), "\(picture)")
    #expect(picture.contains("it has characters that cannot be seen"), "\(picture)")
    #expect(picture.contains("Plug Run it? Enter wants to run a command"), "\(picture)")
  }

  @Test(arguments: [1, 2]) func `a screen without room for it agrees to nothing`(_ rows: Int) {
    let size = Size(columns: 40, rows: rows)
    var box = box("rm -r x")
    for _ in 0..<9 { box.scroll(by: 1, on: size) }
    #expect(box.answer(.enter, on: size) == nil)
    #expect(box.answer(.escape, on: size) == .notNow)
    // Three rows have room for it.
    let larger = Size(columns: 40, rows: 3)
    #expect(box.answer(.enter, on: larger) == .always)
    #expect(picture(box, larger).contains("rm -r x"))
  }

  @Test func `one that is longer than the screen is run only after all of it was shown`() {
    let size = Size(columns: 40, rows: 16)
    var box = box((1...120).map { "word\($0)" }.joined(separator: " "))
    #expect(box.answer(.enter, on: size) == nil)
    #expect(box.answer(.character("o"), on: size) == nil)
    #expect(box.answer(.character("d"), on: size) == .never)
    #expect(box.answer(.escape, on: size) == .notNow)
    #expect(!picture(box, size).contains("run it, now"))
    var seen = picture(box, size)
    var steps = 0
    while box.answer(.enter, on: size) == nil, steps < 100 {
      box.scroll(by: box.factRows(on: size), on: size)
      seen += picture(box, size)
      steps += 1
    }
    #expect(box.answer(.enter, on: size) == .always)
    #expect(picture(box, size).contains("run it, now"))
    // A word can be broken at the end of a line.
    let letters = seen.filter { $0.isLetter || $0.isNumber }
    for number in [1, 50, 119, 120] { #expect(letters.contains("word\(number)")) }
    // On a larger screen there is nothing to scroll.
    #expect(!box.scrolls(on: Size(columns: 200, rows: 50)))
  }
}
