/// Texts in ASCII, for a locale or a terminal that has nothing else.
package enum ASCIIText {
  /// The ASCII character that stands for another one: a letter without its accent, a plain sign for a
  /// typographic one, `?` for one that has none.
  ///
  /// Always one character for one, so that columns stay aligned.
  package static func character(like scalar: Unicode.Scalar) -> Unicode.Scalar {
    scalar.isASCII ? scalar : (signs[scalar] ?? letters[scalar] ?? "?")
  }

  /// Returns a text in ASCII with as many cells in each line: a wide character is `??`, and marks are left out.
  ///
  /// - Complexity: Linear; a text in ASCII is returned unchanged.
  package static func text(like text: String) -> String {
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
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
    "○": "o", "✓": "x", "✗": "x", "↑": "^", "↓": "v", "←": "<", "→": ">", "▲": "^", "▼": "v",
    "▸": ">",
    "▾": "v", "⚠": "!", "‘": "'", "’": "'", "‚": "'", "“": "\"", "”": "\"", "„": "\"", "«": "\"",
    "»": "\"", "‹": "<", "›": ">", "×": "x", "÷": "/", "°": "o", "␛": "?", "│": "|", "─": "-",
    "━": "-",
    "╭": "+", "╮": "+", "╰": "+", "╯": "+", "┌": "+", "┐": "+", "└": "+", "┘": "+", "├": "+",
    "┤": "+",
    "█": "#", "▌": "#", "▐": "#", "░": ".", "▒": ":", "▓": "#", "⏎": "<", "✎": "*", "★": "*",
    "☆": "*",
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
