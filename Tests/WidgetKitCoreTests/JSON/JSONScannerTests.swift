import Testing

@testable import WidgetKitCore

@Suite struct JSONScannerTests {
  /// Where a text stops being JSON; nil if it does not.
  private func failure(_ text: String, depthLimit: Int = 64) -> JSONScanner.Failure? {
    let bytes = Array(text.utf8)
    var scanner = JSONScanner(bytes[...], depthLimit: depthLimit)
    do throws(JSONScanner.Failure) {
      _ = try scanner.value()
      scanner.skipSpace()
      return scanner.isAtEnd ? nil : scanner.failure("something follows")
    } catch {
      return error
    }
  }

  @Test(arguments: [
    "{}", "[]", " { } ", "[1,2 , 3]", "null", "true", "false", "0", "-0", "-1.5e+10", "1E9",
    #""""#, #""a\"b\\c\/d\b\f\n\r\t""#, #""\u00e9\u20AC""#, #""\uD83C\uDF88""#,
    #"{"a":{"b":[{"c":null}]}}"#, "\t[\r\n1]", #""größe 🎈""#, #"{"":0}"#,
  ])
  func `everything that RFC 8259 allows is accepted`(text: String) throws {
    #expect(failure(text) == nil)
    for padded in [text, " \t" + text + "\r\n", "[\(text) ,\n\(text)]", "{\"a\\\\\" : \(text) }"] {
      let bytes = Array(padded.utf8)[...]
      let table = try JSONDocument(bytes, depthLimit: 64).entries
      #expect(JSONDocument(checked: bytes).entries == table)
    }
  }

  @Test(arguments: [
    ("", "ends where a value was expected"),
    ("nul", "expected a value"),
    ("True", "expected a value"),
    ("NaN", "expected a value"),
    ("Infinity", "expected a value"),
    ("-", "expected a digit"),
    ("+1", "expected a value"),
    ("1.", "expected a digit"),
    (".5", "expected a value"),
    ("1e", "expected a digit"),
    ("01", "something follows"),
    ("[1,]", "expected a value"),
    ("[1 2]", "expected a comma or ]"),
    ("[1", "expected a comma or ]"),
    ("{1:2}", "expected a member's name"),
    (#"{"a" 1}"#, "expected a colon"),
    (#"{"a":1,}"#, "expected a member's name"),
    (#"{"a":1"#, "expected a comma or }"),
    (#"{'a':1}"#, "expected a member's name"),
    ("[1] // no", "something follows"),
    (#""open"#, "a string without an end"),
    (#""open\"#, "a string without an end"),
    (#""\x41""#, "an unknown escape"),
    (#""\u12g4""#, "four hexadecimal digits"),
    (#""\u12"#, "four hexadecimal digits"),
    (#""\u0000""#, "a NUL in a string"),
    (#""\uD83C""#, "half of a surrogate pair"),
    (#""\uD83C x""#, "half of a surrogate pair"),
    (#""\uD83C\n""#, "half of a surrogate pair"),
    (#""\uD83C\u0041""#, "half of a surrogate pair"),
    (#""\uDF88\uD83C""#, "half of a surrogate pair"),
    ("\"a\tb\"", "a control character in a string"),
    ("\"a\u{0}b\"", "a control character in a string"),
    ("\u{FEFF}{}", "expected a value"),
  ])
  func `everything else is refused with its reason`(text: String, reason: String) throws {
    let found = try #require(failure(text))
    #expect(found.reason.contains(reason))
  }

  @Test func `the offset names the byte where it goes wrong`() {
    #expect(failure(#"{"a":x}"#)?.offset == 5)
    #expect(failure("[1,2")?.offset == 4)
  }

  @Test(arguments: [1, 2, 64])
  func `nesting up to the limit passes and one more does not`(limit: Int) {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(failure(nested(limit - 1) + (limit == 1 ? "0" : ""), depthLimit: limit) == nil)
    #expect(failure(nested(limit), depthLimit: limit) == nil)
    let past = failure(nested(limit + 1), depthLimit: limit)
    #expect(past?.reason == "nested more than \(limit) deep, the limit")
  }

  @Test func `arrays and objects count alike, and siblings do not add up`() {
    #expect(failure(#"[{"a":[0]},{"a":[0]},[[0]]]"#, depthLimit: 3) == nil)
    #expect(failure(#"[{"a":[[0]]}]"#, depthLimit: 3) != nil)
  }

  @Test func `endless nesting is refused at once`() {
    #expect(failure(String(repeating: "[", count: 200_000))?.offset == 64)
    #expect(failure(String(repeating: #"{"a":"#, count: 50_000))?.reason.contains("64") == true)
  }

  @Test func `no proper prefix of a message is valid`() {
    let line = #"{"jsonrpc":"2.0","id":7,"result":{"view":["a",{"b":-1.5e3}],"c":"é\u00e9"}}"#
    let characters = Array(line)
    for count in 0..<characters.count {
      #expect(failure(String(characters[..<count])) != nil, "\(count) characters")
    }
    #expect(failure(line) == nil)
  }
}
