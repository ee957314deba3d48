import Testing
import WidgetKitCore

/// The stream of a status command as JSON.
@Suite struct `The stream of a status command` {
  private nonisolated static let header = "{\"version\":1}\n"

  @Test(arguments: [
    // Blocks over several lines, as conky prints them.
    header + "[\n[],\n[\n  { 'full_text': 'a' },\n  { 'full_text': 'b' }\n],\n",
    // The header and the array in one line.
    "{'version':1}[[{'full_text':'a'},{'full_text':'b'}],\n",
    // All of it in one line, and a header in several.
    "{'version':1}[[],[{'full_text':'x'}],[{'full_text':'a'},{'full_text':'b'}]",
    "\n{\n 'version': 1\n}\n\n[\n[{'full_text':'a'},{'full_text':'b'}]\n,",
    "{'version':1}\r\n[\r\n[{'full_text':'a'},\r\n{'full_text':'b'}],\r\n",
    // Without an outer array.
    header + "[{'full_text':'x'}],\n[{'full_text':'a'},{'full_text':'b'}],\n",
    // Brackets in texts, and arrays in private values.
    header + "[[{'full_text':']}[\\\"'}],[{'full_text':'a','_x':[[1],{}]},{'full_text':'b'}],",
  ])
  func `is read however its lines end`(text: String) {
    let text = text.replacing("'", with: "\"")
    for cut in [1, 3, 1_000] {
      var script = PrintedScript(.i3bar)
      script.begin()
      #expect(script.go(text, cut: cut).rows() == ["a", "b"])
    }
  }

  @Test(arguments: [
    "[[{'full_text':'a','markup':'pango',}],\n", "[[{'full_text':'a'},],\n",
    "[[{'full_text':'a' ,\n } , ],\n",
  ])
  func `with a comma too many shows its blocks, and says so`(lines: String) {
    var script = PrintedScript(.i3bar)
    script.begin()
    let rows = script.go(Self.header + lines.replacing("'", with: "\"")).rows(80)
    #expect(rows.first == "a")
    #expect(rows.last == "The newest line has a comma with nothing behind it, which is not JSON.")
    #expect(script.go("[{\"full_text\":\"b\"}],\n").rows() == ["b"])
  }

  @Test(arguments: [
    "[{'full_text':'x'\n", "[{'full_text':'x],\n", "[{'full_text':'x']},\n", "error: no bus\n",
    "[{'full_text':tru}],\n", "{'full_text':'x'},\n", "[[[[\n", "'x'\n",
    String(repeating: "[", count: 200) + "\n",
  ])
  func `goes on behind what cannot be read`(broken: String) {
    for cut in [1, 1_000] {
      var script = PrintedScript(.i3bar)
      script.begin()
      #expect(script.go(Self.header + "[\n[{\"full_text\":\"a\"}],\n", cut: cut).rows() == ["a"])
      _ = script.go(broken.replacing("'", with: "\""), cut: cut)
      #expect(script.go(",[{\"full_text\":\"b\"}]\n", cut: cut).rows() == ["b"])
    }
  }

  @Test func `that cannot be read from its first line on says so`() {
    var script = PrintedScript(.i3bar)
    script.begin()
    let rows = script.go(Self.header + "[\nno bus\n").rows(60)
    #expect(rows == ["The newest line cannot be read: expected [."])
  }

  @Test(arguments: ["{ load 3", "{", "x {\"version\":1}", "{\"a\":1}", "[1]", "5 %"])
  func `is plain lines if it begins with anything else`(line: String) {
    var script = PrintedScript(.i3bar)
    script.begin()
    #expect(script.go("\(line)\n\(line)\n").rows() == [line])
  }
}
