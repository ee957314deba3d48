import WidgetKitCore

/// A view that is as expensive as the default limits allow, for measurements.
///
/// Each view fills one line of 256 KiB, or has as many nodes, rows, columns or levels as allowed.
package nonisolated struct WorstCase: Sendable {
  /// The contents of the view.
  package let name: String
  private let make: @Sendable (Budget) -> String

  /// Returns the view as JSON.
  ///
  /// - Parameter share: How much of each limit is used, above 0 and at most 1.
  /// - Returns: The value of `view` in a message.
  package func view(share: Double = 1) -> String {
    make(Budget(share: share))
  }

  /// The limits, or a share of them.
  struct Budget {
    /// How much of each limit is used.
    let share: Double
    /// Bytes of the view's JSON, with room for the message around it.
    var bytes: Int { scaled(256 * 1024 - 256) }
    /// Bytes of one text.
    var textBytes: Int { scaled(ViewLimits.standard.textBytes) }
    /// Nodes.
    var nodes: Int { scaled(ViewLimits.standard.nodes) }
    /// Rows of a grid.
    var gridRows: Int { scaled(ViewLimits.standard.gridRows) }
    /// Columns of a grid.
    var gridColumns: Int { ViewLimits.standard.gridColumns }
    /// Nodes inside each other.
    var depth: Int { ViewLimits.standard.depth }

    func scaled(_ limit: Int) -> Int { max(1, Int(Double(limit) * share)) }
  }

  private init(_ name: String, _ make: @escaping @Sendable (Budget) -> String) {
    self.name = name
    self.make = make
  }

  /// All of them.
  package static let all = texts + repeatedNodes + structures + figures
}

// MARK: - Texts

nonisolated extension WorstCase {
  /// Pieces of text as JSON, with the number of bytes of each when decoded.
  private static let pieces: [(name: String, json: String, bytes: Int)] = [
    ("tabs", #"\t"#, 1),
    ("blanks", " ", 1),
    ("letters without a blank", "a", 1),
    ("words of one letter", "a ", 2),
    ("words after many blanks", String(repeating: " ", count: 500) + "a", 501),
    ("line breaks", #"\n"#, 1),
    ("control characters", #"\u0001"#, 1),
    ("combining marks", "e\u{301}\u{302}\u{303}\u{304}", 9),
    ("marks alone", "\u{301}", 2),
    ("joined emoji", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", 18),
    ("joiners without an end", "\u{1F469}\u{200D}", 7),
    ("flags", "\u{1F1E9}\u{1F1F0}", 8),
    ("wide characters", "漢", 3),
    ("wide and narrow characters", "漢a", 4),
    ("Hebrew", "א", 2),
    ("Arabic", "م", 2),
    ("directions", "\u{202E}a", 4),
    ("Devanagari conjuncts", "\u{915}\u{94D}", 6),
    ("Hangul letters", "\u{1100}", 3),
    ("Tamil", "\u{BA8}\u{BBF}", 6),
    ("Thai", "\u{E01}\u{E33}", 6),
    ("unassigned", "\u{E0FFF}", 4),
  ]

  private static let texts: [WorstCase] =
    pieces.flatMap { piece in
      [
        WorstCase("one text: \(piece.name)") { #"{"type":"text","text":"\#(text(piece, $0))"}"# },
        WorstCase("many texts: \(piece.name)") { budget in
          stack(of: #""\#(text(piece, budget))""#, budget)
        },
      ]
    } + [
      WorstCase("texts of one line, cut in the middle") { budget in
        let words = String(repeating: "漢字 ab ", count: budget.textBytes / 10)
        let node =
          #"{"type":"text","lineLimit":1,"truncation":"middle","text":"\#(words)"}"#
        return stack(of: node, budget)
      },
      WorstCase("plain spans") { budget in
        #"{"type":"text","text":[\#(spans(of: "\"a\"", budget))]}"#
      },
      WorstCase("spans with links") { budget in
        let span = #"{"text":"a","link":"x:"}"#
        return #"{"type":"text","text":[\#(spans(of: span, budget))]}"#
      },
      WorstCase("spans with styles") { budget in
        let span = ##"{"text":"a","style":{"foreground":"#123456","bold":true}}"##
        return #"{"type":"text","text":[\#(spans(of: span, budget))]}"#
      },
      WorstCase("long links") { budget in
        let link = "x:" + String(repeating: "a", count: 2_000)
        let node = #"{"type":"text","text":[{"text":"漢 words","link":"\#(link)"}]}"#
        return stack(of: node, budget)
      },
      WorstCase("ansi with a colour for each character") { budget in
        ansi(#"\u001b[31ma\u001b[32mb"#, bytes: 12, budget)
      },
      WorstCase("ansi with colours that change nothing") { budget in
        ansi(#"\u001b[1m\u001b[0ma"#, bytes: 9, budget)
      },
      WorstCase("ansi with one long sequence") { budget in
        ansi(
          #"\u001b["# + String(repeating: "38;", count: budget.textBytes / 3 - 4) + "ma",
          bytes: budget.textBytes - 8,
          budget
        )
      },
      WorstCase("ansi with strings without an end") { budget in
        ansi(#"\u001b]a"#, bytes: 3, budget)
      },
    ]

  /// A text of the largest size.
  private static func text(
    _ piece: (name: String, json: String, bytes: Int),
    _ budget: Budget
  ) -> String {
    // The JSON of a text must fit into the line.
    let count = min(budget.textBytes / piece.bytes, (budget.bytes - 64) / piece.json.utf8.count)
    return String(repeating: piece.json, count: max(1, count))
  }

  /// As many spans as a view may have.
  private static func spans(of span: String, _ budget: Budget) -> String {
    list(of: span, count: min(budget.nodes - 1, (budget.bytes - 64) / (span.utf8.count + 1)))
  }

  private static func ansi(_ piece: String, bytes: Int, _ budget: Budget) -> String {
    let text = String(repeating: piece, count: max(1, budget.textBytes / bytes))
    return stack(of: #"{"type":"ansi","text":"\#(text)"}"#, budget)
  }
}

// MARK: - Nodes

nonisolated extension WorstCase {
  private static let nodes: [(name: String, json: String)] = [
    ("texts", "\"some words\""),
    ("wide texts", "\"漢字\""),
    ("dates", #"{"type":"date","display":"relative","date":"2026-11-20T13:28:00Z"}"#),
    ("clocks", #"{"type":"date","timeZone":"Asia/Tokyo"}"#),
    ("spacers", #"{"type":"spacer"}"#),
    ("dividers", #"{"type":"divider"}"#),
    ("gauges", #"{"type":"gauge","label":"a","value":0.5}"#),
    ("sparklines", #"{"type":"sparkline","values":[1,2,3]}"#),
    ("charts", #"{"type":"chart","series":[{"values":[1,9]}]}"#),
    ("images", #"{"type":"image","alt":"a","height":3}"#),
    ("buttons", #"{"type":"button","label":"a","action":"b"}"#),
    ("toggles", #"{"type":"toggle","label":"a","isOn":true}"#),
    ("fields", #"{"type":"field","id":"a","text":"some words","placeholder":"b"}"#),
    ("closed folds", #"{"type":"fold","label":"a","children":["b"]}"#),
    ("open folds", #"{"type":"fold","label":"a","isOpen":true,"children":["b"]}"#),
    ("lists", #"{"type":"list","id":"a","rows":[{"id":"a","view":"b"}]}"#),
    ("ansi texts", #"{"type":"ansi","text":"\u001b[1ma"}"#),
    ("unknown nodes", #"{"type":"x","alt":"a"}"#),
    ("nodes with ids", #"{"type":"text","text":"a","id":"a"}"#),
    ("backgrounds", #"{"type":"text","text":"a","style":{"background":"red"}}"#),
    ("paddings", #"{"type":"text","text":"a","padding":10000}"#),
    ("large frames", #"{"type":"text","text":"a","frame":{"width":10000,"height":10000}}"#),
    ("tall colours", #"{"type":"spacer","frame":{"height":99},"style":{"background":"red"}}"#),
    ("tall sparklines", #"{"type":"sparkline","values":[1,2,3],"height":9999}"#),
    ("tall charts", #"{"type":"chart","series":[{"values":[1,9]}],"height":999}"#),
  ]

  private static let repeatedNodes: [WorstCase] = nodes.flatMap { node in
    ["vstack", "hstack", "zstack"].map { container in
      WorstCase("\(container) of \(node.name)") { stack(of: node.json, $0, in: container) }
    } + [
      WorstCase("grid of \(node.name)") { grid(of: node.json, $0, columns: $0.gridColumns) }
    ]
  }

  private static let structures: [WorstCase] =
    ["vstack", "hstack", "zstack"].map { container in
      WorstCase("deep \(container)s") { budget in
        deep(budget) { #"{"type":"\#(container)","children":[\#($0),"ab cd",\#(leaf)]}"# }
      }
    } + [
      WorstCase("deep rows and columns") { budget in
        deep(budget) {
          #"{"type":"hstack","children":[{"type":"vstack","children":[\#($0),"ab cd"]},\#(leaf)]}"#
        }
      },
      WorstCase("deep grids") { budget in
        // Each one nests three deep in JSON; the limit for a line is 64.
        deep(budget, levels: 19) { #"{"type":"grid","rows":[["ab",\#($0)],[\#(leaf),"cd"]]}"# }
      },
      WorstCase("deep pressed rows") { budget in
        deep(budget) {
          #"{"type":"vstack","action":"a","id":"b","children":[\#($0),"\#(words)"]}"#
        }
      },
      WorstCase("a pressed row in each other around long texts") { budget in
        let text = String(repeating: "漢", count: budget.textBytes / 3)
        let inner = Array(repeating: "\"\(text)\"", count: 15).joined(separator: ",")
        var node = #"{"type":"vstack","action":"a","children":[\#(inner)]}"#
        for _ in 0..<budget.depth - 3 {
          node = #"{"type":"vstack","action":"a","children":[\#(node)]}"#
        }
        return node
      },
      WorstCase("buttons in each other") { budget in
        var node = "\"a\""
        for _ in 0..<budget.depth - 1 { node = #"{"type":"button","label":\#(node)}"# }
        return node
      },
      WorstCase("rows of priorities") { budget in
        let children = (0..<min(budget.nodes - 1, budget.bytes / 52)).map {
          #"{"type":"text","text":"ab","layoutPriority":\#($0)}"#
        }
        return #"{"type":"hstack","children":[\#(children.joined(separator: ","))]}"#
      },
      WorstCase("a list of many rows") { budget in
        let count = min(budget.nodes - 1, budget.bytes / 40)
        let rows = (0..<count).map { #"{"id":"\#($0)","view":"ab","action":"b"}"# }
        return #"{"type":"list","id":"a","rows":[\#(rows.joined(separator: ","))]}"#
      },
      WorstCase("deep folds") { budget in
        deep(budget) { #"{"type":"fold","label":"ab","isOpen":true,"children":[\#($0),\#(leaf)]}"# }
      },
      WorstCase("deep lists") { budget in
        // Each one nests three deep in JSON, as a grid does.
        deep(budget, levels: 19) {
          #"{"type":"list","rows":[{"id":"a","view":\#($0)},{"id":"b","view":\#(leaf)}]}"#
        }
      },
      WorstCase("a grid of 1,000 rows") { grid(of: "\"ab\"", $0, columns: 4) },
      WorstCase("a grid of empty rows") { budget in
        let rows = Array(repeating: "[]", count: budget.gridRows).joined(separator: ",")
        return #"{"type":"grid","rowSpacing":9,"rows":[\#(rows)]}"#
      },
      WorstCase("a grid of wide columns") { budget in
        let columns = list(of: #"{"width":10000,"priority":1}"#, count: budget.gridColumns)
        let row = "[" + list(of: "\"ab\"", count: budget.gridColumns) + "]"
        return #"{"type":"grid","columns":[\#(columns)],"rows":[\#(row)]}"#
      },
    ]

  private static let figures: [WorstCase] = [
    WorstCase("a sparkline of many values") { budget in
      #"{"type":"sparkline","height":9,"values":[\#(list(of: "1,9", budget.bytes - 64))]}"#
    },
    WorstCase("a chart of many values") { budget in
      let values = list(of: "1,9", budget.bytes - 80)
      return #"{"type":"chart","height":99,"series":[{"values":[\#(values)]}]}"#
    },
    WorstCase("a chart of many series") { budget in
      let values = list(of: "1,9", count: 60)
      let series = list(of: #"{"values":[\#(values)]}"#, budget.bytes - 80)
      return #"{"type":"chart","height":1000,"series":[\#(series)]}"#
    },
    WorstCase("a bar chart of many series") { budget in
      let series = list(of: #"{"values":[1,9,2,8]}"#, budget.bytes - 80)
      return #"{"type":"chart","kind":"bar","height":1000,"series":[\#(series)]}"#
    },
    WorstCase("a chart of many names") { budget in
      let series = list(of: #"{"name":"漢字","values":[1]}"#, budget.bytes - 80)
      return #"{"type":"chart","series":[\#(series)]}"#
    },
    WorstCase("a gauge of many thresholds") { budget in
      let thresholds = list(of: #"{"at":0.1,"foreground":"red"}"#, budget.bytes - 80)
      return #"{"type":"gauge","value":0.5,"thresholds":[\#(thresholds)]}"#
    },
  ]
}

// MARK: - Making JSON

nonisolated extension WorstCase {
  private static let leaf = #"{"type":"spacer","minLength":1}"#
  private static let words = "some words to be wrapped at the boundary of a line 漢字"

  private static func list(of item: String, count: Int) -> String {
    Array(repeating: item, count: max(1, count)).joined(separator: ",")
  }

  private static func list(of item: String, _ bytes: Int) -> String {
    list(of: item, count: bytes / (item.utf8.count + 1))
  }

  /// A stack with as many children as fit into the line and are allowed.
  private static func stack(
    of child: String,
    _ budget: Budget,
    in container: String = "vstack"
  ) -> String {
    let perChild = nodeCount(child)
    let count = min(
      (budget.nodes - 1) / perChild,
      (budget.bytes - 64) / (child.utf8.count + 1)
    )
    return #"{"type":"\#(container)","children":[\#(list(of: child, count: count))]}"#
  }

  /// How many nodes a node is with those that it holds: the label of a button, a row of a list.
  private static func nodeCount(_ json: String) -> Int {
    ["\"label\":\"", "\"view\":\"", "\"children\":[\""].reduce(1) {
      $0 + (json.contains($1) ? 1 : 0)
    }
  }

  private static func grid(of cell: String, _ budget: Budget, columns: Int) -> String {
    let perCell = nodeCount(cell)
    let count = min(
      (budget.nodes - 1) / perCell,
      (budget.bytes - 64 - 3 * budget.gridRows) / (cell.utf8.count + 1)
    )
    let row = "[" + list(of: cell, count: columns) + "]"
    let rows = list(of: row, count: min(count / columns, budget.gridRows))
    return #"{"type":"grid","rows":[\#(rows)]}"#
  }

  /// Many trees of the full depth next to each other.
  private static func deep(
    _ budget: Budget,
    levels: Int = ViewLimits.standard.depth - 3,
    _ wrap: (String) -> String
  ) -> String {
    var node = "\"a\""
    let step = wrap(node).contains("hstack\",\"children\":[{\"type\":\"vstack") ? 2 : 1
    for _ in 0..<levels / step { node = wrap(node) }
    // No level adds more than four nodes.
    let count = min((budget.nodes - 1) / (4 * levels), (budget.bytes - 64) / (node.utf8.count + 1))
    return #"{"type":"vstack","children":[\#(list(of: node, count: count))]}"#
  }
}
