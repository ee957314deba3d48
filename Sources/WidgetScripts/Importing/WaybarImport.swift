import WidgetKitCore
import WidgetPlatform

extension ImportedScripts {
  /// Reads the custom modules of a configuration of Waybar: JSON with comments, a bar or a list of bars.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - path: Its absolute path, beside which files are included.
  ///   - environment: What `~` and variables in paths are.
  ///   - read: Gives the bytes of an included file; nil if it cannot be read.
  /// - Throws: ``Failure`` if the file itself is not a configuration.
  public init(
    waybar bytes: [UInt8],
    path: String,
    environment: [String: String] = [:],
    read: @escaping (String) -> [UInt8]? = { _ in nil }
  ) throws(Failure) {
    let files = try WaybarFiles(bytes, path: path, environment: environment, read: read)
    remarks = files.remarks
    for bar in files.bars {
      for module in bar.byName where module.name.hasPrefix("custom/") {
        add(module.name, module.value)
      }
    }
    addRemarks(on: files.bars)
  }

  /// Says which modules of bars are no scripts, and why.
  private mutating func addRemarks(on bars: [[JSONTree.Member]]) {
    var others: Set<String> = []
    for bar in bars {
      var named: [String] = []
      for member in bar {
        // What begins otherwise is a setting of the bar, or a group with modules of its own.
        switch member.value {
        case .object(let settings) where member.name.hasPrefix("group/"):
          named += settings["modules"]?.items?.compactMap(\.string) ?? []
        case .object where member.name != "modes" && !member.name.hasPrefix("custom/"):
          others.insert(member.name)
        case .array(let names) where member.name.hasPrefix("modules-"):
          named += names.compactMap(\.string)
        default: break
        }
      }
      for name in named where !name.hasPrefix("group/") && bar[name] == nil {
        guard name.hasPrefix("custom/") else {
          others.insert(name)
          continue
        }
        remarks.append(SafeText("\(name): is not configured"))
      }
    }
    guard !others.isEmpty else { return }
    let names = others.sorted().joined(separator: ", ")
    remarks.append(SafeText("\(names): left out, as only modules “custom/…” run a command"))
  }

  private mutating func add(_ name: String, _ value: JSONTree) {
    guard case .object(let module) = value else {
      remarks.append(SafeText("\(name): expected an object"))
      return
    }
    guard scripts.count < Self.limit else {
      remarks.append(SafeText("\(name): left out, as there are more than \(Self.limit) modules"))
      return
    }
    func text(_ key: String) -> String? {
      if case .string(let text)? = module[key] { text } else { nil }
    }
    let title = String(name.dropFirst("custom/".count))
    let isButton = text("exec")?.isEmpty != false
    guard !isButton || WaybarModule.clicks.contains(where: { text($0.0)?.isEmpty == false }) else {
      remarks.append(SafeText("\(name): has no exec"))
      return
    }
    // A button has a text of its own, and what is printed has no place in it.
    let command =
      text("exec").flatMap { $0.isEmpty ? nil : $0 }
      ?? "printf '%s\\n' \(ShellWord.quoted(title))"
    let display = isButton ? text("format").map(Self.label) : text("format")
    var options = [("title", title), ("format", "waybar")]
    func add(_ option: String, _ value: String?) {
      if let value, !value.isEmpty { options.append((option, value)) }
    }
    func flag(_ key: String) -> String? {
      if case .boolean(let flag)? = module[key] { "\(flag)" } else { nil }
    }
    add("display", display)
    add("display-alt", text("format-alt"))
    add("display-alt-click", text("format-alt-click"))
    add("tooltip", flag("tooltip"))
    add("tooltip-display", text("tooltip-format")?.replacing("\n", with: "\\n"))
    add("hide-empty-text", flag("hide-empty-text"))
    add("escape", flag("escape"))
    add("exec-on-event", flag("exec-on-event"))
    add("icons", module["format-icons"].map(Self.json))
    add("output", text("return-type") == "json" ? "json" : "text")
    for (click, _) in WaybarModule.clicks { add(click, text(click)) }
    var signal: Int?
    if case .number(let number)? = module["signal"] {
      signal = usable(signal: Int(exactly: number.rounded()) ?? 0, of: name)
    }
    add("signal", signal.map { "\($0)" })
    var isContinuous = false
    switch module["interval"] {
    case .number(let seconds)?: add("interval", Self.interval(seconds))
    case .string("once")?: add("interval", "365d")
    case _ where isButton: add("interval", "365d")
    default:
      if signal != nil {
        add("interval", "365d")
      } else {
        isContinuous = true
        add("follow", "true")
        if case .number(let seconds)? = module["restart-interval"] {
          add("interval", Self.interval(seconds))
        }
      }
    }
    var body = command
    if let update = text("on-update"), !update.isEmpty {
      body = Self.body(command, onUpdate: update, isContinuous: isContinuous)
    }
    if let condition = text("exec-if") {
      body = "{ \(condition); } >/dev/null 2>&1 || exit 0\n" + body
    }
    let script = WrittenScript(name: "waybar-\(title)", options: options, body: body)
    // Several bars often include one file.
    if !scripts.contains(where: { $0.text == script.text }) { addNumbered(script) }
  }

  /// The format of a module without a program: with nothing in the places of what one would print.
  private static func label(_ format: String) -> String {
    let label = ["{}", "{text}", "{alt}", "{percentage}"].reduce(format) {
      $0.replacing($1, with: "")
    }
    return label.allSatisfy(\.isWhitespace) ? "" : label
  }

  /// The signal of a module, and what has changed for those who send it; nil if there is no such signal.
  mutating func usable(signal: Int, of name: String) -> Int? {
    guard ScriptOptions.signals ~= signal else {
      remarks.append(SafeText("\(name): there is no signal with this number"))
      return nil
    }
    remarks.append(SafeText("\(name): runs again with “pkill -RTMIN+\(signal) today”"))
    return signal
  }

  /// A command after each of whose updates another one runs, whose output is not shown.
  private static func body(
    _ command: String,
    onUpdate update: String,
    isContinuous: Bool
  ) -> String {
    let quiet = "(\n\(update)\n) </dev/null >/dev/null 2>&1"
    guard isContinuous else {
      return "(\n\(command)\n)\nstatus=$?\n\(quiet)\nexit $status"
    }
    let loop = "while IFS= read -r line; do\nprintf '%s\\n' \"$line\"\n\(quiet)\ndone"
    return "(\n\(command)\n) | \(loop)"
  }

  /// Seconds as a script's line has them, at least one.
  static func interval(_ seconds: Double) -> String {
    let whole = seconds.isFinite ? min(max(seconds.rounded(.up), 1), 31_536_000) : 60
    return "\(Int(whole))s"
  }

  /// Icons as JSON.
  private static func json(_ value: JSONTree) -> String {
    switch value {
    case .string(let text):
      let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      return "\"\(escaped)\""
    case .array(let items): return "[" + items.map(json).joined(separator: ",") + "]"
    case .object(let members):
      let pairs = members.byName.map { "\(json(.string($0.name))):\(json($0.value))" }
      return "{" + pairs.joined(separator: ",") + "}"
    case .number(let number): return "\(number)"
    case .boolean(let flag): return "\(flag)"
    case .null, .wholeNumber: return "null"
    }
  }
}
