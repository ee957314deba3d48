import Testing
import WidgetTestSupport

@testable import JSONQueries

/// Regular expressions of RFC 9485.
@Suite struct RegularExpressionTests {
  /// Whether an expression matches; nil if it is none.
  private func matches(_ pattern: String, _ text: String, isWhole: Bool = true) -> Bool? {
    var budget = JSONPathBudget()
    guard let expression = try? RegularExpression(pattern) else { return nil }
    return try? expression.matches(text, isWhole: isWhole, budget: &budget)
  }

  @Test(arguments: [
    ("", ""), ("a", "a"), ("abc", "abc"), ("a|b", "b"), ("a|", ""), ("|a", ""), ("()", ""),
    ("a*", ""), ("a*", "aaa"), ("a+", "a"), ("a?", ""), ("a{3}", "aaa"), ("a{2,}", "aaaa"),
    ("a{0,2}", ""), ("a{1,3}", "aaa"), ("a{0}", ""), ("(ab){2}c", "ababc"), ("(a|b)*c", "abbac"),
    (".", "\u{85}"), (".", "\u{2028}"), (".", "\u{2029}"), (".", "😀"), ("..", "e\u{301}"),
    ("[a-c]+", "abc"), ("[^a-c]", "d"), ("[^a]", "\n"), ("[-a]", "-"), ("[a-]", "-"), ("[-]", "-"),
    ("[a^]", "^"), ("[.]", "."), ("[\\]]", "]"), ("[\\^]", "^"), ("[\\-a]", "-"), ("[a-c-]", "-"),
    ("\\.", "."), ("\\n\\r\\t", "\n\r\t"), ("\\p{Lu}", "Ж"), ("\\p{L}+", "Жж"), ("\\P{Lu}", "ж"),
    ("[\\p{Nd}x]+", "3x٣"), ("[^\\p{L}]", "1"), ("[\\P{L}]", "1"), ("\\p{Sc}", "€"),
    ("\\p{M}", "\u{301}"), ("\\p{C}", "\u{0}"), ("(a*)*", "aaa"), ("(a*)+", ""), ("(a|a)*", "aa"),
    ("^ab$", "ab"), ("^^a", "a"), ("[$]", "$"), ("\\d{4}-\\d\\d", "2026-11"),
    ("\\w+\\s\\W", "a_1 -"),
    ("a[^x][^x]b", "a\r\nb"), ("-", "-"), ("a,b", "a,b"), ("/", "/"), ("🏳️‍🌈", "🏳️‍🌈"),
  ])
  func `texts are matched as a whole`(pattern: String, text: String) {
    #expect(matches(pattern, text) == true)
  }

  @Test(arguments: [
    ("a", "b"), ("a", ""), ("a", "ab"), ("a", "ba"), (".", "\n"), (".", "\r"), (".", ""),
    (".", "e\u{301}"), ("..", "\u{E9}"), ("e", "\u{E9}"), ("\u{E9}", "e\u{301}"), ("a{2}", "a"),
    ("a{2}", "aaa"), ("a{2,3}", "aaaa"), ("[a-c]", "d"), ("[^a-c]", "b"), ("\\p{Lu}", "ж"),
    ("\\p{L}", "1"), ("[^\\P{L}]", "1"), ("ab^c", "abc"), ("a$b", "ab"), ("A", "a"),
  ])
  func `other texts are not`(pattern: String, text: String) {
    #expect(matches(pattern, text) == false)
  }

  @Test(arguments: [
    ("b", "abc", true), ("", "abc", true), ("^b", "abc", false), ("^a", "abc", true),
    ("c$", "abc", true), ("b$", "abc", false), ("a.c", "xxabcxx", true), ("a{2}", "bab", false),
    ("\u{301}", "e\u{301}", true), ("b.?b", "abba", true), ("$", "", true), ("^$", "", true),
  ])
  func `a part of a text is found`(pattern: String, text: String, isFound: Bool) {
    #expect(matches(pattern, text, isWhole: false) == isFound)
  }

  @Test(arguments: [
    "*", "+a", "a**", "a{1000}{1000}", "a{2}*", "a*{2}", "a{", "a{}", "a{,2}", "a{2", "a{3,2}", "(",
    ")", "(a", "[", "[]", "[^]", "[a",
    "[b-a]", "[a-\\p{L}]", "[[]", "]", "}", "\\", "\\x", "\\1", "\\b", "(?:a)", "(?=a)", "a*?",
    "\\p", "\\p{", "\\p{}", "\\p{X}", "\\p{Lx}", "\\p{Latin}", "\\p{Cs}", "[+--/]", "[--a]",
  ])
  func `what is no expression is refused`(pattern: String) {
    #expect(throws: RegularExpression.Failure.invalid) { try RegularExpression(pattern) }
  }

  @Test(arguments: [
    "a{10001}", "(a{1000}){1000}", "a{1,99999999999999999999}", "(a{100}){1000}", "(){99999}",
    "((){1000}){1000}",
    "((((a{10}){10}){10}){10}){10}",
    String(repeating: "(", count: 1_000) + String(repeating: ")", count: 1_000),
    String(repeating: "a", count: 20_000),
  ])
  func `an expression that is too large is refused`(pattern: String) {
    #expect(throws: RegularExpression.Failure.tooLarge) { try RegularExpression(pattern) }
  }

  @Test func `the time grows with the length of the text`() throws {
    // These take a time that doubles with each letter where one way after the other is tried.
    for pattern in ["(a+)+b", "(a|a)*b", "(a*)*b", "(.*)*x", "a?a?a?a?a?a?a?a?aaaaaaaab"] {
      let expression = try RegularExpression(pattern)
      var steps: [Int] = []
      for length in [1_000, 2_000] {
        var budget = JSONPathBudget()
        let text = String(repeating: "a", count: length)
        _ = try expression.matches(text, isWhole: true, budget: &budget)
        steps.append(JSONPathBudget.standardSteps - budget.steps)
      }
      #expect(steps[1] <= steps[0] * 2 + 100)
    }
  }

  @Test func `random expressions end`() {
    var random = SeededGenerator(seed: 5)
    let pieces = [
      "a", "(", ")", "[", "]", "*", "+", "?", "{2,3}", "|", "^", "-", "\\p{L}", ".", "$", "\u{301}",
    ]
    for _ in 0..<3_000 {
      let pattern = (0..<10).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      _ = matches(pattern, "aaaaab\u{301}", isWhole: random.next() % 2 == 0)
    }
  }
}
