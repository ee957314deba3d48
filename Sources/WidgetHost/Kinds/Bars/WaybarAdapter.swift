import WidgetKitCore

/// Custom modules of Waybar, polled or continuous.
nonisolated struct WaybarAdapter: ScriptAdapter {
  private let module: WaybarModule
  private let follows: Bool
  private let lines: Int
  private var buffer = ScriptBuffer()
  private var stream = LineStream()

  init(_ script: ScriptProgram) {
    module = WaybarModule(script.options.parameters)
    follows = script.follows
    lines = Int(clamping: script.lines.magnitude)
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
    let printed: [String]
    if follows {
      guard let line = stream.newest else { return end == nil ? .nothing : hidden }
      printed = [line]
    } else {
      guard let end else { return .nothing }
      // The bar hides a module whose program fails.
      guard case .exited(let status) = end else { return .failure("\(end)") }
      guard status == 0 else { return status > 125 ? .failure("\(end)") : hidden }
      printed = LineStream.lines(buffer.bytes)
    }
    do throws(JSONTree.Failure) {
      let state = try module.state(of: printed)
      return state.isHidden ? hidden : .picture(picture(state))
    } catch {
      return .failure(error.description)
    }
  }

  private var hidden: ScriptContent {
    .picture(ScriptPicture(view: ScriptWords.text("nothing to show", .secondary)))
  }

  private func picture(_ state: WaybarModule.State) -> ScriptPicture {
    let style = TextStyle(foreground: state.color)
    var spans = module.words(state).split(separator: "\n", omittingEmptySubsequences: false)
      .map { PangoText.spans(String($0)) }
    let click = module.commands["on-click"].map { Self.command($0).action }
    if let click {
      spans = spans.map { $0.map { TextSpan($0.text, style: $0.style, action: click) } }
    }
    var rows = spans.map { spans in
      var node = ViewNode(.text(TextContent(spans: spans.isEmpty ? [TextSpan(" ")] : spans)))
      node.style = style
      return node
    }
    if let percentage = state.percentage {
      var gauge = ViewNode(.gauge(GaugeContent(value: percentage, maximum: 100)))
      gauge.style = style
      rows.append(gauge)
    }
    rows += tooltip(state)
    let others = WaybarModule.clicks.dropFirst().compactMap { name, title in
      module.commands[name].map { command in
        var button = ViewNode(
          .button(ControlContent(label: ScriptWords.text(title)))
        )
        button.action = Self.command(command).action
        return button
      }
    }
    if !others.isEmpty {
      rows.append(ViewNode(.hstack(StackContent(children: others, spacing: 1))))
    }
    let number = state.percentage ?? ScriptNumber.first(in: state.text)
    return ScriptPicture(view: ScriptWords.stack(rows), number: number)
  }

  /// The rows of the tooltip, unless it says the same as the text.
  private func tooltip(_ state: WaybarModule.State) -> [ViewNode] {
    guard !state.tooltip.isEmpty, state.tooltip != state.text else { return [] }
    let text = state.tooltip.replacing("\r", with: "\n")
    let all = text.split(separator: "\n", omittingEmptySubsequences: false)
    var rows = all.prefix(lines).map { line in
      let spans = PangoText.spans(String(line))
      var node = ViewNode(
        .text(TextContent(spans: spans.isEmpty ? [TextSpan(" ")] : spans, lineLimit: 1))
      )
      node.style = TextStyle(foreground: .secondary)
      return node
    }
    if all.count > lines { rows.append(ScriptWords.more(all.count - lines)) }
    return rows
  }

  /// The command of a click, which Waybar gives to a shell, and then runs the script again.
  private static func command(_ line: String) -> ScriptCommand {
    ScriptCommand(["/bin/sh", "-c", line], refresh: true)
  }

  mutating func press(_ action: String) -> ScriptPress {
    ScriptCommand(action: action).map { .command($0) } ?? .refresh
  }
}
