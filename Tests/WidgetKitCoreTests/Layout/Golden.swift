import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore

/// A picture as text beside its test: the characters, then for each cell a letter for its style, then
/// the meanings of the letters.
///
/// `RECORD=1` in the environment writes the files again, and the run fails with "recorded".
enum Golden {
  /// Compares `view` with `Goldens/<subject>.<columns>.txt`.
  static func check(
    _ view: LaidOutView,
    _ subject: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Goldens")
    let file = folder.appending(path: "\(subject).\(view.size.columns).txt")
    let found = describe(view)
    if getenv("RECORD") != nil {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(found.utf8).write(to: file)
      Issue.record("recorded \(file.lastPathComponent)", sourceLocation: sourceLocation)
      return
    }
    guard let data = try? Data(contentsOf: file) else {
      Issue.record(
        "no \(file.lastPathComponent): record it with RECORD=1",
        sourceLocation: sourceLocation
      )
      return
    }
    let expected = String(decoding: data, as: UTF8.self)
    if found != expected {
      Issue.record(
        "\(file.lastPathComponent)\n\(difference(from: expected, to: found))",
        sourceLocation: sourceLocation
      )
    }
  }

  /// The cells of a view, row by row.
  static func grid(_ view: LaidOutView) -> [[Cell]] {
    let row = Array(repeating: Cell.blank, count: view.size.columns)
    var grid = Array(repeating: row, count: view.size.rows)
    for run in view.runs {
      for (index, cell) in run.cells.enumerated() {
        grid[run.position.row][run.position.column + index] = cell
      }
    }
    return grid
  }

  /// The characters of a view, without spaces at the ends of rows.
  static func text(_ view: LaidOutView) -> String {
    grid(view).map { trimmed($0.map(\.glyph.text).joined()) + "\n" }.joined()
  }

  private static func trimmed(_ line: String) -> String {
    var line = Substring(line)
    while line.last == " " { line.removeLast() }
    return String(line)
  }

  private static func describe(_ view: LaidOutView) -> String {
    var letters: [CellStyle: Character] = [.plain: "."]
    var legend = ""
    var looks = ""
    for row in grid(view) {
      var line = ""
      for cell in row {
        if letters[cell.style] == nil {
          let letter = Character(Unicode.Scalar(UInt8(ascii: "a") + UInt8(letters.count - 1)))
          letters[cell.style] = letter
          legend += "\(letter) \(describe(cell.style))\n"
        }
        line.append(letters[cell.style] ?? "?")
      }
      looks += line + "\n"
    }
    let targets = view.targets.map { target in
      let frame = target.frame
      return "\(frame.minColumn),\(frame.minRow) \(frame.size.columns)x\(frame.size.rows)"
        + " \(target.action ?? target.link ?? "?")"
        + (target.newValue.map { " to \($0)" } ?? "") + "\n"
    }
    return text(view) + "---\n" + looks + "---\n" + legend + "---\n" + targets.joined()
  }

  private static func describe(_ style: CellStyle) -> String {
    let names: [(CellAttributes, String)] = [
      (.bold, "bold"), (.dim, "dim"), (.italic, "italic"), (.underline, "underline"),
      (.strikethrough, "strikethrough"), (.reverse, "reverse"),
    ]
    let words = names.filter { style.attributes.contains($0.0) }.map(\.1)
    let colors = [style.foreground.map(name), style.background.map { "on \(name($0))" }]
    return (colors.compactMap { $0 } + words).joined(separator: " ")
  }

  private static func name(_ color: Color) -> String {
    switch color {
    case .semantic(let name): name.rawValue
    case .indexed(let index): "\(index)"
    case .rgb(let red, let green, let blue): "rgb(\(red),\(green),\(blue))"
    }
  }

  /// A unified difference without context, line by line.
  private static func difference(from old: String, to new: String) -> String {
    let old = old.split(separator: "\n", omittingEmptySubsequences: false)
    let new = new.split(separator: "\n", omittingEmptySubsequences: false)
    return (0..<max(old.count, new.count)).compactMap { index -> String? in
      let before = index < old.count ? old[index] : nil
      let after = index < new.count ? new[index] : nil
      guard before != after else { return nil }
      return [before.map { "-\($0)" }, after.map { "+\($0)" }].compactMap { $0 }
        .joined(separator: "\n")
    }.joined(separator: "\n")
  }
}
