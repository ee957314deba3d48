import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import WidgetHost

/// Queries of RFC 9535, with its own examples.
@Suite struct JSONPathTests {
  /// What a query finds, as words between commas.
  private func find(_ query: String, in text: String) throws -> String {
    let tree = try JSONTree(Array(text.utf8))
    return try JSONPath(query).values(in: tree).map(words).joined(separator: " ")
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
    #expect(try JSONPath("$..*").values(in: tree, limit: 500).count == 500)
    #expect(try JSONPath("$[*,*,*,*]").values(in: tree, limit: 500).count == 500)
  }

  @Test func `random texts are queries or errors`() {
    var random = SeededGenerator(seed: 11)
    let pieces = [
      "$", ".", "..", "[", "]", "?", "@", "'a'", "a", "*", "1", "-", ":", ",", "(", ")", "==", "<",
      "&&", "||", "!", "length(", " ", "\u{1F469}\u{200D}", "\"", "\\",
    ]
    for _ in 0..<3_000 {
      let text = "$" + (0..<12).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      if let path = try? JSONPath(text) { _ = path.values(in: .array([.number(1)])) }
    }
  }
}

/// JSON of other programs.
@Suite struct `A JSON text of another program` {
  @Test(arguments: [
    ("1e400", JSONTree.number(.greatestFiniteMagnitude)),
    ("-1e400", .number(-.greatestFiniteMagnitude)), ("1e-400", .number(0)),
    (" [1, \"\\u0000\"] ", .array([.number(1), .string("\0")])), ("null", .null),
    (
      #"{"a": 1, "a": 2}"#,
      .object([.init(name: "a", value: .number(1)), .init(name: "a", value: .number(2))])
    ),
  ])
  func `is a tree, whose numbers are finite`(text: String, tree: JSONTree) throws {
    #expect(try JSONTree(Array(text.utf8)) == tree)
  }

  @Test func `that is none says where`() throws {
    for text in ["", "{", "[1,]", "nul", "1 2", String(repeating: "[", count: 1_000)] {
      let error = #expect(throws: JSONTree.Failure.self) { try JSONTree(Array(text.utf8)) }
      #expect(error?.description.contains("at byte") == true)
    }
    #expect(try JSONTree([0x22, 0xFF, 0x22]) == .string("\u{FFFD}"))
  }
}
