import FoundationEssentials
import Testing
import WidgetTestSupport

@testable import WidgetKitCore

/// The decoder of messages has the same results as Foundation's.
@Suite struct JSONDocumentDecoderTests {
  /// The result of a decoder: a value, or the text of its error.
  private enum Outcome<Value: Equatable>: Equatable {
    case value(Value)
    case failure(String)

    /// The value; nil for a failure.
    var value: Value? {
      if case .value(let value) = self { value } else { nil }
    }

    init(_ decode: () throws -> Value) {
      do {
        self = .value(try decode())
      } catch {
        self = .failure(WireError.describe(error, under: "params"))
      }
    }
  }

  private func ours<Value: Decodable & Equatable>(
    _ type: Value.Type,
    _ text: String
  ) throws -> Outcome<Value> {
    let document = try JSONDocument(ArraySlice(text.utf8), depthLimit: 512)
    #expect(JSONDocument(checked: ArraySlice(text.utf8)).entries == document.entries)
    return Outcome {
      try JSONDocumentDecoder(userInfo: [.viewBudget: ViewBudget()]).decode(type, from: document)
    }
  }

  private func foundation<Value: Decodable & Equatable>(
    _ type: Value.Type,
    _ text: String
  ) -> Outcome<Value> {
    let decoder = JSONDecoder()
    decoder.userInfo[.viewBudget] = ViewBudget()
    return Outcome { try decoder.decode(type, from: Data(text.utf8)) }
  }

  @Test func `random views decode as with Foundation`() throws {
    for seed: UInt64 in 0..<300 {
      var tree = RandomTree(seed: seed)
      let text = String(decoding: try JSONEncoder().encode(tree.node()), as: UTF8.self)
      #expect(try ours(ViewNode.self, text) == foundation(ViewNode.self, text))
    }
  }

  /// Replacements for a value somewhere in a view.
  private static let wrong = [
    "null", "true", "-1", "1.5", "1.0", "1e2", "1e30", "99999999999999999999", "\"\"",
    "\"center\"",
    "\"\\u00e9\\ud83c\\udf88\\n\"", "[]", "[null]", "[1,\"a\"]", "{}", "{\"type\":1}",
    "{\"type\":\"new\"}",
  ]

  @Test func `views with a wrong value decode, or fail with the same text, as with Foundation`()
    throws
  {
    var random = SeededGenerator(seed: 7)
    var failures = 0
    for seed: UInt64 in 0..<300 {
      var tree = RandomTree(seed: seed)
      let bytes = Array(try JSONEncoder().encode(tree.node()))
      let document = try JSONDocument(bytes[...], depthLimit: 512)
      for _ in 0..<4 {
        let number = Int.random(in: document.entries.indices, using: &random)
        var range = document.entries[number].bytes
        if case .string = document.entries[number].kind {
          range = range.lowerBound - 1..<range.upperBound + 1
        }
        if case .escapedString = document.entries[number].kind {
          range = range.lowerBound - 1..<range.upperBound + 1
        }
        let wrong = Self.wrong[Int.random(in: Self.wrong.indices, using: &random)]
        let text = String(
          decoding: bytes[..<range.lowerBound] + Array(wrong.utf8) + bytes[range.upperBound...],
          as: UTF8.self
        )
        // Where a name was replaced by something that is no string, there is nothing to decode.
        guard let ours = try? ours(ViewNode.self, text) else { continue }
        #expect(ours == foundation(ViewNode.self, text), "\(text)")
        if case .failure = ours { failures += 1 }
      }
    }
    #expect(failures > 120)
  }

  @Test(arguments: [
    "0", "-0", "1", "-1", "0.1", "1.5", "123456789012345", "1234567890123456", "0.000001", "-12.75",
    "1e2", "1E-2", "1e22", "1e23", "2.2250738585072014e-308", "1.7976931348623157e308", "1e309",
    "-1e400", "9007199254740993", "99999999999999999999", "4.35", "0.3", "123456.789012345", "1.0",
    "true", "null", "\"1\"", "[]", "{}", "300", "-129", "18446744073709551615", "255.0",
  ])
  func `numbers are read to the last bit, or refused, as with Foundation`(text: String) throws {
    // The words differ: Foundation's do not name the member that holds too large a number.
    func agree<Value: Decodable & Equatable>(_ type: Value.Type, _ text: String) throws {
      #expect(try ours(type, text).value == foundation(type, text).value)
    }
    try agree(Double.self, text)
    try agree(Int.self, text)
    try agree(UInt64.self, text)
    try agree(Int8.self, text)
    try agree([Double?].self, "[\(text)]")
    try agree([Int].self, "[\(text)]")
    try agree([String: Int].self, "{\"a\":\(text)}")
  }

  @Test func `a number that is too large is refused with the member that holds it`() throws {
    let failures = [
      try ours([String: [Double?]].self, #"{"a":[1,null,1e400]}"#),
      try ours([String: [Double?]].self, #"{"a":[1,null,true]}"#),
    ]
    #expect(
      failures == [
        .failure("params.a[2]: the number does not fit into Double"),
        .failure("params.a[2]: expected a number"),
      ]
    )
  }

  @Test func `a view with a number that is too large is refused with the member that holds it`()
    throws
  {
    let text = #"{"type":"gauge","value":1e999}"#
    #expect(
      try ours(ViewNode.self, text)
        == .failure("params.value: expected a number, found a number that is too large")
    )
  }

  private struct Member: Codable, Equatable {
    var size: Int?
    var words: [String]
    var date: Date?
    var flag: Bool
  }

  @Test(arguments: [
    #"{"size":1,"words":["a","\u00e9\t\ud83c\udf88"],"date":12.5,"flag":true}"#,
    #"{"words":[],"flag":false}"#, #"{"words":[],"flag":1}"#, #"{"words":[null],"flag":true}"#,
    #"{"words":{},"flag":true}"#, #"{"size":"1","words":[],"flag":true}"#, #"{}"#, #"[]"#, #""""#,
    #"{"si\u007ae":4,"words":[],"flag":true}"#, #"{"size":null,"words":[],"flag":true}"#,
    #" { "words" : [ "a" , "b" ] , "flag" : true } "#,
  ])
  func `members are found, missing or wrong as with Foundation`(text: String) throws {
    #expect(try ours(Member.self, text) == foundation(Member.self, text))
    #expect(try ours([Member].self, "[\(text)]") == foundation([Member].self, "[\(text)]"))
  }

  @Test func `of a duplicate member the first is used`() throws {
    let text = #"{"size":1,"size":2,"words":[],"flag":true,"flag":false}"#
    #expect(try ours(Member.self, text) == .value(Member(size: 1, words: [], flag: true)))
  }
}
