internal import CTestPlatform

/// A terminal in memory: libvterm, fed with what a program writes.
///
/// It is a class because libvterm keeps the state behind a pointer.
@safe package final class TestScreen {
  private let handle: OpaquePointer
  private var splitter = PrivateModeSplitter()
  package private(set) var columns: Int
  package private(set) var lineCount: Int

  /// The lines since something was written; tests look at them again and again.
  private var seenRows: [String]?
  /// Everything that was written, as it came.
  package private(set) var bytes: [UInt8] = []

  package init(columns: Int = 80, rows: Int = 24) {
    self.columns = columns
    self.lineCount = rows
    unsafe handle = test_screen_make(Int32(columns), Int32(rows))
  }

  deinit {
    unsafe test_screen_free(handle)
  }

  /// Lets the terminal act on output of the program; returns what it answers to it.
  @discardableResult
  package func write(_ output: some Collection<UInt8>) -> [UInt8] {
    let output = Array(output)
    seenRows = nil
    bytes += output
    let understood = splitter.split(output)
    unsafe test_screen_write(handle, understood, understood.count)
    return takeAnswer()
  }

  /// Presses and lets go a button over a cell.
  /// - Returns: The report in the protocol that the program asked for, nothing if in none.
  package func click(_ button: MouseButton, column: Int, row: Int) -> [UInt8] {
    unsafe test_screen_click(handle, Int32(column), Int32(row), button.rawValue)
    return takeAnswer()
  }

  private func takeAnswer() -> [UInt8] {
    var answer: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 256)
    while true {
      let count = unsafe test_screen_take_answer(handle, &part, part.count)
      guard count > 0 else { return answer }
      answer += part.prefix(count)
    }
  }

  package func resize(columns: Int, rows: Int) {
    self.columns = columns
    self.lineCount = rows
    seenRows = nil
    unsafe test_screen_resize(handle, Int32(columns), Int32(rows))
  }

  // MARK: - What is seen

  package func cell(column: Int, row: Int) -> ScreenCell {
    unsafe ScreenCell(test_screen_cell(handle, Int32(column), Int32(row)))
  }

  /// The lines from the top, without the spaces at their ends.
  package var rows: [String] {
    if let seenRows { return seenRows }
    var line = [UInt8](repeating: 0, count: columns * Int(TEST_CELL_BYTES))
    let rows = (0..<lineCount).map { row in
      let count = unsafe test_screen_line(handle, Int32(row), Int32(columns), &line)
      return String(decoding: line[..<count], as: UTF8.self)
    }
    seenRows = rows
    return rows
  }

  /// The lines as one text, for messages and for looking for words.
  package var text: String { rows.joined(separator: "\n") }

  package func contains(_ words: String) -> Bool {
    rows.contains { $0.contains(words) }
  }

  /// The first row, from the top, that shows these words.
  package func row(of words: String) -> Int? {
    rows.firstIndex { $0.contains(words) }
  }

  /// The first place, from the top, that shows these words, in cells.
  package func position(of words: String) -> (column: Int, row: Int)? {
    for (row, line) in rows.enumerated() where line.contains(words) {
      for column in 0..<columns where textFrom(column: column, row: row).hasPrefix(words) {
        return (column, row)
      }
    }
    return nil
  }

  private func textFrom(column: Int, row: Int) -> String {
    (column..<columns).map { column in
      let cell = cell(column: column, row: row)
      return cell.isRightHalf ? "" : cell.text
    }.joined()
  }

  package var cursor: (column: Int, row: Int) {
    var column: Int32 = 0
    var row: Int32 = 0
    unsafe test_screen_cursor(handle, &column, &row)
    return (Int(column), Int(row))
  }

  // MARK: - What is set up

  private var modes: test_modes { unsafe test_screen_modes(handle) }

  package var isCursorVisible: Bool { modes.cursor_visible }
  package var isAlternate: Bool { modes.alternate_screen }
  package var reportsMouse: Bool { modes.mouse != 0 }
  /// What was set and not taken back, beside what libvterm tells.
  package var state: TerminalState { TerminalState(after: bytes) }
  /// How often the bell rang.
  package var bellCount: Int { Int(modes.bells) }
  /// How often the window's or the icon's title was set.
  package var titleChangeCount: Int { Int(modes.titles) }
}
