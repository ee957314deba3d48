/// Converts text with SGR sequences to spans.
///
/// It interprets one sequence, `ESC [ digits ; : m`, and recognises others only to remove their letters
/// too. Safety does not depend on that: the remaining text goes through ``SafeText``, and the escape
/// character itself is always removed.
struct AnsiParser {
  /// The pieces that were read, each clean and in a style that differs from the previous piece's.
  private var pieces: [(text: String, style: TextStyle)] = []
  private var style = TextStyle.inherited
  private var text = ""

  /// Returns the spans of `raw`; none is empty, and adjacent ones differ in style.
  mutating func spans(of raw: String) -> [TextSpan] {
    // Not `Array(…)`, which counts the characters of the string before it copies them.
    var scalars: [Unicode.Scalar] = []
    scalars.reserveCapacity(raw.utf8.count)
    for scalar in raw.unicodeScalars { scalars.append(scalar) }
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      switch scalar.value {
      case 0x1B:
        index = afterEscape(scalars, index + 1)
      case 0x9B:
        index = afterControl(scalars, index + 1)
      case 0x0A, 0x09:
        text.unicodeScalars.append(scalar)
        index += 1
      case 0x00..<0x20, 0x7F..<0xA0:
        index += 1
      default:
        text.unicodeScalars.append(scalar)
        index += 1
      }
    }
    flush()
    // The pieces are cleaned again as a whole: a mark may now follow a character of the previous piece.
    return pieces.map { TextSpan(SafeText($0.text), style: $0.style) }
  }

  /// Ends the current span.
  private mutating func flush() {
    let cleaned = SafeText(text)
    text = ""
    guard !cleaned.isEmpty else { return }
    if let last = pieces.indices.last, pieces[last].style == style {
      pieces[last].text += cleaned.string
    } else {
      pieces.append((cleaned.string, style))
    }
  }

  /// Reads what follows ESC and returns the index at which to continue.
  private mutating func afterEscape(_ scalars: [Unicode.Scalar], _ start: Int) -> Int {
    guard start < scalars.count else { return start }
    switch scalars[start].value {
    case 0x5B:
      return afterControl(scalars, start + 1)
    case 0x50, 0x58, 0x5D, 0x5E, 0x5F:
      return afterString(scalars, start + 1)
    case 0x20...0x2F:
      var index = start
      while index < scalars.count, (0x20...0x2F).contains(scalars[index].value) { index += 1 }
      let hasEnd = index < scalars.count && (0x30...0x7E).contains(scalars[index].value)
      return hasEnd ? index + 1 : index
    case 0x30...0x7E:
      return start + 1
    default:
      return start
    }
  }

  /// Reads what follows `ESC [`: parameters, intermediates, one final character.
  private mutating func afterControl(_ scalars: [Unicode.Scalar], _ start: Int) -> Int {
    var index = start
    while index < scalars.count, (0x30...0x3F).contains(scalars[index].value) { index += 1 }
    let parameters = scalars[start..<index]
    let afterParameters = index
    while index < scalars.count, (0x20...0x2F).contains(scalars[index].value) { index += 1 }
    guard index < scalars.count, (0x40...0x7E).contains(scalars[index].value) else { return index }
    let isStyle = index == afterParameters && scalars[index] == "m"
    if isStyle && parameters.allSatisfy({ $0.value <= 0x3B }) {
      var next = style
      SGR.apply(parameters, to: &next)
      if next != style { flush() }
      style = next
    }
    return index + 1
  }

  /// Reads a title, a link or another string up to its end, or nothing if its end is missing.
  private func afterString(_ scalars: [Unicode.Scalar], _ start: Int) -> Int {
    var index = start
    while index < scalars.count {
      switch scalars[index].value {
      case 0x07, 0x9C: return index + 1
      case 0x1B:
        let isEnd = index + 1 < scalars.count && scalars[index + 1].value == 0x5C
        return isEnd ? index + 2 : index
      case 0x0A: return start
      default: index += 1
      }
    }
    return start
  }
}
