import WidgetKitCore

/// A custom module of Waybar: its settings, and what its program prints.
struct WaybarModule: Hashable, Sendable {
  /// The clicks that a bar has, with the name of their command.
  static let clicks = [
    ("on-click", "Click"), ("on-click-middle", "Middle"), ("on-click-right", "Right"),
    ("on-scroll-up", "Scroll up"), ("on-scroll-down", "Scroll down"),
  ]

  /// The text, with `{}` and other names in braces.
  var display: String
  /// The other form of the text, which a press shows; nil if there is none.
  var otherDisplay: String?
  /// The click that shows the other form, by the name of its command; nil if that is the first one that is free.
  var otherClick: String?
  /// The tooltip, with names in braces; nil if the program says all of it.
  var tooltipDisplay: String?
  /// Whether the tooltip is shown.
  var hasTooltip: Bool
  /// Whether nothing is shown where the program gives no text, whatever the form has besides.
  var hidesEmptyText: Bool
  /// Whether the texts have no markup.
  var isPlain: Bool
  /// Whether the program runs again after a click.
  var runsOnEvent: Bool
  /// `format-icons`; null if there are none.
  var icons: JSONTree
  /// Whether a line is JSON; nil if the line itself says it.
  var isJSON: Bool?
  /// The commands of clicks, by their names.
  var commands: [String: String]

  init(_ parameters: [String: String]) {
    display = parameters["display"] ?? "{}"
    otherDisplay = parameters["display-alt"]
    otherClick = parameters["display-alt-click"].flatMap(Self.click)
    // A line of a script has no line feeds.
    tooltipDisplay = parameters["tooltip-display"]?.replacing("\\n", with: "\n")
    hasTooltip = parameters["tooltip"] != "false"
    hidesEmptyText = parameters["hide-empty-text"] == "true"
    isPlain = parameters["escape"] == "true"
    runsOnEvent = parameters["exec-on-event"] != "false"
    icons = parameters["icons"].flatMap { try? JSONTree(Array($0.utf8)) } ?? .null
    isJSON = parameters["output"].map { $0 == "json" }
    commands = parameters.filter { name, _ in Self.clicks.contains { $0.0 == name } }
  }

  /// The name of the command of a click as `format-alt-click` has it; nil if a card has no such click.
  private static func click(_ name: String) -> String? {
    let name =
      ["1": "click", "click-left": "click", "2": "click-middle", "3": "click-right"][name] ?? name
    return clicks.map(\.0).first { $0 == "on-\(name)" }
  }

  /// What is shown.
  struct State: Hashable, Sendable {
    var text = ""
    var alt = ""
    var tooltip = ""
    var classes: [String] = []
    /// A whole number, of which the gauge shows 0 to 100; nil if there is none.
    var percentage: Double?

    /// The colour of the first class that says how things are.
    var color: Color? {
      for name in classes.map({ $0.lowercased() }) {
        switch name {
        case "critical", "error", "urgent", "bad", "failed", "muted-error": return .red
        case "warning", "degraded", "warn", "high", "medium": return .orange
        case "good", "ok", "connected", "charging", "plugged", "active", "success": return .green
        case "disconnected", "disabled", "inactive", "muted", "off", "none": return .secondary
        default: continue
        }
      }
      return nil
    }
  }

  /// Reads what the program has printed: an object in a line, or a line each for text, tooltip and class.
  ///
  /// - Throws: `JSONTree.Failure` if the line is to be an object, and is none.
  func state(of lines: [String]) throws(JSONTree.Failure) -> State {
    let first = lines.first ?? ""
    let isEmpty = first.allSatisfy(\.isWhitespace)
    if isJSON ?? first.drop(while: \.isWhitespace).hasPrefix("{"), !isEmpty {
      do throws(JSONTree.Failure) {
        return Self.state(of: try LineStream.object(in: first))
      } catch {
        // An object in several lines, as jq prints it.
        let all = lines.count > 1 ? try? LineStream.object(in: lines.joined(separator: "\n")) : nil
        // The bar does not read what is behind the object.
        guard let tree = all ?? LineStream.firstObject(in: first), tree.members != nil else {
          throw error
        }
        return Self.state(of: tree)
      }
    }
    var state = State(text: first, tooltip: first)
    if lines.count > 1 { state.tooltip = lines[1] }
    if lines.count > 2 { state.classes = lines[2].split(separator: " ").map(String.init) }
    return state
  }

  /// Whether an output is a single line with an object that nothing but a module prints: with a text, and with no member
  /// that the bar does not know.
  static func isState(_ output: [UInt8]) -> Bool {
    let lines = output.split(separator: UInt8(ascii: "\n"), maxSplits: 1)
    guard lines.count == 1, lines[0].first == UInt8(ascii: "{"),
      let tree = try? LineStream.object(in: String(decoding: lines[0], as: UTF8.self)),
      tree["text"]?.string != nil
    else { return false }
    return tree.members?.allSatisfy { member in
      switch member.name {
      case "text", "alt", "tooltip": member.value.string != nil
      case "class": member.value.string != nil || member.value.items != nil
      case "percentage": member.value.number != nil
      default: false
      }
    } == true
  }

  private static func state(of tree: JSONTree) -> State {
    func text(_ name: String) -> String { tree[name].map { $0 == .null ? "" : $0.words } ?? "" }
    var state = State(text: text("text"), alt: text("alt"), tooltip: text("tooltip"))
    if let name = tree["class"]?.string { state.classes = [name] }
    if let names = tree["class"]?.items { state.classes = names.compactMap(\.string) }
    // Any other value is none, as it is for the bar.
    state.percentage = tree["percentage"]?.number?.rounded()
    return state
  }

  /// The text of a state, in its other form if there is one.
  func text(_ state: State, isOther: Bool) -> String {
    words(isOther ? otherDisplay ?? display : display, state)
  }

  /// Whether a bar hides the module: its form, with the values of a state, has nothing to show.
  ///
  /// The other form stays, so that a press shows the first one again.
  func hides(_ state: State, isOther: Bool) -> Bool {
    if hidesEmptyText, state.text.isEmpty { return true }
    return !isOther && text(state, isOther: false).allSatisfy(\.isWhitespace)
  }

  /// The tooltip of a state; empty if there is none, or it says the same as the text.
  func tooltip(_ state: State) -> String {
    guard hasTooltip else { return "" }
    if let tooltipDisplay { return words(tooltipDisplay, state) }
    return state.tooltip == state.text ? "" : state.tooltip
  }

  /// A form with the icon and the values of a state in their places, and `{{` and `}}` for braces; what names nothing
  /// stays as it is.
  private func words(_ form: String, _ state: State) -> String {
    var words = ""
    var rest = form.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == rest.first, scalar == "{" || scalar == "}" {
        words.unicodeScalars.append(scalar)
        rest = rest.dropFirst()
      } else if scalar == "{", let close = rest.firstIndex(of: "}") {
        let field = Substring(rest[..<close])
        words += value(of: field, state) ?? "{\(field)}"
        rest = rest[close...].dropFirst()
      } else {
        words.unicodeScalars.append(scalar)
      }
    }
    return words
  }

  /// The value of a field `name:format`; nil if it names nothing.
  private func value(of field: Substring, _ state: State) -> String? {
    let parts = field.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return value(parts[0], state).map { WaybarFormat(parts.count > 1 ? parts[1] : "").text(of: $0) }
  }

  private func value(_ name: Substring, _ state: State) -> WaybarFormat.Value? {
    switch name {
    case "", "0", "text": .text(state.text)
    case "alt": .text(state.alt)
    case "icon": .text(icon(state))
    case "tooltip": .text(state.tooltip)
    case "percentage": .number(Self.whole(state.percentage ?? 0))
    default: nil
    }
  }

  /// The whole number nearest to one that can be larger than all of them.
  private static func whole(_ number: Double) -> Int {
    Int(exactly: number) ?? (number > 0 ? .max : .min)
  }

  /// The icon of a state: by its `alt`, its class or `default`, then by its percentage, from the lowest.
  private func icon(_ state: State) -> String {
    var found = icons
    if found.members != nil {
      let names = [state.alt] + state.classes + ["default"]
      found = names.lazy.compactMap { icons[$0] }.first ?? .null
    }
    if let items = found.items {
      guard !items.isEmpty else { return "" }
      let part = min(max((state.percentage ?? 0) / 100, 0), 1)
      found = items[min(Int(part * Double(items.count)), items.count - 1)]
    }
    return found.string ?? ""
  }
}
