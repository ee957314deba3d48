import WidgetKitCore

nonisolated extension ImportedScripts {
  /// Reads the custom modules of a configuration of Waybar: JSON with comments, a bar or a list of bars.
  public init(waybar bytes: [UInt8], path: String) throws(Failure) {
    let file: JSON5File
    do throws(JSON5File.Failure) {
      file = try JSON5File(bytes, path: path)
    } catch {
      throw Failure(description: error.words)
    }
    let bars: [SettingValue] = if case .list(let bars) = file.value { bars } else { [file.value] }
    for bar in bars {
      guard case .group(let members) = bar else {
        throw Failure(description: "\(path): expected a bar, or a list of bars")
      }
      if members["include"] != nil { remarks.append("include: other files are not read") }
      for (name, value) in members.sorted(by: { $0.key < $1.key }) where name.hasPrefix("custom/") {
        add(name, value)
      }
    }
  }

  private mutating func add(_ name: String, _ value: SettingValue) {
    guard scripts.count < Self.limit, case .group(let module) = value else {
      remarks.append(SafeText("\(name): expected an object"))
      return
    }
    func text(_ key: String) -> String? {
      if case .text(let text)? = module[key] { text } else { nil }
    }
    guard let command = text("exec"), !command.isEmpty else {
      remarks.append(SafeText("\(name): has no exec"))
      return
    }
    let title = String(name.dropFirst("custom/".count))
    var options = [("title", title), ("format", "waybar")]
    func add(_ option: String, _ value: String?) {
      if let value, !value.isEmpty { options.append((option, value)) }
    }
    add("display", text("format"))
    add("icons", module["format-icons"].map(Self.json))
    add("output", text("return-type") == "json" ? "json" : "text")
    for (click, _) in WaybarModule.clicks { add(click, text(click)) }
    switch module["interval"] {
    case .number(let seconds)?: add("interval", Self.interval(seconds))
    case .text("once")?: add("interval", "365d")
    default:
      if module["signal"] != nil {
        add("interval", "365d")
      } else {
        add("follow", "true")
        if case .number(let seconds)? = module["restart-interval"] {
          add("interval", Self.interval(seconds))
        }
      }
    }
    var body = command
    if let condition = text("exec-if") {
      body = "{ \(condition); } >/dev/null 2>&1 || exit 0\n" + body
    }
    let script = WrittenScript(name: "waybar-\(title)", options: options, body: body)
    if module["signal"] != nil {
      remarks.append(
        SafeText("\(name): in place of its signal, use “today refresh \(script.identifier)”")
      )
    }
    scripts.append(script)
  }

  /// Seconds as a script's line has them, at least one.
  static func interval(_ seconds: Double) -> String {
    let whole = seconds.isFinite ? min(max(seconds.rounded(.up), 1), 31_536_000) : 60
    return "\(Int(whole))s"
  }

  /// Icons as JSON.
  private static func json(_ value: SettingValue) -> String {
    switch value {
    case .text(let text):
      let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      return "\"\(escaped)\""
    case .list(let items): return "[" + items.map(json).joined(separator: ",") + "]"
    case .group(let members):
      let pairs = members.sorted { $0.key < $1.key }.map {
        "\(json(.text($0.key))):\(json($0.value))"
      }
      return "{" + pairs.joined(separator: ",") + "}"
    case .number(let number): return "\(number)"
    case .truth(let flag): return "\(flag)"
    case .other: return "null"
    }
  }
}
