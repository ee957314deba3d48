/// What a script says of itself that is a share extension or an action, in comments of any language.
///
/// ```
/// # today: action accepts="public.json, public.plain-text" role=editor title="Indent JSON"
/// # today: option name=indent title="Indent" choices="2, 4" default=2
/// ```
package struct ScriptExtension: Hashable, Sendable {
  /// An option of a request, which the script gets as `TODAY_OPTION_` with its name in capitals.
  package struct Option: Hashable, Sendable {
    package let name: String
    package let title: SafeText
    /// The values that it may have; empty for any text.
    package let choices: [String]
    package let value: String

    /// The name of its variable in the environment of the script.
    package var variable: String { "TODAY_OPTION_" + name.uppercased().replacing("-", with: "_") }
  }

  /// The point that it extends: that of share extensions, or that of actions without a view.
  package let point: ExtensionPoint
  /// The types of content that it accepts.
  package let accepts: [String]
  /// Whether it returns nothing, as an action that only shows the content.
  package let isViewer: Bool
  package let title: SafeText?
  /// What it is for, in a few words; nil if it does not say.
  package let purpose: SafeText?
  /// Whether it sends the content to other machines, as far as it says.
  package let leaves: Bool
  package let options: [Option]
  /// What must be there before it is offered, as a list of ``Requirement``; nil if it needs nothing.
  package let requires: String?

  /// The most options and types of a script.
  private static let countLimit = 32

  /// Finds what a script says; nil if it is no extension.
  ///
  /// - Parameter text: The beginning of the script.
  /// - Throws: The first value that cannot be used.
  init?(in text: String) throws(BundleFault) {
    var declared: (word: String, values: [String: String])?
    var options: [Option] = []
    for declaration in ScriptLine.declarations(in: text) {
      var rest = declaration.unicodeScalars[...]
      guard case (let word, .none)? = ScriptLine.next(&rest),
        ["share", "action", "option"].contains(word), Substring(rest).contains("=")
      else { continue }
      let values = try Self.values(&rest, of: word)
      if word == "option" {
        guard options.count < Self.countLimit else { continue }
        options.append(try Self.option(values))
      } else {
        declared = declared ?? (word, values)
      }
    }
    guard let (word, values) = declared else { return nil }
    let known = [
      "accepts", "title", "description", "requires", word == "share" ? "leaves" : "role",
    ]
    try Self.check(values, known, of: word)
    point = word == "share" ? .share : .filter
    accepts = (values["accepts"] ?? "").split(separator: ",").prefix(Self.countLimit)
      .map { $0.trimmingSpaces }.filter { !$0.isEmpty }
    guard !accepts.isEmpty, accepts.allSatisfy(Self.isType) else {
      throw Self.fault(
        word,
        "accepts",
        values["accepts"],
        expected: "types such as \"public.plain-text, public.json\""
      )
    }
    title = values["title"].map { SafeText(name: $0, orIfInvisible: "") }
    purpose = values["description"].map { SafeText($0).onOneLine }
    isViewer = try Self.choice(values["role"], ["editor", "viewer"], of: word, "role") == 1
    leaves = try Self.choice(values["leaves"], ["true", "false"], of: word, "leaves") == 0
    self.options = options
    requires = values["requires"]
    if let requires, Requirement.list(requires) == nil {
      throw Self.fault(word, "requires", requires, expected: Requirement.expectation)
    }
  }

  /// What its manifest would say as `NSExtensionAttributes`.
  package var attributes: [String: PropertyValue] {
    let types = accepts.map { "ANY $a.registeredTypeIdentifiers UTI-CONFORMS-TO \"\($0)\"" }
    let attachments = "extensionItems.attachments"
    let rule = """
      \(attachments).@count >= 1 AND SUBQUERY(\(attachments), $a, \(types.joined(separator: " OR "))).@count \
      == \(attachments).@count
      """
    var attributes: [String: PropertyValue] = ["NSExtensionActivationRule": .string(rule)]
    if isViewer {
      attributes["NSExtensionServiceRoleType"] = .string("NSExtensionServiceRoleTypeViewer")
    }
    attributes["TodayRequires"] = requires.map { .string($0) }
    return attributes
  }

  /// The place of the line of a script that the key of an error names.
  ///
  /// - Parameters:
  ///   - key: The key, such as `today: option name`.
  ///   - bytes: The script.
  /// - Returns: The place of its first word in the first line that has all words, else in the first one that has the
  ///   second word too, as a member that is missing is in no line, else in any; nil if no line has it.
  package static func place(of key: String, in bytes: [UInt8]) -> TextPlace? {
    let words = key.split(separator: " ").map(String.init)
    guard let start = words.first else { return nil }
    let others = words.dropFirst()
    return TextPlace(of: start, in: bytes, with: others)
      ?? TextPlace(of: start, in: bytes, with: others.prefix(1))
      ?? TextPlace(of: start, in: bytes)
  }

  // MARK: - Values

  private static func values(
    _ rest: inout Substring.UnicodeScalarView,
    of word: String
  ) throws(BundleFault) -> [String: String] {
    var values: [String: String] = [:]
    while let (name, value) = ScriptLine.next(&rest) {
      switch value {
      case .text(let text): values[name] = text
      case .none: throw fault(word, name, nil, expected: "\(name)=VALUE")
      case .open(let quote): throw fault(word, name, quote, expected: "\(quote) at its end")
      }
    }
    return values
  }

  private static func check(
    _ values: [String: String],
    _ known: [String],
    of word: String
  ) throws(BundleFault) {
    guard let name = values.keys.filter({ !known.contains($0) }).min() else { return }
    throw fault(word, name, nil, found: "unknown", expected: known.joined(separator: ", "))
  }

  private static func option(_ values: [String: String]) throws(BundleFault) -> Option {
    try check(values, ["name", "title", "choices", "default"], of: "option")
    let name = values["name"] ?? ""
    let isName = name.first.map { $0.isASCII && $0.isLetter } == true
    guard isName, name.utf8.count <= 64,
      name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
    else {
      throw fault("option", "name", values["name"], expected: "ASCII letters, digits, - and _")
    }
    let choices = (values["choices"] ?? "").split(separator: ",").map { $0.trimmingSpaces }
    let value = values["default"] ?? choices.first ?? ""
    guard choices.isEmpty || choices.contains(value) else {
      throw fault("option", "default", value, expected: choices.joined(separator: ", "))
    }
    return Option(
      name: name,
      title: SafeText(name: values["title"] ?? name, orIfInvisible: name),
      choices: choices,
      value: value
    )
  }

  private static func choice(
    _ value: String?,
    _ words: [String],
    of word: String,
    _ name: String
  ) throws(BundleFault) -> Int {
    guard let value else { return 0 }
    guard let index = words.firstIndex(of: value) else {
      throw fault(word, name, value, expected: words.joined(separator: " or "))
    }
    return index
  }

  /// Whether a text can be in the predicate that is made of it.
  private static func isType(_ text: String) -> Bool {
    text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"):
        true
      default: false
      }
    }
  }

  private static func fault(
    _ word: String,
    _ name: String,
    _ value: String?,
    found: String? = nil,
    expected: String
  ) -> BundleFault {
    BundleFault(
      code: .wrongValue,
      key: "today: \(word) \(name)",
      found: found ?? value.map { BundleError.quoted($0) } ?? "missing",
      expected: expected
    )
  }
}

extension StringProtocol {
  /// The text without spaces and tabs at its ends.
  fileprivate var trimmingSpaces: String {
    let start = drop { $0 == " " || $0 == "\t" }
    let count = start.reversed().prefix { $0 == " " || $0 == "\t" }.count
    return String(start.dropLast(count))
  }
}
