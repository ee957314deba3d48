import Testing
import WidgetKitCore

@testable import WidgetExtensions

@Suite struct HostServiceTests {
  @Test func `every request of widgets is in the table once`() {
    let methods = [
      "openURL", "setHasContent", "beginExpiringActivity", "defaultsRead", "defaultsWrite",
      "secretAdd", "secretFind", "secretUpdate", "secretDelete", "downloadInBackground",
      "uploadInBackground", "cancelTransfer", "sendSignal", "coordinateBegin", "org.today.alert",
      "org.today.setConfiguration", "postNotice", "readNotices", "dismissNotice",
      "performNoticeAction",
    ]
    #expect(Set(HostService.all.keys) == Set(methods))
    #expect(HostService.all.allSatisfy { $0.key == $0.value.method })
  }

  private func message(_ method: String, _ params: String) throws -> WidgetMessage {
    let line = #"{"jsonrpc":"2.0","id":7,"method":"\#(method)","params":\#(params)}"#
    return try HostService.message(of: method, id: .number(7), IncomingLine(ArraySlice(line.utf8)))
  }

  @Test func `a request is decoded with its id, or refused with the reason`() throws {
    guard case .openURL("a:b", .number(7)) = try message("openURL", #"{"url":"a:b"}"#) else {
      Issue.record("not an openURL")
      return
    }
    #expect(throws: WireError(code: .methodNotFound, message: "no method “fly”")) {
      try message("fly", "{}")
    }
    #expect(throws: WireError.self) { try message("setHasContent", #"{"flag":1}"#) }
  }

  @Test(arguments: [
    ("com.example.a", false, true, true), ("com.example.a", true, true, true),
    ("com.example.a", true, false, false), ("com.example.a", false, false, true),
    ("com.example.b", true, true, true), ("com.example.b", false, false, true),
    ("com.example.c", false, true, false), ("com.example.c", true, true, false),
  ])
  func `a widget can hide itself and others of its app, and only the app can show it again`(
    identifier: String,
    flag: Bool,
    hasContent: Bool,
    isGranted: Bool
  ) {
    let sender = HostServiceSender(bundleIdentifier: "com.example.a", hasContent: hasContent) {
      $0 == "com.example.b"
    }
    let request = SetHasContentRequest(flag: flag, bundleIdentifier: identifier)
    #expect((sender.refusal(of: request) == nil) == isGranted)
  }
}
