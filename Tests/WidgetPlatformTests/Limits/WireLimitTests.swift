import Testing
import WidgetKitCore

@testable import WidgetPlatform

/// Limits on messages: one below, at, and one above each.
@Suite struct WireLimitTests {
  private func decode(_ view: String) -> String? {
    let line = #"{"jsonrpc":"2.0","method":"setView","params":{"view":\#(view)}}"#
    do throws(WireError) {
      _ = try IncomingLine(Array(line.utf8)[...]).decode(SetViewNotification.self)
      return nil
    } catch {
      return error.message
    }
  }

  private func expect(_ view: String, _ offset: Int, _ words: String) {
    let message = decode(view)
    #expect((message == nil) == (offset <= 0), "\(message ?? "no error")")
    if offset > 0 { #expect(message?.contains(words) == true, "\(message ?? "")") }
  }

  private func stack(of count: Int) -> String {
    let children = Array(repeating: #""x""#, count: count).joined(separator: ",")
    return #"{"type":"vstack","children":[\#(children)]}"#
  }

  @Test("a view has at most 4,096 elements", arguments: [-1, 0, 1])
  func nodes(offset: Int) {
    expect(stack(of: 4_095 + offset), offset, "4096")
  }

  @Test("elements are nested at most 32 deep", arguments: [-1, 0, 1])
  func depth(offset: Int) {
    let open = String(repeating: #"{"type":"vstack","children":["#, count: 31 + offset)
    let close = String(repeating: "]}", count: 31 + offset)
    // Two of JSON for each element: the nesting of the message allows for them.
    let line = #"{"jsonrpc":"2.0","method":"setView","params":{"view":\#(open)"x"\#(close)}}"#
    do throws(WireError) {
      _ = try IncomingLine(Array(line.utf8)[...], depthLimit: 256).decode(SetViewNotification.self)
      #expect(offset <= 0)
    } catch {
      #expect(offset > 0)
      #expect(error.message.contains("view depth"), "\(error.message)")
    }
  }

  @Test("a grid has at most 1,000 rows", arguments: [-1, 0, 1])
  func gridRows(offset: Int) {
    let rows = Array(repeating: #"["x"]"#, count: 1_000 + offset).joined(separator: ",")
    expect(#"{"type":"grid","rows":[\#(rows)]}"#, offset, "1000")
  }

  @Test("a grid has at most 64 columns", arguments: [-1, 0, 1])
  func gridColumns(offset: Int) {
    let row = Array(repeating: #""x""#, count: 64 + offset).joined(separator: ",")
    expect(#"{"type":"grid","rows":[[\#(row)]]}"#, offset, "64")
  }

  @Test("a text has at most 16 KiB", arguments: [-1, 0, 1])
  func textBytes(offset: Int) {
    expect("\"\(String(repeating: "x", count: 16_384 + offset))\"", offset, "16384")
  }

  @Test("JSON nests at most 64 deep", arguments: [-1, 0, 1])
  func jsonDepth(offset: Int) {
    let depth = 63 + offset
    let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    let line = #"{"jsonrpc":"2.0","method":"log","params":\#(nested)}"#
    do throws(WireError) {
      _ = try IncomingLine(Array(line.utf8)[...])
      Issue.record("params were no object and passed")
    } catch {
      #expect(error.message.contains("nested more than 64 deep") == (offset > 0), "\(error)")
    }
  }

  @Test("a line has at most 256 KiB", arguments: [-1, 0, 1])
  func lineBytes(offset: Int) {
    var framer = LineFramer(byteLimit: HostLimits().lineBytes)
    framer.append([UInt8](repeating: UInt8(ascii: "x"), count: 262_144 + offset) + [0x0A])
    do throws(LineTooLong) {
      #expect(try framer.next()?.count == 262_144 + offset)
      #expect(offset <= 0)
    } catch {
      #expect(offset > 0)
      #expect("\(error)" == "a line of 262145 bytes; the limit is 262144")
    }
  }

  @Test("a burst has at most 1 MiB", arguments: [-1, 0, 1])
  func inputBurst(offset: Int) {
    var budget = InputBudget(HostLimits())
    let verdict = budget.spend(1 << 20 + offset, at: .now)
    #expect((verdict == .readOn) == (offset <= 0))
    #expect(budget.isSpent == (offset > 0))
  }

  @Test("input above the rate is accepted for ten seconds", arguments: [-10, 0, 10])
  func inputEndurance(milliseconds: Int) {
    var budget = InputBudget(HostLimits())
    let start = ContinuousClock.now
    _ = budget.spend(2 << 20, at: start)
    // As much as may be read, and more, so that it never recovers.
    let verdict = budget.spend(64 << 20, at: start + .seconds(10) + .milliseconds(milliseconds))
    #expect((verdict == .exhausted) == (milliseconds >= 0))
  }

  @Test("the number of messages that wait for a widget is limited", arguments: [63, 64, 65])
  func queuedMessages(count: Int) {
    var queue = OutputQueue()
    let taken = (0..<count).count { _ in queue.append([1]) }
    #expect(taken == min(count, 64))
  }

  @Test("the number of bytes that wait for a widget is limited", arguments: [-1, 0, 1])
  func queuedBytes(offset: Int) {
    var queue = OutputQueue()
    let isFirstTaken = queue.append([UInt8](repeating: 1, count: 262_143))
    #expect(isFirstTaken)
    let isSecondTaken = queue.append([UInt8](repeating: 1, count: 1 + offset))
    #expect(isSecondTaken == (offset <= 0))
    if offset > 0 {
      #expect(queue.words.hasSuffix("the limits are 64 and 262144"))
    }
  }

  @Test("the last 64 KiB of standard error are kept", arguments: [-1, 0, 1])
  func errorRing(offset: Int) {
    var log = ErrorLog()
    _ = log.append([UInt8(ascii: "a"), 0x0A])
    // What is left of the ring, in lines as long as they are kept whole.
    var left = 65_536 - 1 + offset
    while left > 0 {
      let count = min(left, 4_000)
      _ = log.append([UInt8](repeating: UInt8(ascii: "b"), count: count) + [0x0A])
      left -= count
    }
    #expect((log.lines.first == "a") == (offset <= 0))
  }
}
