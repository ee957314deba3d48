import WidgetKitCore

/// The rules for the nodes of views as they were sent; each place is named once.
struct NodeFlaws {
  /// What was found so far.
  private(set) var found: [NodeFlaw] = []
  private var seen: Set<String> = []

  /// Checks the view in a message, if there is one.
  mutating func check(_ message: HarnessMessage) {
    guard message.isFromWidget, let tree = try? JSONTree(message.bytes),
      let view = (tree["params"] ?? tree["result"])?["view"]
    else { return }
    check(view, at: "view")
  }

  /// Checks a value of a view and all inside it.
  ///
  /// - Parameters:
  ///   - value: A node, or a member of one.
  ///   - path: Its place in the view: `view.children[2]`.
  ///   - isBesideText: Whether it is in one row with a text, which says what a figure shows.
  mutating func check(_ value: JSONTree, at path: String, isBesideText: Bool = false) {
    switch value {
    case .array(let items):
      for (index, item) in items.enumerated() {
        check(item, at: "\(path)[\(index)]", isBesideText: isBesideText)
      }
    case .object(let members):
      checkNode(value, at: path, isBesideText: isBesideText)
      let type = value["type"]?.string
      // The text of a node of the type ansi has escape sequences.
      if let style = value["style"] { checkStyle(style, at: "\(path).style") }
      for member in members where type != "ansi" || member.name != "text" {
        let isRow = type == "hstack" && Self.hasText(member.value)
        let isTable = type == "grid" && member.name == "rows"
        check(member.value, at: "\(path).\(member.name)", isBesideText: isRow || isTable)
      }
    case .string(let text): checkText(text, at: path)
    case .null, .boolean, .number, .wholeNumber: break
    }
  }

  private mutating func checkNode(_ node: JSONTree, at path: String, isBesideText: Bool) {
    let type = node["type"]?.string ?? ""
    if type == "image", Self.isMissing(node["alt"]) {
      add(
        .missingAlt,
        path,
        "an image has no alt",
        "say in alt what it shows; it is shown where pictures cannot be drawn"
      )
    }
    if node["type"]?.string != nil { checkMembers(of: node, at: path, type) }
    let words = ["accessibilityLabel", "label", "valueLabel"]
    guard ViewNode.figureTypes.contains(type), !isBesideText,
      words.allSatisfy({ Self.isMissing(node[$0]) })
    else { return }
    add(
      .missingLabel,
      path,
      "a \(type) has no words",
      "add an accessibilityLabel for screen readers and “today snapshot --plain”"
    )
  }

  /// Members that no node has are ignored by the host, and are often misspelt.
  private mutating func checkMembers(of node: JSONTree, at path: String, _ type: String) {
    for member in node.members ?? [] where !ViewNode.memberNames.contains(member.name) {
      let nearest = NearName.nearest(to: member.name, among: ViewNode.memberNames)
      add(
        .unknownMember,
        "\(path).\(SafeText(member.name).string)",
        "a \(SafeText(type).string) has a member that no node has",
        nearest.map { "did you mean “\($0)”?" } ?? "Docs/Protocol.md lists the members of each node"
      )
    }
  }

  /// Members that no style has are ignored, too.
  private mutating func checkStyle(_ style: JSONTree, at path: String) {
    for member in style.members ?? [] where !TextStyle.memberNames.contains(member.name) {
      let nearest = NearName.nearest(to: member.name, among: TextStyle.memberNames)
      let names = TextStyle.memberNames.joined(separator: ", ")
      add(
        .unknownMember,
        "\(path).\(SafeText(member.name).string)",
        "a style has a member that none has",
        nearest.map { "did you mean “\($0)”?" } ?? "there is \(names)"
      )
    }
  }

  private mutating func checkText(_ text: String, at path: String) {
    let isRaw = text.unicodeScalars.contains {
      $0.properties.generalCategory == .control && $0 != "\n" && $0 != "\t"
    }
    guard isRaw else { return }
    add(
      .rawEscape,
      path,
      "a text has control characters: “\(SafeText(text).string.prefix(40))”",
      "use the style of a node, or a node of the type ansi"
    )
  }

  private mutating func add(
    _ rule: NodeFlaw.Rule,
    _ path: String,
    _ message: String,
    _ advice: String
  ) {
    guard seen.insert("\(rule) \(path)").inserted else { return }
    found.append(NodeFlaw(rule: rule, path: path, message: message, advice: advice))
  }

  /// Whether there is a text among the children of a row.
  private static func hasText(_ children: JSONTree) -> Bool {
    children.items?.contains { child in
      let text = child.string ?? child["text"]?.string ?? (child["text"]?.items == nil ? "" : "a")
      return text.contains { $0.isLetter || $0.isNumber }
    } ?? false
  }

  private static func isMissing(_ value: JSONTree?) -> Bool {
    guard let value else { return true }
    return value.string.map { $0.allSatisfy(\.isWhitespace) } ?? false
  }
}
