import WidgetKitCore

/// Cuts the view of a script to the limits of a view.
///
/// What a program prints can be too long for one text, or too much for one view, and the page refuses such a view as a
/// whole. Of a text that is too long the beginning is kept, of colours in a row the first, and of rows those above.
struct FittedView {
  private let limits: ViewLimits
  /// How many more nodes and spans may be kept.
  private var room: Int
  /// How many spans a text may have.
  private let spanLimit: Int

  /// What words about rows that are left out need, at most.
  private static let spareNodes = 64
  /// More bytes than the sequence for a style has.
  private static let sequenceBytes = 64

  /// Returns a view within limits; one that is so already is not changed.
  static func of(_ view: ViewNode, _ limits: ViewLimits) -> ViewNode {
    do throws(ViewLimitError) {
      try ViewBudget(limits).check(view)
      return view
    } catch {
      var fitted = FittedView(view, limits)
      return fitted.fitted(view, depth: 1) ?? ScriptWords.nothing
    }
  }

  private init(_ view: ViewNode, _ limits: ViewLimits) {
    var counts = Counts()
    counts.add(view)
    self.limits = limits
    room = max(1, limits.nodes - min(Self.spareNodes, limits.nodes / 4))
    // Each text gets the same share, so that one with thousands of colours costs only itself.
    let isTooMany = counts.nodes + counts.spans > room
    spanLimit = isTooMany ? max(1, (room - counts.nodes) / max(1, counts.texts)) : .max
  }

  /// What a view has.
  private struct Counts {
    var nodes = 0
    var texts = 0
    var spans = 0

    mutating func add(_ view: ViewNode) {
      nodes += 1
      if case .text(let text) = view.content {
        texts += 1
        spans += text.spans.count > 1 ? text.spans.count : 0
      }
      for child in view.children { add(child) }
    }
  }

  /// The node with what there is room for; nil if there is none for it.
  private mutating func fitted(_ node: ViewNode, depth: Int) -> ViewNode? {
    guard room > 0, depth <= limits.depth else { return nil }
    room -= 1
    var node = node
    switch node.content {
    case .text(var text):
      text.spans = joined(text.spans).map { span in
        var span = span
        span.text = SafeText(ScriptWords.beginning(span.text.string, bytes: limits.textBytes))
        return span
      }
      if text.spans.count > 1 { room -= text.spans.count }
      node.content = .text(text)
    case .ansi(var text):
      text.spans = cut(text.spans)
      node.content = .ansi(text)
    case .vstack(var stack):
      let all = stack.children
      stack.children = fitted(all, depth: depth + 1)
      let rest = all.count - stack.children.count
      if rest > 0 { stack.children.append(ScriptWords.more(rest)) }
      node.content = .vstack(stack)
    case .hstack(var stack):
      stack.children = fitted(stack.children, depth: depth + 1)
      node.content = .hstack(stack)
    case .zstack(var stack):
      stack.children = fitted(stack.children, depth: depth + 1)
      node.content = .zstack(stack)
    case .fold(var fold):
      guard let label = fitted(fold.label, depth: depth + 1) else { return nil }
      fold.label = label
      fold.children = fitted(fold.children, depth: depth + 1)
      node.content = .fold(fold)
    case .grid(var grid):
      grid.columns = Array(grid.columns.prefix(limits.gridColumns))
      var rows: [[ViewNode]] = []
      for row in grid.rows.prefix(grid.rows.count > limits.gridRows ? limits.gridRows - 1 : .max) {
        let cells = row.prefix(limits.gridColumns)
        let kept = fitted(Array(cells), depth: depth + 1)
        guard kept.count == cells.count else { break }
        rows.append(kept)
      }
      let rest = grid.rows.count - rows.count
      if rest > 0 { rows.append([ScriptWords.more(rest)]) }
      grid.rows = rows
      node.content = .grid(grid)
    default:
      // Others have a label at most.
      room -= node.children.count
    }
    return node
  }

  /// The first nodes for which there is room.
  private mutating func fitted(_ nodes: [ViewNode], depth: Int) -> [ViewNode] {
    var kept: [ViewNode] = []
    for node in nodes {
      guard let node = fitted(node, depth: depth) else { break }
      kept.append(node)
    }
    return kept
  }

  /// Spans of which the last ones are one, if they are too many.
  private func joined(_ spans: [TextSpan]) -> [TextSpan] {
    guard spans.count > spanLimit else { return spans }
    var kept = Array(spans.prefix(spanLimit))
    let rest = spans[(spanLimit - 1)...].map(\.text.string).joined()
    kept[spanLimit - 1].text = SafeText(rest)
    return kept
  }

  /// The first spans of a row whose styles are written as sequences.
  private func cut(_ spans: [TextSpan]) -> [TextSpan] {
    var bytes = limits.textBytes
    var kept: [TextSpan] = []
    for span in spans {
      bytes -= Self.sequenceBytes
      guard bytes > 0 else { break }
      var span = span
      let words = span.text.string
      if words.utf8.count > bytes {
        span.text = SafeText(ScriptWords.beginning(words, bytes: bytes))
      }
      kept.append(span)
      bytes -= words.utf8.count
    }
    return kept
  }
}
