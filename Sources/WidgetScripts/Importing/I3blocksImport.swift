import WidgetKitCore
import WidgetPlatform

extension ImportedScripts {
  /// Reads the blocks of a configuration of i3blocks: `[name]`, and lines `key=value`; those before the first
  /// block are for all.
  public init(i3blocks bytes: [UInt8], path: String) throws(Failure) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(description: "\(path) is not UTF-8")
    }
    var common: [(String, String)] = []
    // Without a name, what follows a heading that cannot be read, and belongs to no block.
    var blocks: [(name: String?, properties: [(String, String)])] = []
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let words = line.drop(while: \.isWhitespace)
      if words.isEmpty || words.hasPrefix("#") { continue }
      if words.hasPrefix("["), let end = words.firstIndex(of: "]") {
        blocks.append((String(words[words.index(after: words.startIndex)..<end]), common))
      } else if words.hasPrefix("[") {
        blocks.append((nil, []))
        remarks.append(SafeText("\(path):\(index + 1): expected ] after the name of a block"))
      } else if let equals = words.unicodeScalars.firstIndex(of: "=") {
        var key = words[..<equals]
        while key.last?.isWhitespace == true { key.removeLast() }
        let pair = (String(key), String(words.unicodeScalars[equals...].dropFirst()))
        if blocks.isEmpty {
          common.append(pair)
        } else {
          blocks[blocks.count - 1].properties.append(pair)
        }
      } else {
        remarks.append(
          SafeText("\(path):\(index + 1): expected [name], key=value, or # and a comment")
        )
      }
    }
    for block in blocks.prefix(Self.limit) {
      if let name = block.name { add(name, block.properties) }
    }
    if blocks.count > Self.limit {
      remarks.append(SafeText("\(path): only the first \(Self.limit) blocks were read"))
    }
  }

  private mutating func add(_ name: String, _ properties: [(String, String)]) {
    let values = Dictionary(properties) { $1 }
    let instance = values["instance"] ?? values["BLOCK_INSTANCE"]
    let title = [name, instance].compactMap(\.self).joined(separator: " ")
    var options = [("title", title), ("format", "i3blocks")]
    if values["format"] == "json" { options.append(("output", "json")) }
    // The bar gets them with every text, unless that has its own.
    for key in ["label", "color", "background", "markup"] {
      if let value = values[key], !value.isEmpty { options.append((key, value)) }
    }
    if let words = values["signal"],
      let signal = usable(signal: Int(words.filter { !$0.isWhitespace }) ?? 0, of: "[\(name)]")
    {
      options.append(("signal", "\(signal)"))
    }
    let interval = values["interval"].map { String($0.filter { !$0.isWhitespace }) }
    switch interval {
    case "persist", "-3": options.append(("follow", "true"))
    case "repeat", "-2": options.append(("interval", "1s"))
    case let seconds? where (Double(seconds) ?? 0) > 0:
      options.append(("interval", Self.interval(Double(seconds) ?? 0)))
    default: options.append(("interval", "365d"))
    }
    var lines = ["export BLOCK_NAME=\(ShellWord.quoted(name))"]
    if let instance { lines.append("export BLOCK_INSTANCE=\(ShellWord.quoted(instance))") }
    for (key, value) in properties where Self.isVariable(key) && !Self.ownKeys.contains(key) {
      lines.append("export \(key)=\(ShellWord.quoted(value))")
    }
    let command = values["command"].flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    guard let command = command ?? values["full_text"].map({ _ in "printf '%s\\n' \"$full_text\"" })
    else {
      remarks.append(SafeText("[\(name)]: has no command"))
      return
    }
    let body = (lines + [command]).joined(separator: "\n")
    addNumbered(WrittenScript(name: "i3blocks-\(title)", options: options, body: body))
  }

  /// What is in the line of the script, or the command itself.
  private static let ownKeys: Set<String> = ["command", "interval", "signal", "format"]

  private static func isVariable(_ key: String) -> Bool {
    guard let first = key.first, first.isASCII, first.isLetter || first == "_" else { return false }
    return key.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
      && key != "PATH" && !key.hasPrefix("LD_")
  }
}
