/// What a desktop file says about starting its program (Desktop Entry Specification 1.5).
nonisolated struct DesktopEntry: Hashable, Sendable {
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
    for line in text.split(whereSeparator: \.isNewline) {
      let line = line.trimmed
      if line.hasPrefix("[") {
        isMainGroup = line.hasPrefix("[Desktop Entry]")
      } else if isMainGroup, !line.hasPrefix("#"), let sign = line.firstIndex(of: "=") {
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
    for character in word {
      guard isCode else {
        if character == "%" { isCode = true } else { text.append(character) }
        continue
      }
      isCode = false
      switch character {
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
    let escapes: [Character: Character] = ["s": " ", "n": "\n", "t": "\t", "r": "\r", "\\": "\\"]
    var (result, isEscape) = ("", false)
    for character in value {
      if isEscape {
        isEscape = false
        if let meant = escapes[character] {
          result.append(meant)
        } else {
          result += "\\\(character)"
        }
      } else if character == "\\" {
        isEscape = true
      } else {
        result.append(character)
      }
    }
    return isEscape ? result + "\\" : result
  }

  /// Separates a command into its arguments; nil if a quotation does not end.
  private static func words(of command: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var (isQuoted, isEscape) = (false, false)
    for character in command {
      if isEscape {
        isEscape = false
        word?.append(character)
      } else if isQuoted, character == "\\" {
        isEscape = true
      } else if character == "\"" {
        isQuoted.toggle()
        word = word ?? ""
      } else if character == " ", !isQuoted {
        word.map { words.append($0) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard !isQuoted else { return nil }
    return words + (word.map { [$0] } ?? [])
  }
}

nonisolated extension StringProtocol {
  /// The text without blanks at its ends.
  fileprivate var trimmed: SubSequence {
    var rest = self[...]
    while rest.first?.isWhitespace == true { rest = rest.dropFirst() }
    while rest.last?.isWhitespace == true { rest = rest.dropLast() }
    return rest
  }
}
