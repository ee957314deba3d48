import Testing

@testable import WidgetKitCore

@Suite struct IncomingLineTests {
  private func line(_ text: String) throws -> IncomingLine {
    try IncomingLine(Array(text.utf8)[...])
  }

  @Test(arguments: [
    (
      #"{"jsonrpc":"2.0","id":1,"method":"m","params":{}}"#,
      IncomingLine.Kind.request(.number(1), method: "m")
    ),
    (#"{"jsonrpc":"2.0","id":"a","method":"m"}"#, .request(.string("a"), method: "m")),
    (#"{"jsonrpc":"2.0","method":"m","params":{}}"#, .notification(method: "m")),
    (#"{"jsonrpc":"2.0","method":"größe"}"#, .notification(method: "größe")),
    (#"{"jsonrpc":"2.0","id":1,"result":null}"#, .result(.number(1))),
    (#"{"id":-3,"result":{},"jsonrpc":"2.0"}"#, .result(.number(-3))),
    (#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}"#, .error(.number(1))),
    (#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}"#, .error(nil)),
    (#"{"more":[1,{"a":2}],"jsonrpc":"2.0","method":"m"}"#, .notification(method: "m")),
    (" \t{ \"jsonrpc\" : \"2.0\" , \"method\" : \"m\" } \r", .notification(method: "m")),
  ])
  func `a message is recognized by its members, in any order`(
    text: String,
    kind: IncomingLine.Kind
  ) throws {
    #expect(try line(text).kind == kind)
  }

  @Test(arguments: [
    ("[]", "expected an object, one message a line"),
    (#"[{"jsonrpc":"2.0","method":"m"}]"#, "expected an object, one message a line"),
    ("null", "expected an object, one message a line"),
    ("42", "expected an object, one message a line"),
    ("{}", #"jsonrpc: expected "2.0""#),
    (#"{"method":"m"}"#, #"jsonrpc: expected "2.0""#),
    (#"{"jsonrpc":"1.0","method":"m"}"#, #"jsonrpc: expected "2.0""#),
    (#"{"jsonrpc":2.0,"method":"m"}"#, #"jsonrpc: expected "2.0""#),
    (#"{"jsonrpc":"2.0"}"#, "expected method, or one of result and error"),
    (#"{"jsonrpc":"2.0","id":1}"#, "expected method, or one of result and error"),
    (
      #"{"jsonrpc":"2.0","id":1,"result":{},"error":{}}"#,
      "expected method, or one of result and error"
    ),
    (#"{"jsonrpc":"2.0","method":7}"#, "method: expected a string"),
    (#"{"jsonrpc":"2.0","method":null}"#, "method: expected a string"),
    (#"{"jsonrpc":"2.0","method":"m","params":[1]}"#, "params: expected an object"),
    (#"{"jsonrpc":"2.0","method":"m","params":null}"#, "params: expected an object"),
    (
      #"{"jsonrpc":"2.0","id":null,"method":"m"}"#,
      "id: expected a whole number or a string, found null"
    ),
    (#"{"jsonrpc":"2.0","id":1.5,"method":"m"}"#, "id: expected a whole number or a string"),
    (#"{"jsonrpc":"2.0","id":[],"result":{}}"#, "id: expected a whole number or a string"),
    (#"{"jsonrpc":"2.0","id":null,"result":{}}"#, "id: expected a whole number or a string"),
    (#"{"jsonrpc":"2.0","result":{}}"#, "id: expected a whole number or a string"),
    (#"{"jsonrpc":"2.0","error":{}}"#, "id: expected, but missing"),
  ])
  func `an invalid message is refused with the name of the member`(text: String, words: String) {
    #expect(throws: WireError(code: .invalidRequest, message: words)) { try line(text) }
  }

  @Test(arguments: [
    Array("this is no JSON".utf8),
    Array(#"{"jsonrpc":"2.0","method":"m""#.utf8),
    Array(#"{"jsonrpc":"2.0","method":"m"}{}"#.utf8),
    Array("Content-Length: 2".utf8),
    [0xEF, 0xBB, 0xBF] + Array("{}".utf8),
    Array("{}".utf8) + [0],
    [0xFF, 0xFE, 0x7B, 0x00, 0x7D, 0x00],
    Array("\"".utf8) + [0xC0, 0xAF] + Array("\"".utf8),
    Array("\"".utf8) + [0xED, 0xA0, 0x80] + Array("\"".utf8),
    Array("\"".utf8) + [0xF4, 0x90, 0x80, 0x80] + Array("\"".utf8),
    Array("\"".utf8) + [0xC3] + Array("\"".utf8),
  ])
  func `a line that is not JSON in UTF-8 is a parse error`(bytes: [UInt8]) {
    let error = #expect(throws: WireError.self) { try IncomingLine(bytes[...]) }
    #expect(error?.code == .parseError)
  }

  static let faults: [([UInt8], String)] = [
    (Array(#"{"id":x}"#.utf8), #"at byte 6: expected a value, near “{"id":x}”"#),
    ([UInt8(ascii: "{"), 0xFF], "at byte 1: not UTF-8, near “{\u{FFFD}”"),
    (
      Array(#"{"jsonrpc":"2.0","id":3,"result":None,"more":[1,2,3]}"#.utf8),
      "at byte 33: expected a value, near “…,\"result\":None,\"more…”"
    ),
    (
      Array("Loading the mails of today".utf8),
      "at byte 0: expected a value, near “Loading the mails of…”"
    ),
    (
      Array(#"{"jsonrpc":"2.0","method":"m""#.utf8),
      #"at byte 29: expected a comma or }, near “…":"2.0","method":"m"”"#
    ),
    // Nothing of it can act on a terminal, and no character is cut in two.
    (Array("\u{1B}[2J\u{1B}]0;x\u{7}".utf8), "at byte 0: expected a value, near “␛[2J␛]0;x␇”"),
    (Array("äöüäöüäöüäöüäöü".utf8), "at byte 0: expected a value, near “äöüäöüäöüä…”"),
    (
      Array("{\"a\":\"\u{202E}b\u{9B}m\" x}".utf8),
      "at byte 15: expected a comma or }, near “{\"a\":\"b\u{FFFD}m\" x}”"
    ),
    ([], "at byte 0: the text ends where a value was expected, near “”"),
  ]

  @Test(arguments: faults)
  func `a parse error shows the twenty bytes around the error`(bytes: [UInt8], words: String) {
    #expect(throws: WireError.parseError(words)) { try IncomingLine(bytes[...]) }
    // A line is a slice of what was read.
    let inside = Array("{}".utf8) + bytes + Array("{}".utf8)
    #expect(throws: WireError.parseError(words)) { try IncomingLine(inside[2..<(2 + bytes.count)]) }
  }

  @Test func `nesting counts the message itself`() throws {
    func text(_ depth: Int) -> String {
      let inside =
        String(repeating: "[", count: depth - 2) + String(repeating: "]", count: depth - 2)
      return #"{"jsonrpc":"2.0","method":"m","params":{"a":\#(inside)}}"#
    }
    _ = try line(text(64))
    let error = #expect(throws: WireError.self) { try line(text(65)) }
    #expect(error?.code == .parseError)
    #expect(error?.message.contains("nested more than 64 deep") == true)
  }

  @Test func `of a duplicate member the first is used`() throws {
    let twice = try line(
      #"{"jsonrpc":"2.0","method":"a","method":"b","params":{"level":"1","message":"x"},"params":{}}"#
    )
    #expect(twice.kind == .notification(method: "a"))
    #expect(try twice.decode(LogNotification.self).message == "x")
  }

  @Test func `missing params are an empty object`() throws {
    let bare = try line(#"{"jsonrpc":"2.0","method":"viewDidAppear"}"#)
    #expect(bare.contentBytes.isEmpty)
    _ = try bare.decode(NoMembers.self)
    #expect(
      throws: WireError(code: .invalidParams, message: "params.view: expected, but missing")
    ) { try bare.decode(SetViewNotification.self) }
  }

  @Test func `the content is read from a slice that does not begin at zero`() throws {
    let text = #"{"jsonrpc":"2.0","id":3,"result":{"success":true}}"#
    let bytes = Array("before\n\(text)\nafter".utf8)
    let line = try IncomingLine(bytes[7..<(7 + text.utf8.count)])
    #expect(line.kind == .result(.number(3)))
    #expect(line.contentBytes.elementsEqual(#"{"success":true}"#.utf8))
    #expect(try line.decode(OpenURLRequest.Reply.self).success)
  }

  @Test func `a view above a limit is refused with the limit`() throws {
    var limits = ViewLimits.standard
    limits.nodes = 3
    func text(_ children: String) -> String {
      let view = #"{"type":"vstack","children":[\#(children)]}"#
      return #"{"jsonrpc":"2.0","method":"setView","params":{"view":\#(view)}}"#
    }
    _ = try line(text(#""a","b""#)).decode(SetViewNotification.self, limits: limits)
    let error = #expect(throws: WireError.self) {
      try line(text(#""a","b","c""#)).decode(SetViewNotification.self, limits: limits)
    }
    #expect(error?.code == .invalidParams)
    #expect(error?.message.contains("nodes") == true)
    #expect(error?.message.contains("3") == true)
  }
}
