import Testing

@testable import WidgetKitCore

@Suite struct LineFramerTests {
  /// The lines of a stream, whatever pieces it is read in.
  struct Stream: Sendable, CustomTestStringConvertible {
    var bytes: String
    var lines: [String]
    var testDescription: String { bytes.debugDescription }
  }

  nonisolated static let streams = [
    Stream(bytes: "", lines: []),
    Stream(bytes: "\n", lines: []),
    Stream(bytes: "one\n", lines: ["one"]),
    Stream(bytes: "one\r\n", lines: ["one"]),
    Stream(bytes: "one\ntwo\n\n\nthree\n", lines: ["one", "two", "three"]),
    Stream(bytes: "\r\n\r\none\r\n\n", lines: ["one"]),
    Stream(bytes: "o\rne\ntwo", lines: ["o\rne"]),
    Stream(bytes: "größe 🎈\nzwei\n", lines: ["größe 🎈", "zwei"]),
  ]

  /// Appends the pieces one after another and takes all complete lines after each.
  private func lines(of pieces: [some Sequence<UInt8>]) throws -> [String] {
    var framer = LineFramer()
    var lines: [String] = []
    for piece in pieces {
      framer.append(piece)
      while let line = try framer.next() { lines.append(String(decoding: line, as: UTF8.self)) }
    }
    return lines
  }

  @Test(arguments: streams)
  func `a stream read at once gives its lines`(stream: Stream) throws {
    #expect(try lines(of: [Array(stream.bytes.utf8)]) == stream.lines)
  }

  @Test(arguments: streams)
  func `a stream read byte by byte gives the same lines`(stream: Stream) throws {
    #expect(try lines(of: stream.bytes.utf8.map { [$0] }) == stream.lines)
  }

  @Test(arguments: streams)
  func `a stream read in two pieces gives the same lines at every split`(stream: Stream) throws {
    let bytes = Array(stream.bytes.utf8)
    for split in 0...bytes.count {
      #expect(try lines(of: [bytes[..<split], bytes[split...]]) == stream.lines, "at \(split)")
    }
  }

  @Test(arguments: streams)
  func `a stream read in three pieces gives the same lines`(stream: Stream) throws {
    let bytes = Array(stream.bytes.utf8)
    for first in 0...bytes.count {
      for second in first...bytes.count {
        let pieces = [bytes[..<first], bytes[first..<second], bytes[second...]]
        #expect(try lines(of: pieces) == stream.lines, "at \(first) and \(second)")
      }
    }
  }

  @Test(arguments: [("\n", 7), ("\n", 8), ("\r\n", 8)])
  func `a line up to the limit is accepted, without counting its line feed`(end: String, count: Int)
    throws
  {
    var framer = LineFramer(byteLimit: 8)
    let line = [UInt8](repeating: UInt8(ascii: "x"), count: count)
    framer.append(line + Array(end.utf8))
    #expect(try framer.next()?.elementsEqual(line) == true)
    #expect(framer.pendingByteCount == 0)
  }

  @Test func `a line above the limit is refused with both numbers`() {
    var framer = LineFramer(byteLimit: 8)
    framer.append("123456789\n".utf8)
    let error = #expect(throws: LineTooLong.self) { _ = try framer.next() }
    #expect(error?.description == "a line of 9 bytes; the limit is 8")
  }

  @Test func `an unfinished line is refused as soon as it is too long`() throws {
    var framer = LineFramer(byteLimit: 8)
    framer.append("12345678".utf8)
    #expect(try framer.next() == nil)
    framer.append("9".utf8)
    #expect(throws: LineTooLong(byteLimit: 8, byteCount: 9)) { _ = try framer.next() }
  }

  @Test func `lines before one that is too long are returned`() throws {
    var framer = LineFramer(byteLimit: 4)
    framer.append("one\ntwo\nthree\n".utf8)
    #expect(try framer.next()?.elementsEqual("one".utf8) == true)
    #expect(try framer.next()?.elementsEqual("two".utf8) == true)
    #expect(throws: LineTooLong.self) { _ = try framer.next() }
  }

  @Test func `returned bytes are not kept`() throws {
    var framer = LineFramer()
    for _ in 0..<100 {
      framer.append("0123456789\nrest".utf8)
      while try framer.next() != nil {}
      framer.append("\n".utf8)
      while try framer.next() != nil {}
      #expect(framer.pendingByteCount == 0)
    }
  }
}
