import WidgetKitCore
import WidgetPlatform

/// Custom modules of Waybar, polled or continuous.
struct WaybarAdapter: ScriptAdapter {
  private let module: WaybarModule
  private let follows: Bool
  private let lines: Int
  private var buffer = ScriptBuffer()
  private var stream = LineStream()
  /// Whether the other form of the text is shown, since a press.
  private var isOther = false

  /// What the action of an element begins with that shows the other form of the text; a command can follow.
  private static let otherForm = "other form"

  init(_ script: ScriptProgram) {
    module = WaybarModule(script.options.parameters)
    follows = script.follows
    lines = Int(clamping: script.lines.magnitude)
  }

  func variables(_ request: InitializeRequest) -> [String: String] {
    ["WAYBAR_OUTPUT_NAME": "today"]
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
      if let failure = ScriptContent.failure(end) { return failure }
      guard let line = stream.newest else { return end == nil ? .nothing : hidden }
      guard !line.isEmpty else { return hidden }
      printed = [line]
    } else {
      guard let end else { return .nothing }
      // The bar hides a module whose program fails.
      guard case .exited(let status) = end else { return .failure("\(end)") }
      guard status == 0 else { return status > 125 ? .failure("\(end)") : hidden }
      printed = LineStream.lines(buffer.bytes)
      guard !printed.isEmpty else { return hidden }
    }
    do throws(JSONTree.Failure) {
      let state = try module.state(of: printed)
      return module.hides(state, isOther: isOther) ? hidden : .picture(picture(state))
    } catch {
      return .failure(error.description)
    }
  }

  private var hidden: ScriptContent {
    .picture(ScriptPicture(view: ScriptWords.text("nothing to show", .secondary)))
  }

  private func picture(_ state: WaybarModule.State) -> ScriptPicture {
    let style = TextStyle(foreground: state.color)
    var spans = module.text(state, isOther: isOther)
      .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { self.spans($0) }
    let click = action("on-click")
    if let click {
      spans = spans.map { $0.map { TextSpan($0.text, style: $0.style, action: click) } }
    }
    var rows = spans.map { spans in
      var node = ViewNode(.text(TextContent(spans: spans.isEmpty ? [TextSpan(" ")] : spans)))
      node.style = style
      return node
    }
    if let percentage = state.percentage {
      var gauge = ViewNode(.gauge(GaugeContent(value: min(max(percentage, 0), 100), maximum: 100)))
      gauge.style = style
      gauge.accessibilityLabel = SafeText("\(ScriptNumber.words(percentage)) %")
      rows.append(gauge)
    }
    rows += tooltip(state)
    var others = WaybarModule.clicks.dropFirst().compactMap { name, title in
      action(name).map { button(title, $0) }
    }
    if module.otherDisplay != nil, otherClick == nil {
      others.append(button("Other form", Self.otherForm))
    }
    if !others.isEmpty {
      rows.append(ViewNode(.hstack(StackContent(children: others, spacing: 1))))
    }
    let number = state.percentage ?? ScriptNumber.first(in: state.text)
    return ScriptPicture(view: ScriptWords.stack(rows), number: number)
  }

  /// The click that shows the other form; nil if that needs a button of its own, or there is no such form.
  private var otherClick: String? {
    guard module.otherDisplay != nil else { return nil }
    return module.otherClick ?? (module.commands["on-click"] == nil ? "on-click" : nil)
  }

  /// What a click does: it runs its command, shows the other form, or both; nil if it does nothing.
  private func action(_ click: String) -> String? {
    let command = module.commands[click].map { self.command($0).action }
    guard click == otherClick else { return command }
    return Self.otherForm + (command ?? "")
  }

  private func button(_ title: String, _ action: String) -> ViewNode {
    var button = ViewNode(.button(ControlContent(label: ScriptWords.text(title))))
    button.action = action
    return button
  }

  private func spans(_ line: Substring) -> [TextSpan] {
    guard module.isPlain else { return PangoText.spans(String(line)) }
    return line.isEmpty ? [] : [TextSpan(SafeText(String(line)))]
  }

  /// The rows of the tooltip.
  private func tooltip(_ state: WaybarModule.State) -> [ViewNode] {
    let words = module.tooltip(state)
    guard !words.isEmpty else { return [] }
    let all = words.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    var rows = all.prefix(lines).map { line in
      let spans = self.spans(line)
      var node = ViewNode(
        .text(TextContent(spans: spans.isEmpty ? [TextSpan(" ")] : spans, lineLimit: 1))
      )
      node.style = TextStyle(foreground: .secondary)
      return node
    }
    if all.count > lines { rows.append(ScriptWords.more(all.count - lines)) }
    return rows
  }

  /// The command of a click, which Waybar gives to a shell; then it runs the script again.
  private func command(_ line: String) -> ScriptCommand {
    ScriptCommand(["/bin/sh", "-c", line], refresh: module.runsOnEvent)
  }

  mutating func press(_ action: String) -> ScriptPress {
    var action = action[...]
    if action.hasPrefix(Self.otherForm) {
      isOther.toggle()
      action = action.dropFirst(Self.otherForm.count)
    }
    return ScriptCommand(action: String(action)).map { .command($0) } ?? .refresh
  }
}
