import JSONQueries
import WidgetKitCore

/// What is shown of a JSON text.
struct JSONShape: Sendable {
  /// Why the user's values cannot be used.
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// A path that somebody has written, and where.
  private struct Query {
    var path: JSONPath
    /// The name of the value that has it, and its text.
    var place: String

    /// The values that it finds.
    func values(
      in tree: JSONTree,
      limit: Int = .max,
      _ budget: inout JSONPathBudget
    ) throws(Failure) -> [JSONTree] {
      do throws(JSONPathBudget.Exceeded) {
        return try path.values(in: tree, limit: limit, budget: &budget)
      } catch {
        throw Failure(description: "\(place): \(error)")
      }
    }
  }

  /// A column of the table: a path in each row, and the name above it.
  private struct Column {
    var title: String
    var query: Query
  }

  /// A part of a template: text, or a path in braces.
  private enum Piece {
    case text(String)
    case path(Query)
  }

  private var rows: Query?
  private var columns: [Column] = []
  private var template: [[Piece]]?
  private var value: Query?

  /// The columns of a table whose names nobody has given.
  private static let columnLimit = 8
  /// The values of a cell that are shown.
  private static let cellLimit = 100

  /// Reads `rows`, `columns`, `template` and `value`.
  init(_ parameters: [String: String]) throws(Failure) {
    if let text = parameters["rows"] { rows = try Self.path(text, "rows") }
    if let text = parameters["value"] { value = try Self.path(text, "value") }
    if let text = parameters["columns"] {
      for item in Self.items(of: text) { columns.append(try Self.column(item)) }
    }
    if let text = parameters["template"] {
      template = []
      for line in text.replacing("\\n", with: "\n").split(
        separator: "\n",
        omittingEmptySubsequences: false
      ) {
        template?.append(try Self.pieces(String(line)))
      }
    }
  }

  /// A path; one without `$` begins at the value itself: `state.count` is `$.state.count`.
  private static func path(_ text: String, _ name: String) throws(Failure) -> Query {
    let words = text.drop { $0 == " " }
    let full =
      words.hasPrefix("$")
      ? String(words)
      : words.hasPrefix("@")
        ? "$" + words.dropFirst() : words.hasPrefix("[") ? "$" + words : "$." + words
    do throws(JSONPath.Failure) {
      return Query(path: try JSONPath(full), place: "\(name): \(text)")
    } catch {
      if let path = namedPath(words) { return Query(path: path, place: "\(name): \(text)") }
      throw Failure(description: "\(name): \(text): \(error.reason)")
    }
  }

  /// The path of names that JSONPath takes in quotes alone, such as `state.last-run`; nil for anything else.
  private static func namedPath(_ words: Substring) -> JSONPath? {
    let words = words.hasPrefix("$.") ? words.dropFirst(2) : words
    let isPlain = words.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || "0"..."9" ~= scalar
        || ["_", "-", "$", " ", "."].contains(scalar)
    }
    let names = words.split(separator: ".", omittingEmptySubsequences: false)
    guard isPlain, names.allSatisfy({ !$0.isEmpty }) else { return nil }
    return try? JSONPath("$" + names.map { "['\($0)']" }.joined())
  }

  /// The items of a list; a comma in brackets or quotes belongs to its item.
  private static func items(of text: String) -> [String] {
    var items = [""]
    var depth = 0
    var quote: Unicode.Scalar?
    for character in text.unicodeScalars {
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "'" || character == "\"" {
        quote = character
      } else if character == "[" || character == "(" {
        depth += 1
      } else if character == "]" || character == ")" {
        depth -= 1
      } else if character == ",", depth == 0 {
        items.append("")
        continue
      }
      items[items.count - 1].unicodeScalars.append(character)
    }
    return items
  }

  private static func column(_ item: String) throws(Failure) -> Column {
    var words = item.split(separator: " ")
    var title: String?
    if let mark = words.lastIndex(of: "as"), mark > 0, mark < words.count - 1 {
      title = words[(mark + 1)...].joined(separator: " ").filter { $0 != "\"" && $0 != "'" }
      words = Array(words[..<mark])
    }
    let path = words.joined(separator: " ")
    guard !path.isEmpty else {
      throw Failure(description: "columns: expected names between commas")
    }
    return Column(title: title ?? path, query: try Self.path(path, "columns"))
  }

  private static func pieces(_ line: String) throws(Failure) -> [Piece] {
    var pieces: [Piece] = []
    var rest = line.unicodeScalars[...]
    while let open = rest.firstIndex(of: "{") {
      guard let close = rest[open...].firstIndex(of: "}") else {
        throw Failure(description: "template: expected } after {")
      }
      pieces.append(.text(String(rest[..<open])))
      pieces.append(.path(try path(String(rest[rest.index(after: open)..<close]), "template")))
      rest = rest[rest.index(after: close)...]
    }
    pieces.append(.text(String(rest)))
    return pieces
  }

  // MARK: - Views

  /// The number of `value`, or the text of one; nil if there is none.
  func number(in tree: JSONTree, _ budget: inout JSONPathBudget) throws(Failure) -> Double? {
    guard let found = try value?.values(in: tree, limit: 1, &budget).first else { return nil }
    return found.number ?? found.string.flatMap(ScriptNumber.first)
  }

  /// Returns the view of a text, with at most `lines` rows.
  func view(
    of tree: JSONTree,
    lines: Int,
    _ budget: inout JSONPathBudget
  ) throws(Failure) -> ViewNode {
    let found = try foundRows(in: tree, &budget)
    if let template {
      return try view(of: rows == nil ? [tree] : found, template, lines: lines, &budget)
    }
    guard !found.isEmpty else { return ScriptWords.text("nothing found", .secondary) }
    let isList = rows != nil || tree.items != nil
    let columns = columns.isEmpty && isList ? standardColumns(found) : columns
    guard !columns.isEmpty else {
      if rows == nil, tree.members != nil { return table(of: tree, lines: lines) }
      var shown = found.prefix(lines).map { ScriptWords.text($0.words) }
      if found.count > lines { shown.append(ScriptWords.more(found.count - lines)) }
      return ScriptWords.stack(shown)
    }
    return try table(found, columns, lines: lines, &budget)
  }

  /// The values of `rows`; without it, the items of an array, and everything else as a single row.
  private func foundRows(
    in tree: JSONTree,
    _ budget: inout JSONPathBudget
  ) throws(Failure) -> [JSONTree] {
    if let rows { return try rows.values(in: tree, &budget) }
    return tree.items ?? [tree]
  }

  /// The names of the members of the first row, if rows are objects.
  private func standardColumns(_ rows: [JSONTree]) -> [Column] {
    guard let members = rows.first?.members else { return [] }
    return members.prefix(Self.columnLimit).map { member in
      let path = JSONPath(member: member.name)
      return Column(title: member.name, query: Query(path: path, place: member.name))
    }
  }

  /// Rows as a template has them.
  private func view(
    of rows: [JSONTree],
    _ template: [[Piece]],
    lines: Int,
    _ budget: inout JSONPathBudget
  ) throws(Failure) -> ViewNode {
    let count = rows.count * template.count
    var shown: [ViewNode] = []
    for row in rows.prefix(lines) {
      for pieces in template where shown.count < lines {
        let words = try words(pieces, in: row, &budget)
        shown.append(ScriptWords.text(words.isEmpty ? " " : words))
      }
    }
    if count > lines { shown.append(ScriptWords.more(count - lines)) }
    return ScriptWords.stack(
      shown.isEmpty ? [ScriptWords.text("nothing found", .secondary)] : shown
    )
  }

  private func words(
    _ pieces: [Piece],
    in row: JSONTree,
    _ budget: inout JSONPathBudget
  ) throws(Failure) -> String {
    var words = ""
    for piece in pieces {
      switch piece {
      case .text(let text): words += text
      case .path(let query):
        let found = try query.values(in: row, limit: Self.cellLimit, &budget)
        words += found.map(\.words).joined(separator: ", ")
      }
    }
    return words
  }

  /// A table with the names of its columns above it; numbers are aligned to the right.
  private func table(
    _ rows: [JSONTree],
    _ columns: [Column],
    lines: Int,
    _ budget: inout JSONPathBudget
  ) throws(Failure) -> ViewNode {
    var shown: [[[JSONTree]]] = []
    for row in rows.prefix(lines) {
      var cells: [[JSONTree]] = []
      for column in columns {
        cells.append(try column.query.values(in: row, limit: Self.cellLimit, &budget))
      }
      shown.append(cells)
    }
    let isNumeric = columns.indices.map { index in
      shown.contains { $0[index].first?.number != nil }
        && shown.allSatisfy { $0[index].allSatisfy { $0.number != nil || $0 == .null } }
    }
    let head = columns.map { ScriptWords.text($0.title, .secondary) }
    let body = shown.map { cells in
      cells.map { ScriptWords.text($0.isEmpty ? "–" : $0.map(\.words).joined(separator: ", ")) }
    }
    let shape = columns.indices.map {
      GridColumn(alignment: isNumeric[$0] ? .trailing : .leading, priority: isNumeric[$0] ? 1 : 0)
    }
    let grid = ViewNode(.grid(GridContent(rows: [head] + body, columns: shape, columnSpacing: 2)))
    return rows.count > lines
      ? ScriptWords.stack([grid, ScriptWords.more(rows.count - lines)]) : grid
  }

  /// An object alone: a row for each member.
  private func table(of tree: JSONTree, lines: Int) -> ViewNode {
    let members = tree.members ?? []
    let rows = members.prefix(lines).map {
      [ScriptWords.text($0.name, .secondary), ScriptWords.text($0.value.words)]
    }
    guard !rows.isEmpty else { return ScriptWords.text("nothing found", .secondary) }
    let grid = ViewNode(
      .grid(
        GridContent(rows: rows, columns: [GridColumn(priority: 1), GridColumn()], columnSpacing: 2)
      )
    )
    return members.count > lines
      ? ScriptWords.stack([grid, ScriptWords.more(members.count - lines)]) : grid
  }
}
