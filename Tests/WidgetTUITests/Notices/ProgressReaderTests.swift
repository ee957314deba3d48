import Testing

@testable import WidgetTUI

/// The progress that a command tells its terminal.
@Suite struct ProgressReaderTests {
  /// The progress after some output that comes in parts of a size.
  private func progress(_ text: String, inPartsOf size: Int) -> CommandProgress {
    var reader = ProgressReader()
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: size) {
      reader.take(bytes[start..<min(start + size, bytes.count)])
    }
    return reader.progress
  }

  @Test(
    arguments: [
      ("\u{1B}]9;4;1;40\u{7}", .running, 40), ("\u{1B}]9;4;1;40\u{1B}\\", .running, 40),
      ("\u{1B}]9;4;1;40\u{7}text\u{1B}]9;4;2\u{7}", .failing, 40),
      ("\u{1B}]9;4;2;90\u{7}", .failing, 90),
      ("\u{1B}]9;4;1;9\u{7}\u{1B}]9;4;3\u{7}", .indeterminate, nil),
      ("\u{1B}]9;4;1;9\u{7}\u{1B}]9;4;4;\u{7}", .paused, 9),
      ("\u{1B}]9;4;1;9\u{7}\u{1B}]9;4;0;0\u{7}", .none, nil),
      ("\u{1B}]9;4;1\u{7}", .running, 0), ("\u{1B}]9;4;1;250\u{7}", .running, 100),
      ("\u{1B}]9;4;1;-5\u{7}", .running, 0),
      // What is no progress, or not a whole one.
      ("\u{1B}]9;4;1;40", .none, nil), ("\u{1B}]9;4;7;40\u{7}", .none, nil),
      ("\u{1B}]9;a message\u{7}", .none, nil), ("\u{1B}]9;44;1;40\u{7}", .none, nil),
      ("\u{1B}]0;9;4;1;40\u{7}", .none, nil), ("]9;4;1;40\u{7}", .none, nil),
      ("\u{1B}]9;4;1;" + String(repeating: "4", count: 100) + "\u{7}", .none, nil),
      // As it is passed through a tmux.
      ("\u{1B}Ptmux;\u{1B}\u{1B}]9;4;1;7\u{7}\u{1B}\\", .running, 7),
    ] as [(String, CommandProgress.State, Int?)]
  )
  func `it is found wherever the output is cut`(
    text: String,
    state: CommandProgress.State,
    percent: Int?
  ) {
    for size in [1, 2, 3, 1000] {
      #expect(progress(text, inPartsOf: size) == CommandProgress(state: state, percent: percent))
    }
  }
}

/// The last lines of what a command has written.
@Suite struct OutputTailTests {
  private func lines(_ parts: [String], _ count: Int = 5) -> String? {
    var tail = OutputTail()
    for part in parts { tail.append(Array(part.utf8)[...]) }
    return tail.lastLines(count)
  }

  @Test(
    arguments: [
      ("", nil), ("\n \n", nil), ("a\nb", "a\nb"), ("1\n2\n3\n4\n5\n6\n", "2\n3\n4\n5\n6"),
      ("a\r\nb\r\n", "a\nb"), ("10 %\r20 %\r30 %\nend\n", "30 %\nend"),
      ("\u{1B}[1;31merror\u{1B}[0m: x\n", "error: x"), ("\u{1B}]0;title\u{7}a\n", "a"),
      ("\u{1B}]8;;https://a\u{1B}\\link\u{1B}]8;;\u{1B}\\\n", "link"),
      ("\u{1B}(Bplain\u{1B}=\n", "plain"),
      ("cut \u{1B}", "cut "), ("cut \u{1B}[1", "cut "), ("cut \u{1B}]0;t", "cut "),
    ] as [(String, String?)]
  )
  func `they are as a terminal leaves them`(text: String, expected: String?) {
    #expect(lines([text]) == expected)
    #expect(lines(text.map(String.init)) == expected)
  }

  @Test func `of a flood only the end is kept`() {
    var tail = OutputTail()
    for number in 0..<20_000 { tail.append(Array("line \(number)\n".utf8)[...]) }
    tail.append([UInt8](repeating: 10, count: 1 << 20)[...])
    #expect(tail.lastLines(2) == nil)
    tail.append(Array("last\n".utf8)[...])
    #expect(tail.lastLines(2) == "last")
  }
}
