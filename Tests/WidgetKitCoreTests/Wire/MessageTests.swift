import FoundationEssentials
import Testing

@testable import WidgetKitCore

@Suite struct MessageTests {
  @Test(arguments: MessageSample.all)
  func `a message can be written as it was read`(message: MessageSample) throws {
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
