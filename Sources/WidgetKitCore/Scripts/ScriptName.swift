/// What the name of a script's file says: `cpu.5s.sh` is a script `cpu` that runs every five seconds.
package struct ScriptName: Hashable, Sendable {
  /// The name without its ending, its interval, and a number such as `010-` that only orders files.
  package var name: String
  /// The seconds between two runs; nil if the name has none.
  package var interval: Double?

  /// The seconds that an interval can have.
  package static let intervals = 1.0...31_536_000.0

  /// Reads the name of a file; nil if no script has such a name: hidden files, copies that editors keep,
  /// `*.off`, and the settings of a plugin (`*.vars.json`).
  package init?(file: String) {
    let isLeftOver =
      file.isEmpty || file.hasPrefix(".") || file.hasPrefix("#") || file.hasSuffix("~")
    guard !isLeftOver, !file.hasSuffix(".off"), !file.hasSuffix(".vars.json") else { return nil }
    var parts = file.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count > 1, let found = Self.seconds(parts[parts.count - 1]) {
      interval = found
      parts.removeLast()
    } else if parts.count > 2, let found = Self.seconds(parts[parts.count - 2]) {
      interval = found
      parts.removeLast(2)
    } else if parts.count > 1 {
      parts.removeLast()
    }
    let whole = parts.joined(separator: ".")
    let digits = whole.prefix { $0.isASCII && $0.isNumber }.count
    let isOrdered = digits == 3 && whole.dropFirst(3).first == "-" && whole.count > 4
    name = isOrdered ? String(whole.dropFirst(4)) : whole
  }

  /// The identifier of the script's widget, which stays the same when its interval or ending changes:
  /// `script.cpu`.
  ///
  /// Characters that an identifier cannot have become `-`; those that are not ASCII become their numbers.
  package var identifier: String { Self.prefix + Self.plain(name, byteLimit: 200) }

  /// The identifier of a script that is on another machine: `script.server.cpu`.
  ///
  /// So the same script on several machines has several cards, and none has what was set or permitted for another.
  package func identifier(on machine: String) -> String {
    "\(Self.prefix)\(Self.plain(machine, byteLimit: 40)).\(Self.plain(name, byteLimit: 180))"
  }

  private static func plain(_ name: String, byteLimit: Int) -> String {
    var plain = ""
    for scalar in name.unicodeScalars where plain.utf8.count < byteLimit {
      let isWord = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9") ~= scalar)
      if isWord {
        plain.unicodeScalars.append(scalar)
      } else {
        plain += scalar.isASCII ? "-" : String(scalar.value, radix: 16)
      }
    }
    let trimmed = plain.drop { $0 == "-" }
    return trimmed.isEmpty ? "script" : String(trimmed)
  }

  private static let prefix = "script."

  /// Whether an identifier, or that of an instance, is one of a script.
  package static func isIdentifier(_ text: String) -> Bool { text.hasPrefix(prefix) }

  /// Reads a time such as `500ms`, `10s`, `5m`, `1h` or `1d`; nil if it is none.
  ///
  /// A `+` behind it is ignored. The result is in ``intervals``.
  package static func seconds(_ text: some StringProtocol) -> Double? {
    let text = text.last == "+" ? text.dropLast() : text[...]
    let digits = text.prefix { ("0"..."9") ~= $0 }
    let units = ["ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86_400.0]
    guard digits.count <= 12, let number = Double(digits), number > 0,
      let unit = units[String(text.dropFirst(digits.count))]
    else { return nil }
    return min(max(number * unit, intervals.lowerBound), intervals.upperBound)
  }
}
