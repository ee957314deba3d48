import WidgetTestSupport

/// Generates nearly valid texts: messages, views and other parts of the protocol with odd
/// values in odd places.
struct Grammar {
  var random: SeededGenerator

  init(_ random: SeededGenerator) {
    self.random = random
  }

  /// A text for a target.
  mutating func text(for target: FuzzTarget) -> String {
    switch target {
    case .framing: (0...random.number(0...20)).map { _ in line() }.joined(separator: "\n")
    case .message: line()
    case .view: view(depth: 0)
    case .timeline: timeline()
    case .snapshot: snapshot()
    case .history: history()
    case .runs: (0...random.number(0...4)).map { _ in run() }.joined(separator: "\n")
    case .page: page()
    case .configuration: configuration()
    case .plist: propertyList(depth: 0)
    case .ansi: (0...random.number(0...30)).map { _ in random.one(of: Self.pieces) }.joined()
    case .query: "$" + pieces(of: Self.queryPieces) + "\n" + value(depth: 0)
    case .expression: pieces(of: Self.expressionPieces) + "\n" + pieces(of: ["a", "b", "é", "\n"])
    case .input: (0...random.number(0...30)).map { _ in random.one(of: Self.sequences) }.joined()
    case .calendar: calendar()
    case .archive: (0...random.number(0...6)).map { _ in archiveMember() }.joined()
    case .entry: registryEntry()
    case .image:
      random.one(of: ["GIF89a", "RIFF....WEBPVP8X", ""])
        + (0...random.number(0...30)).map { _ in random.one(of: Self.pieces) }.joined()
    }
  }

  private mutating func pieces(of all: [String]) -> String {
    (0...random.number(0...12)).map { _ in random.one(of: all) }.joined()
  }

  private mutating func line() -> String {
    let id = random.once(in: 6) ? value(depth: 3) : "\(random.number(0...9))"
    let body = message()
    switch random.number(0...5) {
    case 0...2: return #"{"jsonrpc":"2.0","method":\#(method()),"params":\#(body)}"#
    case 3: return #"{"jsonrpc":"2.0","id":\#(id),"method":\#(method()),"params":\#(body)}"#
    case 4: return #"{"jsonrpc":"2.0","id":\#(id),"result":\#(body)}"#
    default: return #"{"id":\#(id),"error":\#(value(depth: 2)),"jsonrpc":\#(value(depth: 3))}"#
    }
  }

  private mutating func method() -> String {
    random.once(in: 8) ? value(depth: 3) : "\"\(random.one(of: Self.methods))\""
  }

  private mutating func message() -> String {
    object {
      switch $0.random.number(0...6) {
      case 0, 1: ("view", $0.view(depth: 1))
      case 2:
        ("preferredContentSize", $0.random.once(in: 2) ? #"{"height":3}"# : $0.value(depth: 2))
      case 3: ("timeline", $0.timeline())
      case 4: ("result", "\"\($0.random.one(of: ["newData", "noData", "failed", "x"]))\"")
      default: ($0.random.one(of: Self.members), $0.value(depth: 2))
      }
    }
  }

  private mutating func timeline() -> String {
    let entries = (0..<random.number(0...5)).map { _ in
      #"{"date":"\#(random.one(of: Self.dates))","view":\#(view(depth: 2))}"#
    }
    let policy = random.one(of: [#""atEnd""#, #""never""#, #"{"after":"2027-01-01T00:00:00Z"}"#])
    return #"{"entries":[\#(entries.joined(separator: ","))],"policy":\#(policy)}"#
  }

  private mutating func snapshot() -> String {
    let key =
      #"{"bundleIdentifier":"a","displayMode":"compact","locale":"en","protocolVersion":1}"#
    let dates = #""made":\#(number()),"contentDate":\#(number())"#
    let rest = random.once(in: 2) ? "" : #","timeline":\#(timeline())"#
    return
      #"{"key":\#(key),\#(dates),"view":\#(view(depth: 1)),"preferredHeight":\#(number())\#(rest)}"#
  }

  private mutating func history() -> String {
    let reload = random.one(of: [
      #"{"at":{"_0":\#(number())}}"#, #"{"never":{}}"#, "null", value(depth: 4),
    ])
    return #"{"lastUpdate":\#(number()),"lastGood":\#(number()),"failures":\#(number()),"#
      + #""wish":\#(number()),"reload":\#(reload),"budgetSpentUntil":\#(number())}"#
  }

  private mutating func run() -> String {
    let names = [
      "start", "milliseconds", "cpuMilliseconds", "bytesReceived", "bytesSent", "newData", "noData",
      "failed", "faults",
    ]
    let members = names.map { "\"\($0)\":\(number())" }.joined(separator: ",")
    return #"{\#(members),"reason":\#(string()),"end":\#(string())}"#
  }

  private mutating func page() -> String {
    let identifier = random.one(of: ["com.example.A", "../../x", "..", "", "today", "a/b"])
    let insets = #"{"top":\#(number()),"left":\#(number()),"bottom":0,"right":1}"#
    let entry =
      #"{"bundleIdentifier":"\#(identifier)","name":\#(string()),"marginInsets":\#(insets),"#
      + #""folderNumber":\#(number()),"offersExpanded":true}"#
    return #"{"cards":[\#(entry)],"removed":\#(value(depth: 3)),"guests":[\#(entry)]}"#
  }

  private mutating func configuration() -> String {
    let members = (0..<random.number(0...6)).map { _ in
      "\(random.one(of: Self.settings)): { \(random.one(of: Self.settings)): \(number()), }"
    }
    return "{ \(members.joined(separator: ", ")) }"
  }

  /// A view: an element, a string, or something else.
  private mutating func view(depth: Int) -> String {
    if depth > 6 || random.once(in: 5) { return string() }
    if random.once(in: 12) { return value(depth: depth) }
    let type = random.one(of: Self.types)
    var members = [#""type":"\#(type)""#]
    for _ in 0..<random.number(0...5) {
      members.append(#""\#(random.one(of: Self.viewMembers))":\#(member(depth: depth + 1))"#)
    }
    if random.once(in: 2) {
      let children = (0..<random.number(0...4)).map { _ in view(depth: depth + 1) }
      members.append(#""children":[\#(children.joined(separator: ","))]"#)
    }
    if type == "grid" {
      let rows = (0..<random.number(0...3)).map { _ in "[\(view(depth: depth + 1))]" }
      members.append(#""rows":[\#(rows.joined(separator: ","))]"#)
    }
    return "{\(members.joined(separator: ","))}"
  }

  private mutating func member(depth: Int) -> String {
    switch random.number(0...6) {
    case 0: string()
    case 1: number()
    case 2: view(depth: depth + 1)
    case 3:
      random.one(of: ["true", "false", "null", "\"red\"", "\"#00ff7f\"", "17", "\"expanded\""])
    case 4: #"{"width":\#(number()),"minHeight":\#(number()),"maxWidth":\#(number())}"#
    case 5: "[\((0..<random.number(0...8)).map { _ in number() }.joined(separator: ","))]"
    default: value(depth: depth)
    }
  }

  /// Any JSON at all.
  private mutating func value(depth: Int) -> String {
    switch random.number(depth > 6 ? 2...6 : 0...6) {
    case 0: object { ($0.random.one(of: Self.members), $0.value(depth: depth + 1)) }
    case 1:
      "[\((0..<random.number(0...4)).map { _ in value(depth: depth + 1) }.joined(separator: ","))]"
    case 2, 3: string()
    case 4: number()
    default: random.one(of: ["true", "false", "null"])
    }
  }

  private mutating func object(_ member: (inout Grammar) -> (String, String)) -> String {
    let members = (0..<random.number(0...5)).map { _ in
      let (name, value) = member(&self)
      return "\"\(name)\":\(value)"
    }
    return "{\(members.joined(separator: ","))}"
  }

  private mutating func number() -> String { random.one(of: Self.numbers) }

  private mutating func string() -> String {
    let text = (0..<random.number(0...4)).map { _ in random.one(of: Self.words) }.joined()
    return "\"\(text)\""
  }

  private mutating func propertyList(depth: Int) -> String {
    func element(_ generator: inout Grammar, _ depth: Int) -> String {
      switch generator.random.number(depth > 4 ? 2...5 : 0...5) {
      case 0: return "<dict>\(generator.plistMembers(depth))</dict>"
      case 1: return "<array>\(element(&generator, depth + 1))</array>"
      case 2: return "<string>\(generator.random.one(of: Self.plistWords))</string>"
      case 3: return "<integer>\(generator.number())</integer>"
      case 4:
        return generator.random.one(of: [
          "<true/>", "<false/>", "<data>AAA=</data>", "<date>x</date>",
        ])
      default: return "<real>\(generator.number())</real>"
      }
    }
    if random.once(in: 5) {
      return "{ CFBundleIdentifier = \(string()); NSExtension = { a = (1, 2); }; }"
    }
    return "<plist version=\"1.0\">\(element(&self, depth))</plist>"
  }

  private mutating func plistMembers(_ depth: Int) -> String {
    (0..<random.number(0...6)).map { _ in
      let inner = propertyList(depth: depth + 2)
      let value = inner.hasPrefix("<plist") ? String(inner.dropFirst(21).dropLast(8)) : "<string/>"
      return "<key>\(random.one(of: Self.plistWords))</key>\(value)"
    }.joined()
  }
}
