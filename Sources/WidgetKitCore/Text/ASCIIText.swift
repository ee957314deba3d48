/// Texts in ASCII, for a locale or a terminal that has nothing else.
package enum ASCIIText {
  /// The ASCII character that stands for another one: a letter without its accent, a plain sign for a
  /// typographic one, `?` for one that has none.
  ///
  /// Always one character for one, so that columns stay aligned.
  package static func character(like scalar: Unicode.Scalar) -> Unicode.Scalar {
    scalar.isASCII ? scalar : (signs[scalar] ?? letters[scalar] ?? dots(scalar) ?? "?")
  }

  /// What is as dense as the dots of a braille character, which graphs are made of; nil for another one.
  private static func dots(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    guard 0x2800...0x28FF ~= scalar.value else { return nil }
    return switch (scalar.value & 0xFF).nonzeroBitCount {
    case 0: " "
    case 1, 2: "."
    case 3, 4: ":"
    case 5, 6: "+"
    default: "#"
    }
  }

  /// Returns a text in ASCII with as many cells in each line: a wide character is `??`, and marks are left out.
  ///
  /// `±` is `+/-` where its line, up to a frame, has blanks that make room for it, or ends without one.
  ///
  /// - Complexity: Linear; a text in ASCII is returned unchanged.
  package static func text(like text: String) -> String {
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
    guard text.unicodeScalars.contains("±") else { return replaced(text.unicodeScalars[...]) }
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { line in
      line.split(separator: "│", omittingEmptySubsequences: false)
        .map { part in
          // What is behind the last frame of a line may be longer.
          let isOpen = part.endIndex == line.endIndex
          return replaced(withLongSigns(part, isOpen: isOpen)[...])
        }.joined(separator: "|")
    }.joined(separator: "\n")
  }

  /// Writes `±` as `+/-`, and takes the room from blanks behind or before it.
  private static func withLongSigns(
    _ part: String.UnicodeScalarView.SubSequence,
    isOpen: Bool
  ) -> String.UnicodeScalarView {
    let signs = part.count { $0 == "±" }
    guard signs > 0, signs <= longSignLimit else { return .init(part) }
    var scalars = Array(part)
    while let sign = scalars.firstIndex(of: "±") {
      scalars.replaceSubrange(sign...sign, with: Array("+/-".unicodeScalars))
      let gaps = (0...max(0, scalars.count - 3)).filter { start in
        start + 3 <= scalars.count && scalars[start..<(start + 3)].allSatisfy { $0 == " " }
      }
      if let gap = gaps.first(where: { $0 > sign }) ?? (isOpen ? nil : gaps.last) {
        scalars.removeSubrange(gap..<(gap + 2))
      } else if !isOpen {
        scalars.replaceSubrange(sign..<(sign + 3), with: [shortSign])
      }
    }
    return .init(scalars)
  }

  /// What stands for `±` where there is room for one character.
  private static let shortSign: Unicode.Scalar = "~"
  /// In a line with more of them each has one character.
  private static let longSignLimit = 20

  private static func replaced(_ text: String.UnicodeScalarView.SubSequence) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text {
      switch scalar.isASCII ? 1 : CellWidth.of(scalar) {
      case 0: continue
      case 2: result.append(contentsOf: "??".unicodeScalars)
      default: result.append(character(like: scalar))
      }
    }
    return String(result)
  }

  /// Signs that the program and widgets often use.
  private static let signs: [Unicode.Scalar: Unicode.Scalar] = [
    "\u{A0}": " ", "−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-", "…": "~", "·": ".", "•": "*",
    "●": "*",
    "○": "o", "✓": "+", "✗": "x", "↑": "^", "↓": "v", "←": "<", "→": ">", "▲": "^", "▼": "v",
    "▸": ">",
    "▾": "v", "⚠": "!", "‘": "'", "’": "'", "‚": "'", "“": "\"", "”": "\"", "„": "\"", "«": "\"",
    "»": "\"", "‹": "<", "›": ">", "×": "x", "÷": "/", "°": "o", "␛": "?", "│": "|", "─": "-",
    "━": "-", "╾": "-",
    "╭": "+", "╮": "+", "╰": "+", "╯": "+", "┌": "+", "┐": "+", "└": "+", "┘": "+", "├": "+",
    "┤": "+",
    "█": "#", "▐": "#", "░": ".", "▒": ":", "▓": "#",
    // Parts of a cell: what is at least half of it is drawn as all of it.
    "▉": "#", "▊": "#", "▋": "#", "▌": "#", "▍": "-", "▎": "-", "▏": "-", "▀": "#", "▄": "#",
    "▕": "-", "▔": "-", "▁": ".", "▂": ":", "▃": "-", "▅": "+", "▆": "*", "▇": "#",
    "■": "#", "□": "o", "▪": "*", "▫": "o", "◆": "*", "◇": "o", "▶": ">", "◀": "<", "✔": "+",
    "✘": "x", "☐": "o", "☑": "x", "☒": "x", "⋯": "~", "⋮": ":", "║": "|", "═": "-", "┼": "+",
    "┬": "+", "┴": "+", "┃": "|", "┄": "-", "╌": "-", "┆": "|", "╎": "|", "≈": "~", "≤": "<",
    "≥": ">", "≠": "!", "µ": "u", "μ": "u", "¿": "?", "¡": "!", "±": "~",
    "↗": "^", "↘": "v", "↖": "^", "↙": "v", "⇡": "^", "⇣": "v", "⇠": "<", "⇢": ">", "⚑": "!",
    "⏎": "<", "✎": "*", "★": "*",
    "☆": "*", "≡": "=", "↻": "@", "⏮": "<", "⏭": ">", "⏸": "|",
    // The weather, and day and night.
    "☀": "O", "☾": "(", "☁": "=", "☂": "/", "❄": "*", "↯": "!",
  ]

  private static let letters: [Unicode.Scalar: Unicode.Scalar] = {
    var result: [Unicode.Scalar: Unicode.Scalar] = [:]
    for (base, others) in bases {
      for other in others.unicodeScalars { result[other] = base }
    }
    return result
  }()

  /// The letters and digits that are one of ASCII with an accent or another form (Unicode's decompositions of
  /// Latin letters, and those without one that resemble a letter).
  private static let bases: [(Unicode.Scalar, String)] = [
    ("1", "¹"),
    ("2", "²"),
    ("3", "³"),
    ("A", "ÀÁÂÃÄÅĀĂĄǍǞǠǺȀȂȦḀẠẢẤẦẨẪẬẮẰẲẴẶÆ"),
    ("B", "ḂḄḆ"),
    ("C", "ÇĆĈĊČḈ"),
    ("D", "ĎǄǅǱǲḊḌḎḐḒÐĐ"),
    ("E", "ÈÉÊËĒĔĖĘĚȄȆȨḔḖḘḚḜẸẺẼẾỀỂỄỆ€"),
    ("F", "Ḟ"),
    ("G", "ĜĞĠĢǦǴḠ"),
    ("H", "ĤȞḢḤḦḨḪĦ"),
    ("I", "ÌÍÎÏĨĪĬĮİĲǏȈȊḬḮỈỊ"),
    ("J", "Ĵ"),
    ("K", "ĶǨḰḲḴ"),
    ("L", "ĹĻĽĿǇǈḶḸḺḼŁ"),
    ("M", "ḾṀṂ"),
    ("N", "ÑŃŅŇǊǋǸṄṆṈṊŊ"),
    ("O", "ÒÓÔÕÖŌŎŐƠǑǪǬȌȎȪȬȮȰṌṎṐṒỌỎỐỒỔỖỘỚỜỞỠỢØŒ"),
    ("P", "ṔṖ"),
    ("R", "ŔŖŘȐȒṘṚṜṞ"),
    ("S", "ŚŜŞŠȘṠṢṤṦṨẞ"),
    ("T", "ŢŤȚṪṬṮṰŦÞ"),
    ("U", "ÙÚÛÜŨŪŬŮŰŲƯǓǕǗǙǛȔȖṲṴṶṸṺỤỦỨỪỬỮỰ"),
    ("V", "ṼṾ"),
    ("W", "ŴẀẂẄẆẈ"),
    ("X", "ẊẌ"),
    ("Y", "ÝŶŸȲẎỲỴỶỸ"),
    ("Z", "ŹŻŽẐẒẔ"),
    ("a", "àáâãäåāăąǎǟǡǻȁȃȧḁẚạảấầẩẫậắằẳẵặæªᴀ"),
    ("b", "ḃḅḇ"),
    ("c", "çćĉċčḉ"),
    ("d", "ďǆǳḋḍḏḑḓðđ"),
    ("e", "èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ"),
    ("f", "ḟ"),
    ("g", "ĝğġģǧǵḡ"),
    ("h", "ĥȟḣḥḧḩḫẖħ"),
    ("i", "ìíîïĩīĭįĳǐȉȋḭḯỉịı"),
    ("j", "ĵǰ"),
    ("k", "ķǩḱḳḵĸ"),
    ("l", "ĺļľŀǉḷḹḻḽł"),
    ("m", "ḿṁṃ"),
    ("n", "ñńņňǌǹṅṇṉṋŋ"),
    ("o", "òóôõöōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợøœº"),
    ("p", "ṕṗ"),
    ("r", "ŕŗřȑȓṙṛṝṟ"),
    ("s", "śŝşšſșṡṣṥṧṩẛß"),
    ("t", "ţťțṫṭṯṱẗŧþ"),
    ("u", "ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự"),
    ("v", "ṽṿ"),
    ("w", "ŵẁẃẅẇẉẘ"),
    ("x", "ẋẍ"),
    ("y", "ýÿŷȳẏẙỳỵỷỹ"),
    ("z", "źżžẑẓẕ"),
  ]
}
