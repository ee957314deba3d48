public import FoundationEssentials
public import WidgetKitCore

/// A message that was exchanged with a widget, as it can be shown.
public struct ExchangedMessage: Hashable, Sendable {
  /// Which way it went, seen from the host.
  public var direction: TraceWriter.Direction
  /// When it was sent or read.
  public var date: Date
  /// The length of its line; 0 if it was none.
  public var byteCount: Int
  /// The beginning of its line, in which secrets are replaced; the name of the method if it was no line.
  public var text: SafeText
}

/// The last messages of one widget, over all its processes.
///
/// Only the beginning of each is kept, as bytes, so that it costs next to nothing until somebody looks.
/// A class because the connections of a session share it.
@MainActor package final class MessageRing {
  private struct Entry {
    var direction: TraceWriter.Direction
    var date: Date
    var byteCount: Int
    var begin: [UInt8]
  }

  private var entries: [Entry] = []
  /// Where the next entry goes when there are as many as are kept.
  private var next = 0

  /// How many messages are kept, and how many bytes of each.
  static let limit = (messages: 32, bytes: 1_000)

  /// Adds a message.
  func note(_ direction: TraceWriter.Direction, _ line: ArraySlice<UInt8>, at date: Date) {
    let begin = Array(line.prefix(Self.limit.bytes))
    add(Entry(direction: direction, date: date, byteCount: line.count, begin: begin))
  }

  /// Adds a message that was no line, in a few words.
  func note(_ direction: TraceWriter.Direction, words: String, at date: Date) {
    add(Entry(direction: direction, date: date, byteCount: 0, begin: Array(words.utf8)))
  }

  private func add(_ entry: Entry) {
    guard entries.count >= Self.limit.messages else {
      entries.append(entry)
      return
    }
    entries[next] = entry
    next = (next + 1) % Self.limit.messages
  }

  /// The messages, the oldest first.
  package var messages: [ExchangedMessage] {
    (entries[next...] + entries[..<next]).map { entry in
      let line = entry.begin.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 }
      return ExchangedMessage(
        direction: entry.direction,
        date: entry.date,
        byteCount: entry.byteCount,
        text: SafeText(String(decoding: line, as: UTF8.self))
      )
    }
  }
}
