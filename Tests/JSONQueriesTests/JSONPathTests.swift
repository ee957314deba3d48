import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import JSONQueries

/// Queries of RFC 9535, with its own examples.
@Suite struct JSONPathTests {
  /// What a query finds, as words between commas.
  private func find(_ query: String, in text: String) throws -> String {
    let tree = try JSONTree(Array(text.utf8))
    var budget = JSONPathBudget()
    return try JSONPath(query).values(in: tree, budget: &budget).map(words).joined(separator: " ")
  }

  private func words(_ tree: JSONTree) -> String {
    switch tree {
    case .string(let text): "\"\(text)\""
    case .array(let items): "[" + items.map(words).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { "\($0.name):\(words($0.value))" }.joined(separator: ",") + "}"
    default: tree.words
    }
  }

  private static let store = """
    {"store": {"book": [
      {"category": "reference", "author": "Rees", "title": "Sayings", "price": 8.95},
      {"category": "fiction", "author": "Waugh", "title": "Sword", "price": 12.99},
      {"category": "fiction", "author": "Melville", "title": "Moby", "isbn": "0-553", "price": 8.99},
      {"category": "fiction", "author": "Tolkien", "title": "Rings", "isbn": "0-395", "price": 22.99}
    ], "bicycle": {"color": "red", "price": 399}}}
    """

  @Test(arguments: [
    ("$.store.book[*].author", #""Rees" "Waugh" "Melville" "Tolkien""#),
    ("$..author", #""Rees" "Waugh" "Melville" "Tolkien""#),
    ("$.store..price", "8.95 12.99 8.99 22.99 399"), ("$..book[2].author", #""Melville""#),
    ("$..book[2].publisher", ""), ("$..book[-1].title", #""Rings""#),
    ("$..book[0,1].title", #""Sayings" "Sword""#), ("$..book[:2].title", #""Sayings" "Sword""#),
    ("$..book[?@.isbn].title", #""Moby" "Rings""#),
    ("$..book[?@.price<10].title", #""Sayings" "Moby""#),
    ("$['store']['bicycle'][\"color\"]", #""red""#),
    ("$..book[?@.price < 10 && @.category == 'fiction'].title", #""Moby""#),
    ("$..book[?!@.isbn].title", #""Sayings" "Sword""#),
    ("$..book[?@.price > $.store.book[0].price].title", #""Sword" "Moby" "Rings""#),
    ("$..book[?match(@.title, 'S.*')].author", #""Rees" "Waugh""#),
    ("$..book[?search(@.title, 'ing')].author", #""Rees" "Tolkien""#),
    ("$..book[?length(@.title) == 5].title", #""Sword" "Rings""#),
    ("$.store[?count(@.*) == 2].color", #""red""#),
    ("$..book[?value(@..isbn) == '0-395'].title", #""Rings""#),
    ("$ .store [ 'bicycle' ] .color", #""red""#),
  ])
  func `the examples with a store`(query: String, found: String) throws {
    #expect(try find(query, in: Self.store) == found)
  }

  private static let letters = #"["a","b","c","d","e","f","g"]"#

  @Test(arguments: [
    ("$[1:3]", #""b" "c""#), ("$[5:]", #""f" "g""#), ("$[1:5:2]", #""b" "d""#),
    ("$[5:1:-2]", #""f" "d""#), ("$[::-1]", #""g" "f" "e" "d" "c" "b" "a""#), ("$[::0]", ""),
    ("$[-2:]", #""f" "g""#), ("$[7]", ""), ("$[-8]", ""), ("$[100:200]", ""),
    ("$[9007199254740991]", ""), ("$[0:9007199254740991:9007199254740991]", #""a""#),
  ])
  func `slices and indices`(query: String, found: String) throws {
    #expect(try find(query, in: Self.letters) == found)
  }

  @Test(arguments: [
    ("$.absent1 == $.absent2", true), ("$.absent1 <= $.absent2", true),
    ("$.absent == 'g'", false), ("$.absent1 != $.absent2", false), ("$.absent != 'g'", true),
    ("1 <= 2", true), ("1 > 2", false), ("13 == '13'", false), ("'a' <= 'b'", true),
    ("'a' > 'b'", false), ("$.obj == $.arr", false), ("$.obj != $.arr", true),
    ("$.obj == $.obj", true), ("$.arr == $.arr", true), ("$.obj == 17", false),
    ("$.obj <= $.arr", false), ("$.obj < $.arr", false), ("$.obj <= $.obj", true),
    ("$.arr <= $.arr", true), ("1 <= $.arr", false), ("true <= true", true), ("true > true", false),
    ("null == null", true), ("-1.5e1 == -15", true),
  ])
  func `comparisons`(condition: String, holds: Bool) throws {
    let text = #"{"obj": {"x": "y"}, "arr": [2, 3]}"#
    #expect(try find("$[?\(condition)]", in: text).isEmpty == !holds)
  }

  @Test(arguments: [
    "", "a", "$.", "$..", "$[", "$[]", "$['a]", "$[01]", "$[-0]", "$[9007199254740992]", "$[?]",
    "$[?1]", "$[?@.a ==]", "$[?@.* == 1]", "$[?length(@.a)]", "$[?!@.a == 1]", "$[1,]", "$ x",
    "$['\\x']", "$['\\uD800']", "$[?(@.a]", "$[?match(@.a)]", "$.1a",
    "$[?@ == 01]", "$['a\tb']", "$[?match(@.a, 'b') == true]", "$[?match(@, 'a', 'b')]",
    "$[?" + String(repeating: "(", count: 100) + "@" + String(repeating: ")", count: 100) + "]",
  ])
  func `what is no query is refused with its place`(query: String) {
    #expect(throws: JSONPath.Failure.self) { try JSONPath(query) }
  }

  @Test func `names can have every character`() throws {
    #expect(try find(#"$["\u00fc\n'"]"#, in: #"{"ü\n'": 1}"#) == "1")
    #expect(try find(#"$['\'😀']"#, in: #"{"'😀": 1}"#) == "1")
    #expect(try find(#"$["\uD83D\uDE00"]"#, in: #"{"😀": 1}"#) == "1")
    #expect(try find("$.ü_1", in: #"{"ü_1": 1}"#) == "1")
  }

  @Test func `a query finds at most as much as it may`() throws {
    let list = "[" + Array(repeating: "[1,2,3]", count: 1_000).joined(separator: ",") + "]"
    let tree = try JSONTree(Array(list.utf8))
    var budget = JSONPathBudget()
    #expect(try JSONPath("$..*").values(in: tree, limit: 500, budget: &budget).count == 500)
    #expect(try JSONPath("$[*,*,*,*]").values(in: tree, limit: 500, budget: &budget).count == 500)
  }

  @Test func `the first value is found behind others that have none`() throws {
    let tree = try JSONTree(Array(#"[{"a":1},{"b":2},{"b":3}]"#.utf8))
    var budget = JSONPathBudget()
    #expect(try JSONPath("$[*].b").values(in: tree, limit: 1, budget: &budget) == [.number(2)])
  }

  @Test func `all values are counted`() throws {
    let list = "[[" + Array(repeating: "1", count: 20_000).joined(separator: ",") + "]]"
    #expect(try find("$[?count(@[*]) == 20000][0]", in: list) == "1")
    #expect(try find("$[?length(@) == 20000][1]", in: list) == "1")
  }

  // MARK: - Scalar values

  @Test(arguments: [
    (#"$[?@.n == 'é']"#, "1"), (#"$[?@.n != 'é']"#, "2"), (#"$[?@.n == 'e\u0301']"#, "2"),
    (#"$[?length(@.n) == 2]"#, "2"), (#"$[?@.n < 'é']"#, "2"), (#"$[?match(@.n, '.')]"#, "1"),
    (#"$[?match(@.n, '..')]"#, "2"), (#"$[?search(@.n, 'e')]"#, "2"),
    (#"$[?@ == $[0]]"#, "1"),
  ])
  func `letters that are composed of other scalar values are different`(
    query: String,
    found: String
  ) throws {
    let text = #"[{"n":"\u00e9","v":1},{"n":"e\u0301","v":2}]"#
    #expect(try find(query + ".v", in: text) == found)
  }

  @Test func `names are the same only with the same scalar values`() throws {
    #expect(try find("$['e\u{301}']", in: #"{"\u00e9":1}"#) == "")
    #expect(try find("$.\u{E9}", in: #"{"e\u0301":2,"\u00e9":1}"#) == "1")
    #expect(try find("$['a\u{301}']", in: #"{"a\u0301":1}"#) == "1")
    // A mark behind a quote, a bracket or a point is one character with it.
    #expect(try find("$['\u{301}x']", in: #"{"\u0301x":1}"#) == "1")
    #expect(try find("$.\u{301}x", in: #"{"\u0301x":1}"#) == "1")
    #expect(try find("$[?@ == '\u{301}']", in: #"["\u0301"]"#).unicodeScalars.count == 3)
  }

  @Test(arguments: [
    (#"$[?@ == 10000000000000000000]"#, "[1e19]", 1),
    (#"$[?@ == 9007199254740993]"#, "[9007199254740993, 9007199254740992]", 1),
    (#"$[?@ == $[1]]"#, #"[{"a":1,"b":[2]},{"b":[2],"a":1.0}]"#, 2),
    (#"$[?@ == $[1]]"#, #"[{"a":1},{"a":1,"b":2}]"#, 1),
  ])
  func `equal values are found`(query: String, text: String, count: Int) throws {
    let found = try JSONPath(query).found(in: text)
    #expect(found.count == count)
  }

  // MARK: - Steps

  @Test(arguments: [
    "$[?count($..*) > 1]", "$..[?count(@..*) == count($..*)]", "$[*,*][?count($..*) > 1]",
    "$[?match(@, '(a*)*b')]", "$..[?count($..[?@ == $[1]]) > 0]",
    "$[?search(@, '((a{1,100}){1,100}){1,100}')]", "$[?search(@, 'a{100000}')]",
    "$[*,*,*,*,*,*,*,*][?count($[*]) > 0]",
  ])
  func `a query that would take for ever ends with an error`(query: String) throws {
    let texts = (0..<3_000).map { "\"" + String(repeating: "a", count: 20 + $0 % 3) + "\"" }
    let list = "[[" + texts.joined(separator: ",") + "]," + texts.joined(separator: ",") + "]"
    let path = try JSONPath(query)
    let tree = try JSONTree(Array(list.utf8))
    #expect(throws: JSONPathBudget.Exceeded.self) {
      var budget = JSONPathBudget(steps: 200_000)
      _ = try path.values(in: tree, budget: &budget)
    }
  }

  @Test func `the deepest query of the deepest text ends`() throws {
    var query = "$"
    while query.utf8.count < 120 { query += "..*" }
    for _ in 0..<6 { query = "$..[?count(\(query)) > 0]" }
    let text = String(repeating: "[", count: 63) + "1" + String(repeating: "]", count: 63)
    _ = try? JSONPath(query).found(in: text)
    let functions =
      "$[?" + String(repeating: "length(", count: 5_000) + "@"
      + String(repeating: ")", count: 5_000)
    #expect(throws: JSONPath.Failure.self) { try JSONPath(functions + " > 1]") }
    let segments = "$" + String(repeating: "..a", count: 999)
    #expect(throws: JSONPath.Failure.self) { try JSONPath(segments) }
  }

  @Test func `random texts are queries or errors`() {
    var random = SeededGenerator(seed: 11)
    let pieces = [
      "$", ".", "..", "[", "]", "?", "@", "'a'", "a", "*", "1", "-", ":", ",", "(", ")", "==", "<",
      "&&", "||", "!", "length(", " ", "\u{1F469}\u{200D}", "\"", "\\",
    ]
    for _ in 0..<3_000 {
      let text = "$" + (0..<12).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      if let path = try? JSONPath(text) { _ = try? path.found(in: "[1]") }
    }
  }
}

extension JSONPath {
  /// What it finds in a text.
  fileprivate func found(in text: String) throws -> [JSONTree] {
    var budget = JSONPathBudget()
    return try values(in: JSONTree(Array(text.utf8)), budget: &budget)
  }
}

/// JSON of other programs.
@Suite struct `A JSON text of another program` {
  @Test(arguments: [
    ("1e400", JSONTree.wholeNumber("1e400")), ("-1e400", .wholeNumber("-1e400")),
    ("1e-400", .number(0)),
    (" [1, \"\\u0000\"] ", .array([.number(1), .string("\0")])), ("null", .null),
    (
      #"{"a": 1, "a": 2}"#,
      .object([.init(name: "a", value: .number(1)), .init(name: "a", value: .number(2))])
    ),
  ])
  func `is a tree, whose numbers are finite`(text: String, tree: JSONTree) throws {
    #expect(try JSONTree(Array(text.utf8)) == tree)
    #expect(tree.number?.isFinite != false)
  }

  @Test func `that is none says where`() throws {
    for text in ["", "{", "[1,]", "nul", "1 2", String(repeating: "[", count: 1_000)] {
      let error = #expect(throws: JSONTree.Failure.self) { try JSONTree(Array(text.utf8)) }
      #expect(error?.description.contains("at byte") == true)
    }
    #expect(try JSONTree([0x22, 0xFF, 0x22]) == .string("\u{FFFD}"))
  }
}
