import WidgetKitCore

/// The plain text format: what a script prints, with its colours, as rows that are not wrapped.
enum ScriptText {
  /// The bytes of one row that are used.
  private static let rowBytes = 4 * 1024

  /// Returns the view of a script's output.
  ///
  /// - Parameters:
  ///   - output: What it printed.
  ///   - lines: The rows that are shown: the first ones, or the last ones if it is negative. A last row, or a
  ///     first one, says how many are left out.
  /// - Returns: The view; for a script that printed nothing, one that says so.
  static func view(of output: [UInt8], lines: Int) -> ViewNode {
    var rows = output.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    while let last = rows.last, last.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) {
      rows.removeLast()
    }
    guard !rows.isEmpty else { return note("no output") }
    let limit = Int(clamping: lines.magnitude)
    let leftOut = rows.count - limit
    let shown = lines < 0 ? rows.suffix(limit) : rows.prefix(limit)
    let text = shown.map(line).joined(separator: "\n")
    var children = AnsiContent.rows(of: text).map { ViewNode(.ansi($0)) }
    if leftOut > 0 {
      let words = note(leftOut == 1 ? "… 1 more line" : "… \(leftOut) more lines")
      children.insert(words, at: lines < 0 ? 0 : children.count)
    }
    return ViewNode(.vstack(StackContent(children: children)))
  }

  /// One row as a terminal would have it: what follows the last return to its beginning, with tabs and backspaces done.
  static func line(_ bytes: ArraySlice<UInt8>) -> String {
    var bytes = bytes
    while bytes.last == 0x0D { bytes.removeLast() }
    if let last = bytes.lastIndex(of: 0x0D) { bytes = bytes[(last + 1)...] }
    return TerminalLine.text(of: String(decoding: bytes.prefix(rowBytes), as: UTF8.self))
  }

  private static func note(_ words: SafeText) -> ViewNode {
    var node = ViewNode(.text(TextContent(spans: [TextSpan(words)], lineLimit: 1)))
    node.style = TextStyle(foreground: .semantic(.secondaryLabel))
    return node
  }
}
