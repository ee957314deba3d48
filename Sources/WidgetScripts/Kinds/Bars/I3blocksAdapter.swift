import WidgetKitCore
import WidgetPlatform

/// A blocklet of i3blocks: lines for text, short text and colours, or an object.
struct I3blocksAdapter: ScriptAdapter {
  private let isJSON: Bool?
  /// What the bar gets with every text, unless that has its own.
  private var standard = BarBlock()
  /// What is before every text that names no other.
  private let label: String
  private let follows: Bool
  private let interval: Double?
  private var buffer = ScriptBuffer()
  private var stream = LineStream()

  /// What the blocklet says with its exit status: the block is urgent.
  private static let urgentStatus: Int32 = 33

  init(_ script: ScriptProgram) {
    isJSON = script.options.parameters["output"].map { $0 == "json" }
    follows = script.follows
    interval = script.options.interval
    let parameters = script.options.parameters
    label = parameters["label"] ?? ""
    standard.color = parameters["color"].flatMap(XbarColor.color)
    standard.background = parameters["background"].flatMap(XbarColor.color)
    standard.isPango = parameters["markup"] == "pango"
  }

  func variables(_ request: InitializeRequest) -> [String: String] {
    let seconds = interval.map { "\(Int(clamping: Int64($0)))" } ?? "once"
    return [
      "BLOCK_NAME": request.bundleIdentifier, "BLOCK_INSTANCE": request.instance ?? "",
      "BLOCK_INTERVAL": follows ? "persist" : seconds, "BLOCK_BUTTON": "",
    ]
  }

  mutating func begin() {
    buffer.begin()
    stream.begin()
  }

  mutating func append(_ bytes: [UInt8]) {
    if follows { stream.append(bytes) } else { buffer.append(bytes) }
  }

  mutating func content(_ end: TerminationStatus?, at now: ContinuousClock.Instant) -> ScriptContent
  {
    let isUrgent = end == .exited(Self.urgentStatus)
    if !isUrgent, let failure = ScriptContent.failure(end) { return failure }
    let lines: [String]
    if follows {
      guard let newest = stream.newest else { return .nothing }
      lines = [newest]
    } else {
      guard end != nil else { return .nothing }
      lines = LineStream.lines(buffer.bytes)
    }
    var block = block(of: lines)
    // A digit of the label is not a value.
    let number = block.flatMap { ScriptNumber.first(in: $0.fullText) }
    if let found = block { block?.fullText = labelled(found) }
    if isUrgent { block?.isUrgent = true }
    guard let block else {
      return .picture(ScriptPicture(view: ScriptWords.text("nothing to show", .secondary)))
    }
    let view = ScriptWords.stack([block.node(action: "click")])
    return .picture(ScriptPicture(view: view, number: number))
  }

  private func block(of lines: [String]) -> BarBlock? {
    guard let first = lines.first, !first.allSatisfy(\.isWhitespace) else { return nil }
    if isJSON ?? first.hasPrefix("{"), let tree = Self.object(in: lines) {
      guard var block = BarBlock(tree) else { return nil }
      block.color = block.color ?? standard.color
      block.background = block.background ?? standard.background
      if tree["markup"] == nil, standard.isPango { block.isPango = true }
      return block
    }
    var block = standard
    block.fullText = first
    if first.contains("</") { block.isPango = true }
    if lines.count > 2 { block.color = XbarColor.color(lines[2]) ?? block.color }
    if lines.count > 3 { block.background = XbarColor.color(lines[3]) ?? block.background }
    return block
  }

  /// The object in lines: of several, each sets its members; of a list, the first one.
  private static func object(in lines: [String]) -> JSONTree? {
    let text = lines.joined(separator: "\n")
    if let tree = try? LineStream.object(in: text) { return tree.items?.first ?? tree }
    guard let items = try? JSONTree(printed: LineStream.escaped(Array(text.utf8))).items else {
      return try? LineStream.object(in: lines[0])
    }
    var members: [JSONTree.Member] = []
    for member in items.flatMap({ $0.members ?? [] }) { members[member.name] = member.value }
    return .object(members)
  }

  /// The text of a block with its label before it.
  private func labelled(_ block: BarBlock) -> String {
    let label = block.label ?? label
    return label.isEmpty ? block.fullText : "\(label) \(block.fullText)"
  }

  mutating func press(_ action: String) -> ScriptPress {
    guard action == "click" else { return .refresh }
    return follows
      ? .input(Array("1\n".utf8)) : .refreshWith(["BLOCK_BUTTON": "1", "button": "1"])
  }
}
