import FoundationEssentials
import WidgetKitCore
import WidgetPlatform

/// A status command for i3bar: one program that keeps printing lines of blocks, and reads clicks.
struct I3barAdapter: ScriptAdapter {
  private var stream = I3barStream()
  /// Which decides which blocks are shown.
  private let script: ScriptProgram
  private var takesClicks = false
  private var blocks: [(id: ScriptBlock, block: BarBlock)]?
  /// Whether this run has printed a block: many programs begin with an empty line, before they know anything.
  private var hasPrintedBlocks = false
  /// The newest line of a program that prints no header.
  private var plainLine: String?
  /// What is wrong with the newest update.
  private var remark: String?
  private var hasClicked = false
  private(set) var pauseSignals: PauseSignals?

  /// The most blocks that are shown.
  private static let limit = 100
  /// What the action of a block begins with.
  private static let prefix = "click "

  init(_ script: ScriptProgram) {
    self.script = script
  }

  mutating func begin() {
    stream = I3barStream()
    hasPrintedBlocks = false
    takesClicks = false
    hasClicked = false
    plainLine = nil
    remark = nil
    pauseSignals = nil
  }

  mutating func append(_ bytes: [UInt8]) {
    for part in stream.append(bytes) { take(part) }
  }

  private mutating func take(_ part: I3barStream.Part) {
    switch part {
    case .header(let header): read(header)
    case .line(let line): plainLine = line
    case .unreadable(let reason): remark = "cannot be read: \(reason)"
    case .blocks(let items, let hasExtraComma):
      remark = hasExtraComma ? "has a comma with nothing behind it, which is not JSON" : nil
      let printed = Self.blocks(items.prefix(Self.limit))
      if !printed.isEmpty { hasPrintedBlocks = true }
      if hasPrintedBlocks { blocks = printed.filter { script.wants($0.id) } }
    }
  }

  /// The blocks of a line that are shown; those that are skipped keep their numbers.
  private static func blocks(
    _ items: ArraySlice<JSONTree>
  ) -> [(id: ScriptBlock, block: BarBlock)] {
    var counts: [ScriptBlock: Int] = [:]
    var printed: [(id: ScriptBlock, block: BarBlock)] = []
    for (place, item) in items.enumerated() {
      let (name, instance) = (item["name"]?.string, item["instance"]?.words)
      var id = ScriptBlock(name: name, instance: instance, number: 1)
      let count = counts[id, default: 0] + 1
      counts[id] = count
      id = ScriptBlock(name: name, instance: instance, number: id.isNamed ? count : place + 1)
      if let block = BarBlock(item) { printed.append((id, block)) }
    }
    return printed
  }

  private mutating func read(_ header: JSONTree) {
    takesClicks = header["click_events"]?.flag == true
    let stop = header["stop_signal"]?.number.flatMap { Int32(exactly: $0) }
    let resume = header["cont_signal"]?.number.flatMap { Int32(exactly: $0) }
    if stop != nil || resume != nil { pauseSignals = PauseSignals(stop: stop, resume: resume) }
  }

  mutating func content(_ end: TerminationStatus?, at now: ContinuousClock.Instant) -> ScriptContent
  {
    if let failure = ScriptContent.failure(end) { return failure }
    if let plainLine {
      let view = ScriptText.view(of: Array(plainLine.utf8), lines: 1)
      return .picture(ScriptPicture(view: view, number: ScriptNumber.first(in: plainLine)))
    }
    let words = remark.map { "The newest line \($0)." }
    guard let blocks else {
      guard let words else { return .nothing }
      return .picture(ScriptPicture(view: ScriptWords.stack([ScriptWords.text(words, .secondary)])))
    }
    return .picture(picture(blocks.map(\.block), words))
  }

  var parts: [ScriptPart]? {
    guard hasPrintedBlocks, let blocks else { return nil }
    return blocks.map { ScriptPart(block: $0.id, picture: picture([$0.block])) }
  }

  private func picture(_ blocks: [BarBlock], _ remark: String? = nil) -> ScriptPicture {
    var rows = blocks.map { block in
      block.node(
        action: takesClicks && (block.name ?? block.instance) != nil ? Self.action(block) : nil
      )
    }
    if rows.isEmpty { rows = [ScriptWords.text("nothing to show", .secondary)] }
    if let remark { rows.append(ScriptWords.text(remark, .secondary)) }
    let view = ScriptWords.stack(rows)
    return ScriptPicture(
      view: view,
      number: blocks.first.flatMap { ScriptNumber.first(in: $0.fullText) }
    )
  }

  // MARK: - Clicks

  /// A click of the first button, as the protocol has it.
  private struct Click: Codable {
    var name: String?
    var instance: String?
    var button = 1
    var modifiers: [String] = []
    var x = 0
    var y = 0
    var relativeX = 0
    var relativeY = 0
    var outputX = 0
    var outputY = 0
    var width = 1
    var height = 1

    private enum CodingKeys: String, CodingKey {
      case name, instance, button, modifiers, x, y, width, height
      case relativeX = "relative_x"
      case relativeY = "relative_y"
      case outputX = "output_x"
      case outputY = "output_y"
    }
  }

  private static func action(_ block: BarBlock) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let click = Click(name: block.name, instance: block.instance)
    // Texts and numbers can always be written.
    return prefix + String(decoding: (try? encoder.encode(click)) ?? Data(), as: UTF8.self)
  }

  mutating func press(_ action: String) -> ScriptPress {
    guard action.hasPrefix(Self.prefix) else { return .refresh }
    let click = action.dropFirst(Self.prefix.count)
    defer { hasClicked = true }
    return .input(Array(((hasClicked ? "," : "[\n") + click + "\n").utf8))
  }
}
