import Testing
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform
import WidgetTesting

/// Members that no host reads, named while an author works on a widget.
@Suite struct MemberWatchTests {
  /// The process of a widget that says what a test wants.
  private final class Process: WidgetConnection {
    var sent = 0
    func send(_ message: any ConnectionMessage) { sent += 1 }
    func closeInput() {}
    func signal(_ signal: ProcessSignal) {}
    func suspend() -> String? { nil }
    var processRun: ProcessRun? { nil }
  }

  @Test func `a misspelt member of an answer is named once, until the program is another`() throws {
    let authored = try AuthoredBundle()
    defer { authored.remove() }
    let (watch, process) = (MemberWatch(), Process())
    var say: (WidgetReport) -> Void = { _ in }
    var heard = 0
    let launcher = watch.interpose { _, _, report in
      say = report
      return process
    }
    let id = ExtensionIdentity("com.example.Cups")
    let connection = try launcher(try authored.bundle, id) { _ in heard += 1 }
    for number in 1...2 {
      let request = OutgoingLine.request(WidgetPerformUpdateRequest(reason: .user), id: number)
      connection.send(SentMessage(line: request))
      let answer = """
        {"jsonrpc":"2.0","id":\(number),"result":{"result":"noData","refresh_after":60}}
        """
      say(.line(Array(answer.utf8)[...]))
    }
    #expect(process.sent == 2 && heard == 2)
    #expect(
      watch.sentences == [
        "the answer to widgetPerformUpdate: result.refresh_after is not read; did you mean refreshAfter?"
      ]
    )
    watch.forget()
    #expect(watch.sentences.isEmpty)
  }
}
