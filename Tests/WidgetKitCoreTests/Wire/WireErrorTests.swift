import Testing

@testable import WidgetKitCore

@Suite struct WireErrorTests {
  /// The host's errors for the content of a message.
  private func refusal<Content: Decodable & Sendable>(
    _ type: Content.Type,
    _ content: String,
    as member: String = "params"
  ) -> String? {
    let outside =
      member == "params"
      ? #"{"jsonrpc":"2.0","method":"m","params":\#(content)}"#
      : #"{"jsonrpc":"2.0","id":1,"\#(member)":\#(content)}"#
    do throws(WireError) {
      let line = try IncomingLine(Array(outside.utf8)[...])
      _ = try line.decode(type)
      return nil
    } catch {
      #expect(error.code == .invalidParams)
      return error.message
    }
  }

  @Test(arguments: [
    ("{}", "params.view: expected, but missing"),
    (
      #"{"view":1e400}"#,
      "params.view: expected a node: an object with a type, or a text"
    ),
    (
      #"{"view":{"type":17}}"#,
      "params.view.type: expected a text, found 17"
    ),
    (
      #"{"view":{}}"#,
      "params.view.type: expected the type of a node, such as text or vstack, found nothing"
    ),
    (
      #"{"view":{"type":"vstack","children":["a",{"type":"text","text":"b","frame":{"width":-1}}]}}"#,
      "params.view.children[1].frame.width: expected a whole number from 0 to 10000, found -1"
    ),
    (
      #"{"view":{"type":"vstack","children":"a"}}"#,
      "params.view.children: expected an array of nodes, found “a”"
    ),
    (
      #"{"view":{"type":"gauge","value":"high"}}"#,
      "params.view.value: expected a number, found “high”"
    ),
  ])
  func `bad params of a view are named by their path`(content: String, words: String) {
    #expect(refusal(SetViewNotification.self, content) == words)
  }

  @Test func `a wrong type names the member and what was expected`() {
    #expect(
      refusal(EndExpiringActivityNotification.self, #"{"activity":"one"}"#)
        == "params.activity: expected a whole number"
    )
    #expect(refusal(OpenURLRequest.self, #"{"url":7}"#) == "params.url: expected a string")
    #expect(
      refusal(OpenURLRequest.self, #"{"url":null}"#)?.hasPrefix("params.url: expected a string")
        == true
    )
    #expect(
      refusal(SetHasContentRequest.self, #"{"flag":1,"bundleIdentifier":"a"}"#)
        == "params.flag: expected true or false"
    )
    #expect(
      refusal(SetPreferredContentSizeNotification.self, #"{"height":"tall"}"#)
        == "params.height: expected a whole number from 0 to 10000, found “tall”"
    )
  }

  @Test(arguments: [
    ("{}", "result.protocolVersion: expected, but missing"),
    (
      #"{"protocolVersion":"1","implements":[]}"#,
      "result.protocolVersion: expected 1, the version of the protocol"
    ),
    (#"{"protocolVersion":1,"implements":"all"}"#, "result.implements: expected an array"),
    (#"{"protocolVersion":1,"implements":[1]}"#, "result.implements[0]: expected a string"),
  ])
  func `a bad result is named below result`(content: String, words: String) {
    #expect(refusal(InitializeRequest.Reply.self, content, as: "result") == words)
  }

  @Test func `a negative interval is refused`() {
    #expect(
      refusal(
        WidgetPerformUpdateRequest.Reply.self,
        #"{"result":"noData","refreshAfter":-1}"#,
        as: "result"
      ) == "result.refreshAfter: expected seconds, 0 or more, found -1.0"
    )
  }

  @Test func `an invalid error object is named below error`() {
    #expect(
      refusal(WireError.self, #"{"code":1}"#, as: "error")
        == "error.message: expected, but missing"
    )
  }

  @Test func `unknown error codes are preserved`() throws {
    let text = #"{"jsonrpc":"2.0","id":1,"error":{"code":-31999,"message":"new"}}"#
    let error = try IncomingLine(Array(text.utf8)[...]).decode(WireError.self)
    #expect(error == WireError(code: .init(rawValue: -31_999), message: "new"))
    #expect(error.description == "new (-31999)")
  }

  @Test func `the numbers are those of JSON-RPC`() {
    #expect(WireError.Code.parseError.rawValue == -32_700)
    #expect(WireError.Code.invalidRequest.rawValue == -32_600)
    #expect(WireError.Code.methodNotFound.rawValue == -32_601)
    #expect(WireError.Code.invalidParams.rawValue == -32_602)
    #expect(WireError.methodNotFound("x").message == "no method “x”")
  }

  @Test(arguments: [
    (#"{"result":"newdata"}"#, "expected one of newData, noData, failed, found “newdata”"),
    (#"{"result":""}"#, "expected one of newData, noData, failed, found “”"),
    (#"{"result":7}"#, "expected one of newData, noData, failed, found no string"),
    (
      #"{"result":"a\u001b[31m"}"#, "expected one of newData, noData, failed, found “a␛[31m”"
    ),
  ])
  func `another word than those of the protocol is named with all of them`(
    content: String,
    words: String
  ) {
    let message = refusal(WidgetPerformUpdateRequest.Reply.self, content, as: "result")
    #expect(message == "result.result: \(words)")
  }

  @Test func `each word of the protocol has such an error`() {
    func words<Word: Decodable & Sendable>(_ type: Word.Type) -> String? {
      refusal([Word].self, #"["later"]"#, as: "result")
    }
    let later = "found “later”"
    #expect(
      words(UpdateReason.self)
        == "result[0]: expected one of appear, schedule, user, event, \(later)"
    )
    #expect(words(DisplayMode.self) == "result[0]: expected one of compact, expanded, \(later)")
    #expect(
      words(LaunchReason.self)
        == "result[0]: expected one of appear, update, event, request, test, \(later)"
    )
    #expect(words(AnimationCurve.self) == "result[0]: expected one of easeInOut, linear, \(later)")
    #expect(words(CoordinationIntent.self) == "result[0]: expected one of read, write, \(later)")
  }
}
