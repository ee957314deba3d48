/// JSON for a terminal: identifiers, links and paths in it are not cleaned as other texts are.
package enum HarmlessJSON {
  /// Returns JSON with the characters that act on a terminal as `\uXXXX`, which means the same to programs.
  ///
  /// They can only be in strings, as they occur nowhere else in JSON.
  package static func text(_ json: String) -> String {
    guard json.utf8.contains(where: { $0 >= 0x7F }) else { return json }
    var result = ""
    for scalar in json.unicodeScalars {
      let text = String(scalar)
      if scalar.value < 0x7F || SafeText(text).string == text {
        result.unicodeScalars.append(scalar)
      } else {
        for unit in text.utf16 {
          let hex = String(unit, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
        }
      }
    }
    return result
  }
}
