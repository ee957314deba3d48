import Testing
import WidgetKitCore
import WidgetPages

@testable import TerminalInput
@testable import WidgetTUI

@Suite struct KeyStrokeTests {
  /// The keys of the page in what a terminal sends.
  private func keys(_ text: String) -> [Key?] {
    var parser = InputParser()
    let start = ContinuousClock.now
    let events = parser.take(Array(text.utf8), at: start) + parser.expire(at: start + .seconds(9))
    return events.map { event in
      if case .key(let stroke) = event { Key(stroke) } else { nil }
    }
  }

  @Test func `keys with modifiers are keys of the page where it has them`() {
    #expect(keys("\u{1B}[1;2A\u{1B}[1;2B") == [.shiftUp, .shiftDown])
    #expect(
      keys("\u{1B}[1;5D\u{1B}[1;3C\u{1B}Od\u{1B}\u{1B}[C") == [
        .wordLeft, .wordRight, .wordLeft, .wordRight,
      ]
    )
    #expect(keys("\u{1B}[1;2D\u{1B}[1;5H\u{1B}[1;2F\u{1B}[5;2~") == [.left, .home, .end, .pageUp])
    #expect(
      keys("\u{1B}[Z\u{1B}[9;2u\u{1B}[13u\u{1B}[3;2~") == [.backTab, .backTab, .enter, .delete]
    )
    #expect(keys("\u{1B}[11~\u{1B}[[B\u{1B}[2~") == [.function(1), .function(2), .insert])
  }

  @Test func `keys that the page does not have are none`() {
    let none = [
      "\u{1B}[1;5A", "\u{1B}[1;9A", "\u{1B}[3;9~", "\u{1B}\r", "\u{1B}[99;7u",
      "\u{1B}[113;9u", "\u{1B}O2P", "\u{0}",
    ]
    for text in none { #expect(keys(text) == [nil], "\(text.dropFirst())") }
  }

  @Test func `with Ctrl or Alt, Backspace and Delete are for words`() {
    #expect(
      keys("\u{1B}\u{7F}\u{1B}[27;6;8~\u{1B}[127;5u\u{1B}[3;5~\u{1B}[3;3~")
        == [.control("w"), .control("w"), .control("w"), .alt("d"), .alt("d")]
    )
  }

  @Test func `Alt with a character is a key of its own, and Ctrl is what it is everywhere`() {
    #expect(
      keys("\u{1B}q\u{1B}b\u{1B}[113;3u\u{1B}ä") == [.alt("q"), .alt("b"), .alt("q"), .alt("ä")]
    )
    #expect(
      keys("\u{1B}[99;5u\u{1B}[109;5u\u{1B}[27;5;105~\u{1B}[91;5u\u{1B}[27;6;67~")
        == [.control("c"), .enter, .tab, .escape, .control("c")]
    )
    #expect(KeyMap.standard.intent(of: .alt("q")) == nil)
    let map = KeyMap([
      "alt-q": .command("quit"), "f5": .command("refreshAll"), "insert": .command("edit"),
    ])
    #expect(map.intent(of: .alt("q")) == .quit && map.intent(of: .function(5)) == "refreshAll")
    #expect(map.intent(of: .insert) == .edit)
    #expect(Key.alt("q").name == "Alt-q" && Key.function(5).name == "F5")
  }
}
