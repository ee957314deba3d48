import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import WidgetCards

@Suite struct LineEditorTests {
  /// The text with `|` at the cursor.
  private func picture(_ editor: LineEditor) -> String {
    var text = Array(editor.text)
    text.insert("|", at: editor.cursor)
    return String(text)
  }

  private func edited(_ text: String, _ edits: [LineEditor.Edit]) -> String {
    var editor = LineEditor(text)
    for edit in edits { editor.apply(edit) }
    return picture(editor)
  }

  @Test(
    arguments: [
      ("abc", [], "abc|"), ("abc", [.left], "ab|c"), ("abc", [.left, .left, .left, .left], "|abc"),
      ("abc", [.right], "abc|"), ("abc", [.start, .insert("x")], "x|abc"),
      ("abc", [.start, .end], "abc|"), ("abc", [.left, .backspace], "a|c"),
      ("abc", [.left, .delete], "ab|"), ("abc", [.delete], "abc|"),
      ("abc", [.start, .backspace], "|abc"),
      ("one two", [.left, .deleteToStart], "|o"),
      ("one two", [.start, .right, .deleteToEnd], "o|"),
      ("one two", [.start, .deleteNextWord], "| two"), ("one", [.deleteNextWord], "one|"),
      ("one two  ", [.deleteWord], "one |"), ("one", [.deleteWord, .deleteWord], "|"),
      ("one.two, 3", [.wordLeft, .wordLeft], "one.|two, 3"),
      ("one two", [.wordLeft, .wordLeft, .wordLeft], "|one two"),
      ("one two", [.start, .wordRight], "one| two"),
      ("one two.", [.start, .wordRight, .wordRight, .wordRight], "one two.|"),
    ] as [(String, [LineEditor.Edit], String)]
  )
  func `each key does what readers of a shell expect`(
    text: String,
    edits: [LineEditor.Edit],
    result: String
  ) {
    #expect(edited(text, edits) == result)
  }

  @Test(arguments: [
    "e\u{301}", "👩‍👩‍👧", "🇩🇰", "नि", "東",
  ])
  func `the cursor passes a character as a reader sees it`(character: String) {
    #expect(edited("a\(character)b", [.left, .left, .insert("|")]) == "a||\(character)b")
    #expect(edited("a\(character)b", [.left, .backspace]) == "a|b")
    #expect(edited("a\(character)b", [.start, .right, .delete]) == "a|b")
  }

  @Test func `marks that are typed join the letter before them`() {
    var editor = LineEditor()
    for scalar in "ae\u{301}".unicodeScalars { editor.apply(.insert(String(scalar))) }
    #expect(picture(editor) == "ae\u{301}|")
    editor.apply(.backspace)
    #expect(picture(editor) == "a|")
    // A mark between two letters belongs to the first, also when it is inserted.
    #expect(edited("ab", [.left, .insert("\u{301}"), .insert("c")]) == "a\u{301}c|b")
    #expect(edited("\u{301}", [.start, .insert("e")]) == "e\u{301}|")
  }

  @Test(arguments: [
    ("a\nb", "a b"), ("a\r\nb", "a b"), ("a\rb", "a b"), ("a\tb", "a b"), ("a\u{2028}b", "a b"),
    ("a\n\nb", "a  b"), ("\u{1B}[31mred\u{7}", "[31mred"), ("\u{9B}2J\u{0}x\u{7F}", "2Jx"),
    ("a\u{202E}b\u{200B}c\u{E0041}", "abc"), ("\u{8}\u{3}\u{1A}", ""),
  ])
  func `control characters never enter, and line breaks become blanks`(
    pasted: String,
    text: String
  ) {
    #expect(LineEditor(pasted).text == text)
    let editor = LineEditor(pasted)
    #expect(SafeText(editor.text).string == editor.text)
  }

  @Test func `no text is longer than the limit, and no character is cut`() {
    var editor = LineEditor(limit: 10)
    editor.apply(.insert("12345678"))
    editor.apply(.insert("東京"))
    #expect(editor.text == "12345678")
    editor.apply(.insert("90123"))
    #expect(editor.text == "1234567890")
    editor.apply(.insert(String(repeating: "x", count: 1_000_000)))
    #expect(editor.text == "1234567890")
    #expect(LineEditor(String(repeating: "e\u{301}", count: 9_000)).text.utf8.count <= 4_096)
  }

  @Test func `what was entered is found again, and then what was being typed`() {
    var editor = LineEditor()
    editor.apply(.older)
    #expect(editor.text == "")
    for text in ["one", "two", "two", ""] {
      editor.setText(text)
      editor.enter()
    }
    editor.setText("dra")
    let steps: [(LineEditor.Edit, String)] = [
      (.newer, "dra"), (.older, "two"), (.older, "one"), (.older, "one"), (.newer, "two"),
      (.newer, "dra"), (.newer, "dra"),
    ]
    for (edit, text) in steps {
      editor.apply(edit)
      #expect(editor.text == text)
    }
    for number in 0..<200 {
      editor.setText("\(number)")
      editor.enter()
    }
    for _ in 0..<300 { editor.apply(.older) }
    #expect(editor.text == "150")
  }

  @Test func `a click puts the cursor on the character under it`() {
    var editor = LineEditor("a東b")
    for (column, cursor) in [(0, 0), (1, 1), (2, 1), (3, 2), (4, 3), (90, 3), (-5, 0)] {
      editor.setCursor(atColumn: column, of: 20)
      #expect(editor.cursor == cursor)
    }
  }

  @Test func `random keys keep the cursor in the text`() {
    var random = SeededGenerator(seed: 7)
    let pieces = ["a", " ", "\u{301}", "東", "👩‍👧", "🇩", "🇰", "\u{200D}", "x\ny", "\u{1B}[A"]
    let edits: [LineEditor.Edit] =
      [
        .left, .right, .wordLeft, .wordRight, .start, .end, .backspace, .delete, .deleteToStart,
        .deleteToEnd, .deleteWord, .deleteNextWord, .older, .newer,
      ] + pieces.map { .insert($0) }
    var editor = LineEditor(limit: 60)
    for _ in 0..<5_000 {
      guard let edit = edits.randomElement(using: &random) else { return }
      editor.apply(edit)
      if edit == .insert(" ") { editor.enter() }
      #expect((0...editor.text.count).contains(editor.cursor))
      #expect(editor.text.utf8.count <= 60)
    }
  }
}
