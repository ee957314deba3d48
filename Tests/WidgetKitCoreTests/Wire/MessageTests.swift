import FoundationEssentials
import Testing

@testable import WidgetKitCore

@Suite struct MessageTests {
  /// A message on the wire, and the message written for it.
  struct Case: Sendable, CustomTestStringConvertible {
    var method: String
    var json: String
    var rewritten: @Sendable (IncomingLine) throws -> [UInt8]
    var testDescription: String { method }
  }

  private nonisolated static func request<Message: RequestMessage>(
    _ type: Message.Type,
    _ params: String
  ) -> Case {
    Case(
      method: Message.method,
      json: #"{"jsonrpc":"2.0","id":7,"method":"\#(Message.method)","params":\#(params)}"#
    ) { OutgoingLine.request(try $0.decode(type), id: 7) }
  }

  private nonisolated static func notification<Message: NotificationMessage>(
    _ type: Message.Type,
    _ params: String
  ) -> Case {
    Case(
      method: Message.method,
      json: #"{"jsonrpc":"2.0","method":"\#(Message.method)","params":\#(params)}"#
    ) { OutgoingLine.notification(try $0.decode(type)) }
  }

  private nonisolated static func reply<Message: RequestMessage>(
    _ type: Message.Type,
    _ result: String
  ) -> Case {
    Case(
      method: "answer to \(Message.method)",
      json: #"{"jsonrpc":"2.0","id":"a","result":\#(result)}"#
    ) { OutgoingLine.result(try $0.decode(Message.Reply.self), id: .string("a")) }
  }

  nonisolated static let requests = [
    request(
      InitializeRequest.self,
      #"""
      {"protocolVersion":1,"host":{"name":"today","version":"0.1.0"},
      "bundleIdentifier":"com.example.ClownTown.Today","instance":"2","configuration":{"a":"b"},
      "reason":"appear","activeDisplayMode":"compact","maximumSize":{"width":36,"height":200},
      "marginInsets":{"top":0,"left":1,"bottom":0,"right":1},"locale":"en_GB","timeZone":"UTC",
      "appearance":{"colors":16777216,"dark":true},
      "containers":{"data":"/d","cache":"/c","groups":{"group.a":"/g"}}}
      """#
    ),
    request(
      WidgetMarginInsetsRequest.self,
      #"{"proposed":{"top":0,"left":1,"bottom":0,"right":1}}"#
    ),
    request(ViewWillAppearRequest.self, #"{"size":{"width":36,"height":4},"animated":false}"#),
    request(ViewWillDisappearRequest.self, "{}"),
    request(WidgetPerformUpdateRequest.self, #"{"reason":"schedule"}"#),
    request(
      ViewWillTransitionToSizeRequest.self,
      #"""
      {"size":{"width":36,"height":9},"transition":3,"duration":0.25,"curve":"easeInOut",
      "animated":true}
      """#
    ),
    request(PerformActionRequest.self, #"{"action":"done-3","value":true}"#),
    request(PerformActionRequest.self, #"{"action":"more"}"#),
    request(OpenURLRequest.self, #"{"url":"clowntown://post/7"}"#),
    request(SetHasContentRequest.self, #"{"flag":false,"bundleIdentifier":"com.example.A"}"#),
    request(BeginExpiringActivityRequest.self, #"{"reason":"save"}"#),
    request(SendSignalRequest.self, #"{"process":812,"startTime":48213,"signal":15}"#),
  ]

  nonisolated static let notifications = [
    notification(ViewDidAppearNotification.self, "{}"),
    notification(ViewDidDisappearNotification.self, "{}"),
    notification(TransitionDidCompleteNotification.self, #"{"transition":3,"finished":true}"#),
    notification(
      ActiveDisplayModeDidChangeNotification.self,
      #"{"activeDisplayMode":"expanded","maximumSize":{"width":36,"height":200}}"#
    ),
    notification(
      AppearanceDidChangeNotification.self,
      #"{"appearance":{"colors":256,"dark":false}}"#
    ),
    notification(ExpiringActivityNotification.self, #"{"activity":1,"expired":true}"#),
    notification(DidReceiveMemoryWarningNotification.self, "{}"),
    notification(ShutdownNotification.self, "{}"),
    notification(SetViewNotification.self, #"{"view":{"type":"text","text":"Hello"}}"#),
    notification(SetPreferredContentSizeNotification.self, #"{"height":6}"#),
    notification(SetPreferredContentSizeNotification.self, #"{"height":null}"#),
    notification(SetLargestAvailableDisplayModeNotification.self, #"{"mode":"expanded"}"#),
    notification(EndExpiringActivityNotification.self, #"{"activity":1}"#),
    notification(LogNotification.self, #"{"level":"info","message":"…"}"#),
    notification(LogNotification.self, #"{"message":"plain"}"#),
  ]

  nonisolated static let replies = [
    reply(
      InitializeRequest.self,
      #"""
      {"protocolVersion":1,"implements":["widgetPerformUpdate"],
      "largestAvailableDisplayMode":"expanded","allowsEditing":false,
      "view":{"type":"text","text":"Hello"},"preferredContentSize":{"height":3}}
      """#
    ),
    reply(ViewWillAppearRequest.self, #"{"preferredContentSize":null}"#),
    reply(ViewWillDisappearRequest.self, "{}"),
    reply(
      WidgetPerformUpdateRequest.self,
      #"""
      {"result":"newData","view":{"type":"text","text":"Hello"},"refreshAfter":60,
      "timeline":{"entries":[{"date":"2026-11-20T15:00:00Z","relevance":2,
      "view":{"type":"text","text":"later"}}],"policy":"atEnd"}}
      """#
    ),
    reply(
      WidgetPerformUpdateRequest.self,
      #"{"result":"newData","timeline":{"entries":[],"policy":{"after":"2026-11-20T15:00:00Z"}}}"#
    ),
    reply(WidgetPerformUpdateRequest.self, #"{"result":"noData"}"#),
    reply(WidgetPerformUpdateRequest.self, #"{"result":"failed","error":"no network"}"#),
    reply(ViewWillTransitionToSizeRequest.self, #"{"alongside":{"type":"text","text":"end"}}"#),
    reply(ViewWillTransitionToSizeRequest.self, "{}"),
    reply(WidgetMarginInsetsRequest.self, #"{"top":0,"left":2,"bottom":1,"right":2}"#),
    reply(PerformActionRequest.self, #"{"result":"newData","view":{"type":"text","text":"x"}}"#),
    reply(OpenURLRequest.self, #"{"success":true}"#),
    reply(BeginExpiringActivityRequest.self, #"{"activity":1,"expired":false}"#),
  ]

  @Test(arguments: requests + notifications + replies)
  func `a message can be written as it was read`(message: Case) throws {
    let original = try IncomingLine(Array(message.json.utf8)[...])
    let written = try message.rewritten(original)
    #expect(written.last == UInt8(ascii: "\n"))
    #expect(!written.dropLast().contains(UInt8(ascii: "\n")))
    let again = try IncomingLine(written.dropLast())
    #expect(try JSONValue(again.bytes) == JSONValue(original.bytes))
    #expect(again.kind == original.kind)
  }

  @Test func `a request without an id is read as a notification`() throws {
    let line = OutgoingLine.notification(ShutdownNotification()).dropLast()
    #expect(try IncomingLine(line).kind == .notification(method: "shutdown"))
  }

  @Test func `an error without a request has a null id`() throws {
    let line = OutgoingLine.error(.parseError("at byte 0: no"), id: nil).dropLast()
    #expect(
      try JSONValue(line)
        == JSONValue(
          #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"at byte 0: no"}}"#.utf8
        )
    )
  }

  @Test func `an answer has the id of the request`() throws {
    for id in [MessageID.number(7), .string("seven")] {
      let line = OutgoingLine.result(NoMembers(), id: id).dropLast()
      #expect(try IncomingLine(line).kind == .result(id))
    }
  }

  @Test func `unknown members and the width of a requested size are ignored`() throws {
    let text = #"{"jsonrpc":"2.0","method":"x","params":{"height":4,"width":10,"depth":{"a":[]}}}"#
    let line = try IncomingLine(Array(text.utf8)[...])
    #expect(try line.decode(SetPreferredContentSizeNotification.self).size.height == 4)
  }

  @Test(arguments: [0, 10_000])
  func `heights at the ends of the range are accepted`(height: Int) throws {
    let text = #"{"jsonrpc":"2.0","method":"x","params":{"height":\#(height)}}"#
    let line = try IncomingLine(Array(text.utf8)[...])
    #expect(try line.decode(SetPreferredContentSizeNotification.self).size.height == height)
  }

  @Test(arguments: ["-1", "10001", "2.5", "true", "1e99"])
  func `heights outside the range are refused`(height: String) throws {
    let text = #"{"jsonrpc":"2.0","method":"x","params":{"height":\#(height)}}"#
    let line = try IncomingLine(Array(text.utf8)[...])
    let error = #expect(throws: WireError.self) {
      try line.decode(SetPreferredContentSizeNotification.self)
    }
    #expect(error?.message.contains("params.height: expected a whole number") == true)
  }
}

/// JSON as a value, to compare texts with members in another order.
private enum JSONValue: Decodable, Hashable {
  case null
  case flag(Bool)
  case number(Double)
  case text(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(_ bytes: some Sequence<UInt8>) throws {
    self = try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let array = try? container.decode([JSONValue].self) {
      self = .array(array)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }
}
