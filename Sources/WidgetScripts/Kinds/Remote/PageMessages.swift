import FoundationEssentials
package import WidgetKitCore
import WidgetPlatform

/// A card of a page on another machine, as that machine describes it.
package struct PageCard: Codable, Hashable, Sendable {
  /// The identity there: `ID`, or `ID:NAME`.
  package var id: String
  /// The name in the heading.
  package var name: String
  /// The sign before the name, and its colour.
  package var glyph: String?
  package var tint: Color?
  /// The columns that it takes up.
  package var span: Int?
  /// The seconds between two updates.
  package var interval: Double?

  package init(id: String, name: String, mark: CardMark, span: Int?, interval: Double?) {
    (self.id, self.name, self.span, self.interval) = (id, name, span, interval)
    (glyph, tint) = (mark.glyph?.string, mark.tint)
  }
}

/// What a machine tells of its page.
///
/// Members that are unknown are ignored, so that a later version can add some.
package struct PageNews: Codable, Sendable {
  /// The version in which it speaks, in the first message.
  var `protocol`: Int?
  /// The version of its program, in the first message.
  var today: String?
  /// The name of the page.
  var page: String?
  /// The cards, in the first message and when they have changed.
  var cards: [PageCard]?
  /// The widget of a card has ended.
  var ended: End?
  /// The widget of a card has written to its standard error.
  var log: Log?
  /// The widget of a card has exceeded a limit there, or cannot be started.
  var failed: Failure?

  package struct End: Codable, Sendable {
    var number: Int
    var exit: Int32?
    var signal: Int32?

    var status: TerminationStatus {
      if let exit { .exited(exit) } else { signal.map { .signaled($0) } ?? .unknown }
    }

    init(_ number: Int, _ status: TerminationStatus) {
      self.number = number
      switch status {
      case .exited(let code): exit = code
      case .signaled(let number): signal = number
      case .unknown: break
      }
    }
  }

  package struct Log: Codable, Sendable {
    var number: Int
    var lines: [String]
  }

  package struct Failure: Codable, Sendable {
    var number: Int
    var words: String
  }

  init() {}

  /// The line, with its end.
  var line: [UInt8] { PageFrame.line(PageFrame.page, PageCoding.encode(self)) }
}

/// What a program wants of a page that another machine has.
package struct PageOrder: Codable, Sendable {
  /// The version in which it speaks, in the first message.
  var `protocol`: Int?
  /// A widget is started, and its messages have this number from now on.
  var open: Opening?
  /// Standard input of a widget is closed.
  var close: Int?
  /// A widget is sent SIGTERM.
  var terminate: Int?
  /// A widget is killed.
  var kill: Int?
  /// A widget is stopped, because nobody sees it.
  var suspend: Int?
  /// A widget continues.
  var resume: Int?

  package struct Opening: Codable, Sendable {
    var number: Int
    var card: String
  }

  init() {}

  /// An order of one member.
  init<Value>(_ path: WritableKeyPath<PageOrder, Value?>, _ value: Value) {
    self[keyPath: path] = value
  }

  /// The line, with its end.
  var line: [UInt8] { PageFrame.line(PageFrame.page, PageCoding.encode(self)) }
}

/// How the messages about a page are written.
enum PageCoding {
  static func encode(_ value: some Encodable) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Texts and numbers can always be written.
    return (try? encoder.encode(value)) ?? Data("{}".utf8)
  }

  static func decode<Value: Decodable>(_ type: Value.Type, _ bytes: ArraySlice<UInt8>) -> Value? {
    try? JSONDecoder().decode(type, from: Data(bytes))
  }
}
