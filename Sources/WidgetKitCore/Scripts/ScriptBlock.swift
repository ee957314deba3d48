/// A block of a status command that has a card of its own.
///
/// It is known by what the program calls it, so that its card stays when others come before it.
package struct ScriptBlock: Codable, Hashable, Sendable {
  /// The name that the program gives it; nil if it has none.
  package private(set) var name: String?
  /// Which one of this name it is, in words of the program; nil if it says nothing.
  package private(set) var instance: String?
  /// Its number, from 1: among those with the same name and instance, or in the line if it has neither.
  package private(set) var number: Int

  /// The bytes of a name and of an instance that are kept; blocks that differ behind them have numbers.
  private static let byteLimit = 200
  /// The characters of each that the heading has.
  private static let titleLimit = 40
  /// The characters of each that an identifier has.
  private static let wordLimit = 40

  /// Describes a block; empty texts are none.
  package init(name: String?, instance: String?, number: Int) {
    self.name = Self.kept(name)
    self.instance = Self.kept(instance)
    self.number = number
  }

  private static func kept(_ text: String?) -> String? {
    guard let text, !text.isEmpty else { return nil }
    guard text.utf8.count > byteLimit else { return text }
    return String(decoding: text.utf8.prefix(byteLimit), as: UTF8.self)
  }

  /// Whether the program calls it anything.
  package var isNamed: Bool { name != nil || instance != nil }

  /// The name and the instance, where they differ.
  private var parts: [String] {
    [name, instance == name ? nil : instance].compactMap { $0 }
  }

  /// The last part of the identifier of its card: `wlan.wlan0`, and for a block without a name its number.
  package var word: String {
    var words = parts.map(Self.word).filter { !$0.isEmpty }
    if words.isEmpty { words = [isNamed ? "block" : "\(number)"] }
    let whole = words.joined(separator: ".")
    return isNamed && number > 1 ? "\(whole)-\(number)" : whole
  }

  /// Letters and digits of a text, with `-` between them; characters that are not ASCII become their numbers.
  private static func word(_ text: String) -> String {
    var word = ""
    for scalar in text.unicodeScalars where word.utf8.count < wordLimit {
      if !scalar.isASCII {
        word += String(scalar.value, radix: 16)
      } else if scalar.properties.isAlphabetic || ("0"..."9") ~= scalar {
        word.unicodeScalars.append(scalar)
      } else if !word.isEmpty, word.last != "-" {
        word += "-"
      }
    }
    while word.last == "-" { word.removeLast() }
    return word
  }

  /// The name in the heading; for a block without a name that of its program with its number.
  func title(of program: SafeText) -> SafeText {
    let words = parts.map { SafeText(name: String($0.prefix(Self.titleLimit)), orIfInvisible: "") }
      .filter { !$0.isEmpty }
    let shown = words.isEmpty ? [program] : words
    let number = isNamed && number == 1 ? [] : ["\(number)"]
    return SafeText((shown.map(\.string) + number).joined(separator: " "))
  }
}
