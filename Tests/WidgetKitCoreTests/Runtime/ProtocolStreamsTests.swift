import Glibc
import Testing

@testable import WidgetKitCore

@Suite(.timeLimit(.minutes(5)))
struct ProtocolStreamsTests {
  /// A pipe: what is written to the second end is read from the first.
  private func makePipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    return (ends[0], ends[1])
  }

  @Test func `lines are whole and in order however the bytes are split`() async throws {
    let ends = try makePipe()
    let writer = ProtocolStreams(input: -1, output: ends.write)
    let lines = ProtocolStreams(input: ends.read, output: -1).lines()
    for piece in ["fir", "st\nsecond\n\nth", "ird\nlost"] {
      #expect(writer.write(Array(piece.utf8)))
    }
    close(ends.write)
    var read: [String] = []
    for await line in lines { read.append(String(decoding: line, as: UTF8.self)) }
    #expect(read == ["first", "second", "third"])
    close(ends.read)
  }

  @Test func `more than a pipe can hold is written completely, also with a non-blocking pipe`()
    async throws
  {
    let ends = try makePipe()
    _ = fcntl(ends.write, F_SETFL, O_NONBLOCK)
    let long = [UInt8](repeating: UInt8(ascii: "a"), count: 200_000) + [UInt8(ascii: "\n")]
    let lines = ProtocolStreams(input: ends.read, output: -1).lines()
    let writer = Task.detached {
      let written = ProtocolStreams(input: -1, output: ends.write).write(long)
      close(ends.write)
      return written
    }
    var counts: [Int] = []
    for await line in lines { counts.append(line.count) }
    #expect(await writer.value)
    #expect(counts == [200_000])
    close(ends.read)
  }

  @Test func `a closed reader is reported and not fatal`() throws {
    signal(SIGPIPE, SIG_IGN)
    let ends = try makePipe()
    close(ends.read)
    #expect(!ProtocolStreams(input: -1, output: ends.write).write([1]))
    close(ends.write)
  }
}
