import WidgetTestSupport

/// Creates answers to an update as a careless or hostile widget writes them: a view and a timeline in
/// JSON, with text that grows when it is cleaned or written again.
nonisolated struct RandomReply {
  private var random: SeededGenerator
  private var nodesLeft: Int

  init(seed: UInt64, nodes: Int = 40) {
    random = SeededGenerator(seed: seed)
    nodesLeft = nodes
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &random)]
  }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }

  /// The content of a JSON string.
  static let pieces = [
    #"\t"#, #"\u0001"#, #"\u0000"#, "\u{7F}", "\u{85}", "\u{9B}1m", "\u{9B}38;5;9mx",
    #"\u001b[4mq"#,
    #"\u001b[0m"#, #"\u001b]0;t\u0007"#, "/", #"\/"#, #"\""#, #"\\"#, #"\r\n"#, #"\r"#, #"\n"#,
    "\u{2028}", "\u{202E}", "\u{FEFF}", "日本", "👩‍🚀", #"\ud83d\ude00"#,
    "Z\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}",
    "\u{301}", "\u{0E0001}", "plain words", "x", " ",
  ]

  private mutating func string() -> String {
    let piece = pick(Self.pieces)
    if chance(10) { return "\"" + String(repeating: piece, count: pick([30, 200, 900])) + "\"" }
    return "\"" + (0..<pick([0, 1, 2, 6])).map { _ in pick(Self.pieces) }.joined() + "\""
  }

  private mutating func number() -> String {
    pick([
      "0", "-0", "1e15", "-1e21", "0.1", "1e-300", "1e308", "12345678901234567890", "7", "-3.5",
    ])
  }

  private mutating func extent() -> String { pick(["0", "1", "3", "40", "1e4", "10000"]) }

  private mutating func color() -> String {
    pick([#""red""#, #""accent""#, "17", ##""#00ff7f""##])
  }

  private mutating func style() -> String {
    let members = [
      #""foreground":\#(color())"#, #""background":\#(color())"#, #""bold":true"#, #""dim":false"#,
      #""italic":null"#, #""reverse":true"#,
    ]
    return "{" + members.filter { _ in chance(40) }.joined(separator: ",") + "}"
  }

  private mutating func list(_ count: Int, _ item: (inout RandomReply) -> String) -> String {
    "[" + (0..<count).map { _ in item(&self) }.joined(separator: ",") + "]"
  }

  private mutating func spans() -> String {
    chance(60)
      ? string()
      : list(pick([0, 1, 3])) { reply in
        reply.chance(30)
          ? reply.string()
          : #"{"text":\#(reply.string()),"style":\#(reply.style()),"link":\#(reply.string())}"#
      }
  }

  private mutating func children(_ depth: Int) -> String {
    list(pick([0, 1, 2, 5])) { $0.node(depth + 1) }
  }

  private mutating func date() -> String {
    pick([
      #""2026-11-20T14:32:07+01:00""#, #""2026-11-20T14:32:07.123456789Z""#,
      #""0000-01-01T00:00:00+23:59""#, #""9999-12-31T23:59:60.9-23:59""#,
      #""1970-01-01T00:00:00.1Z""#,
    ])
  }

  mutating func node(_ depth: Int = 0) -> String {
    nodesLeft -= 1
    if depth > 20 || nodesLeft < 0 || chance(15) { return chance(50) ? #""""# : string() }
    var members = content(depth)
    let others = [
      #""id":\#(string())"#, #""style":\#(style())"#,
      #""padding":\#(pick(["1", "[1,2]", extent()]))"#,
      #""frame":{"width":\#(extent()),"maxHeight":\#(extent())}"#,
      #""layoutPriority":\#(number())"#,
      #""link":\#(string())"#, #""action":\#(string())"#, #""accessibilityLabel":\#(string())"#,
      #""transition":"slide""#, #""privacySensitive":true"#, #""nobody":[{}]"#,
    ]
    members += others.filter { _ in chance(12) }
    return "{" + members.joined(separator: ",") + "}"
  }

  private mutating func content(_ depth: Int) -> [String] {
    let stack = pick(["vstack", "hstack", "zstack"])
    switch Int.random(in: 0..<13, using: &random) {
    case 0, 1: return [#""type":"text""#, #""text":\#(spans())"#]
    case 2: return [#""type":"ansi""#, #""text":\#(spans())"#]
    case 3, 4, 5: return [#""type":"\#(stack)""#, #""children":\#(children(depth))"#]
    case 6: return [#""type":"date""#, #""date":\#(date())"#]
    case 7:
      let values = list(pick([0, 3, 50])) { $0.number() }
      return [#""type":"sparkline""#, #""values":\#(values)"#, #""height":\#(extent())"#]
    case 8:
      let series = list(pick([1, 2])) { reply in
        let values = reply.list(4) { $0.number() }
        return #"{"name":\#(reply.string()),"values":\#(values)}"#
      }
      return [#""type":"chart""#, #""series":\#(series)"#]
    case 9: return [#""type":"gauge""#, #""value":\#(number())"#, #""label":\#(string())"#]
    case 10: return [#""type":"button""#, #""label":\#(node(depth + 1))"#]
    case 11:
      let rows = list(pick([0, 1, 4])) { reply in reply.list(3) { $0.node(depth + 2) } }
      return [#""type":"grid""#, #""columns":[{},{"priority":1e2}]"#, #""rows":\#(rows)"#]
    default:
      return [#""type":\#(string())"#, #""alt":\#(string())"#, #""children":\#(children(depth))"#]
    }
  }

  /// The whole line, without a line feed.
  mutating func line() -> String {
    var members = [#""result":"newData""#, #""view":\#(node())"#]
    if chance(50) { members.append(#""preferredContentSize":{"height":\#(extent())}"#) }
    if chance(40) {
      let entries = list(pick([0, 1, 4])) { reply in
        #"{"date":\#(reply.date()),"view":\#(reply.node(4)),"relevance":\#(reply.number())}"#
      }
      let policy = pick([#""atEnd""#, #""never""#, #"{"after":\#(date())}"#])
      members.append(#""timeline":{"entries":\#(entries),"policy":\#(policy)}"#)
    }
    return Self.line(members.joined(separator: ","))
  }

  static func line(_ members: String) -> String {
    #"{"jsonrpc":"2.0","id":1,"result":{\#(members)}}"#
  }
}
