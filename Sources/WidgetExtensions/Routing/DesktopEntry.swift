/// What a desktop file says about starting its program (Desktop Entry Specification 1.5).
package struct DesktopEntry: Hashable, Sendable {
  /// The name of the program for people.
  var name: String
  /// The program and its arguments, with the URL in its place.
  private var words: [String]
  /// Whether the program needs a terminal.
  var needsTerminal: Bool
  /// The path of the file.
  var path: String

  /// The most bytes of a desktop file that are read.
  static let byteLimit = 256 * 1024

  /// Reads the group `[Desktop Entry]`; nil if it starts no program.
  init?(_ text: String, path: String) {
    var values: [String: String] = [:]
    var isMainGroup = false
    // By scalars: a return and a line feed are one character, and so is a sign with a mark behind it.
    for line in text.unicodeScalars.split(separator: "\n") {
      let line = line.trimmed
      if line.first == "[" {
        isMainGroup = line.starts(with: "[Desktop Entry]".unicodeScalars)
      } else if isMainGroup, line.first != "#", let sign = line.firstIndex(of: "=") {
        let key = String(line[..<sign].trimmed)
        if values[key] == nil { values[key] = String(line[line.index(after: sign)...].trimmed) }
      }
    }
    guard values["Hidden"] != "true", let command = values["Exec"].map(Self.unescaped),
      let words = Self.words(of: command), !words.isEmpty
    else { return nil }
    self.path = path
    self.words = words
    name = values["Name"].map(Self.unescaped) ?? words[0]
    needsTerminal = values["Terminal"] == "true"
  }

  /// The program and its arguments for a URL.
  ///
  /// `%u` and `%U` are the URL, `%f` and `%F` the path of a `file:` URL. A command with none of them
  /// gets the URL as its last argument.
  func command(for url: CheckedURL) -> [String] {
    var takesURL = false
    var command: [String] = []
    for word in words {
      switch word {
      case "%u", "%U":
        takesURL = true
        command.append(url.text)
      case "%f", "%F":
        takesURL = true
        command.append(url.filePath ?? url.text)
      case "%i": break
      default:
        let (text, hasURL) = replacing(word, url)
        takesURL = takesURL || hasURL
        command.append(text)
      }
    }
    return takesURL ? command : command + [url.text]
  }

  /// Replaces the field codes inside a word; unknown ones are removed.
  private func replacing(_ word: String, _ url: CheckedURL) -> (text: String, hasURL: Bool) {
    var (text, hasURL, isCode) = ("", false, false)
    for scalar in word.unicodeScalars {
      guard isCode else {
        if scalar == "%" { isCode = true } else { text.unicodeScalars.append(scalar) }
        continue
      }
      isCode = false
      switch scalar {
      case "%": text.append("%")
      case "u", "U":
        hasURL = true
        text += url.text
      case "f", "F":
        hasURL = true
        text += url.filePath ?? url.text
      case "c": text += name
      case "k": text += path
      default: break
      }
    }
    return (text, hasURL)
  }

  /// Resolves the escapes that every value may have.
  private static func unescaped(_ value: String) -> String {
    let escapes: [Unicode.Scalar: Unicode.Scalar] = [
      "s": " ", "n": "\n", "t": "\t", "r": "\r", "\\": "\\",
    ]
    var (result, isEscape) = (String.UnicodeScalarView(), false)
    for scalar in value.unicodeScalars {
      if isEscape {
        isEscape = false
        result += escapes[scalar].map { [$0] } ?? ["\\", scalar]
      } else if scalar == "\\" {
        isEscape = true
      } else {
        result.append(scalar)
      }
    }
    if isEscape { result.append("\\") }
    return String(result)
  }

  /// Separates a command into its arguments; nil if a quotation does not end.
  private static func words(of command: String) -> [String]? {
    var words: [String] = []
    var word: String.UnicodeScalarView?
    var (isQuoted, isEscape) = (false, false)
    for scalar in command.unicodeScalars {
      if isEscape {
        isEscape = false
        word?.append(scalar)
      } else if isQuoted, scalar == "\\" {
        isEscape = true
      } else if scalar == "\"" {
        isQuoted.toggle()
        word = word ?? .init()
      } else if scalar == " ", !isQuoted {
        word.map { words.append(String($0)) }
        word = nil
      } else {
        word = word ?? .init()
        word?.append(scalar)
      }
    }
    guard !isQuoted else { return nil }
    return words + (word.map { [String($0)] } ?? [])
  }
}

extension Substring.UnicodeScalarView {
  /// The text without blanks at its ends.
  fileprivate var trimmed: Substring.UnicodeScalarView {
    var rest = self
    while rest.first?.properties.isWhitespace == true { rest.removeFirst() }
    while rest.last?.properties.isWhitespace == true { rest.removeLast() }
    return rest
  }
}
