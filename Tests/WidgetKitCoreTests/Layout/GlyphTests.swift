import Testing
import WidgetKitCore

@Suite struct Glyphs {
  @Test(arguments: [
    ("abc", ["a", "b", "c"], 3),
    ("", [], 0),
    ("a\nb", ["a", "b"], 2),
    ("e\u{301}", ["e\u{301}"], 1),
    ("日本", ["日", "本"], 4),
    ("👩‍🚀", ["👩"], 2),
    ("👨‍👩‍👧‍👦x", ["👨", "x"], 3),
    ("👍🏽", ["👍"], 2),
    ("❤️", ["❤"], 1),
    ("1️⃣", ["1\u{20E3}"], 1),
    ("🇩🇰", ["D", "K"], 2),
    ("\u{301}", ["◌\u{301}"], 1),
    ("क्ष", ["क\u{94D}", "ष"], 2),
    ("한", ["한"], 2),
    ("\u{1112}\u{1161}\u{11AB}", ["\u{1112}\u{1161}\u{11AB}"], 2),
    ("\u{200D}", [], 0),
    ("👩‍👩", ["👩"], 2),
    ("👩\u{200D}a", ["👩", "a"], 3),
    ("👩\u{200D}\u{301}x", ["👩", "x"], 3),
    ("👍🏽\u{200D}🚀🚀", ["👍", "🚀"], 4),
    ("a\u{200D}b", ["a", "b"], 2),
    ("🇩\u{301}", ["D", "◌\u{301}"], 2),
    ("e\u{301}\u{302}\u{303}\u{304}\u{305}x", ["e\u{301}\u{302}\u{303}\u{304}", "x"], 2),
    ("א\u{5B0}ב", ["א\u{5B0}", "ב"], 2),
  ])
  func `have the same width on all terminals`(raw: String, texts: [String], columns: Int) {
    let glyphs = Glyph.glyphs(of: raw)
    #expect(glyphs.map { Array($0.text.unicodeScalars) } == texts.map { Array($0.unicodeScalars) })
    #expect(glyphs.reduce(0) { $0 + $1.width } == columns)
    #expect(SafeText(raw.filter { $0 != "\n" }).columns == columns)
  }

  @Test(
    arguments: [
      ("Multicoloured", 20, .tail, "Multicoloured"),
      ("Multicoloured", 13, .tail, "Multicoloured"),
      ("Multicoloured", 12, .tail, "Multicolour…"),
      ("Multicoloured", 12, .middle, "Multic…oured"),
      ("Multicoloured", 12, .head, "…lticoloured"),
      ("Multicoloured", 1, .tail, "…"),
      ("Multicoloured", 1, .head, "…"),
      ("Multicoloured", 0, .tail, ""),
      ("one two three", 5, .tail, "one…"),
      ("日本語", 5, .tail, "日本…"),
      ("日本語", 4, .tail, "日…"),
      ("日本語", 4, .head, "…語"),
      ("日本語", 1, .tail, "…"),
      ("👩‍🚀👩‍🚀👩‍🚀", 5, .tail, "👩👩…"),
      ("first\nsecond", 20, .tail, "first…"),
      ("first\nsecond", 5, .tail, "firs…"),
    ] as [(String, Int, Truncation, String)]
  )
  func `are omitted completely`(raw: String, columns: Int, mode: Truncation, expected: String) {
    #expect(SafeText(raw).truncated(to: columns, mode).string == expected)
  }

  @Test(
    arguments: [
      ("a few words", 20, ["a few words"]),
      ("a few words", 7, ["a few", "words"]),
      ("a few words", 5, ["a few", "words"]),
      ("a few words", 4, ["a", "few", "word", "s"]),
      ("a few words", 1, ["a", "f", "e", "w", "w", "o", "r", "d", "s"]),
      ("a few words", 0, []),
      ("a   wide   gap", 4, ["a", "wide", "gap"]),
      ("  indented text", 10, ["  indented", "text"]),
      ("  unbreakable", 6, ["  unbr", "eakabl", "e"]),
      ("日本語テキスト", 5, ["日本", "語テ", "キス", "ト"]),
      ("ab日本", 3, ["ab", "日", "本"]),
      ("日本", 1, ["…"]),
      ("one\n\ntwo", 5, ["one", "", "two"]),
      ("", 5, [""]),
      ("trailing   ", 8, ["trailing"]),
      ("      ", 3, [""]),
    ] as [(String, Int, [String])]
  )
  func `break at words`(raw: String, columns: Int, lines: [String]) {
    #expect(SafeText(raw).wrapped(to: columns).map(\.string) == lines)
  }
}
