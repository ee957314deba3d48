import WidgetKitCore
import WidgetPlatform

/// What the answers of the user about a command are kept for.
///
/// An answer is for the command with all its arguments. What the user writes himself, with
/// `today permissions`, can leave some open: `{}` matches a text that does not begin with `-`, in place of an
/// argument or of a part of one, and `...` at the end for any arguments. Neither counts for programs that run others.
package struct CommandConsent: Hashable, Sendable {
  /// The path of the program; on another machine its name, if it is looked for there.
  private let program: String
  private let words: [String]
  /// Where it runs, if not as the user's own program on this machine.
  private let place: String

  /// What stands for any arguments.
  static let anyArguments = "..."
  /// What stands for a text in an argument.
  static let mark = "{}"
  /// The most bytes of a command for which an answer is kept.
  static let byteLimit = 4 * 1024

  /// Describes a command.
  ///
  /// - Parameters:
  ///   - program: The path of its program.
  ///   - words: The program as the script names it, and its arguments.
  ///   - place: The machine on which it runs, or ``sandbox``; nil for this machine, outside of the sandbox.
  package init(program: String, words: [String], place: String? = nil) {
    (self.program, self.words) = (program, words)
    self.place = place.map { "\($0): " } ?? ""
  }

  /// The place of a command that runs in the sandbox: who permits that has not permitted more.
  package static let sandbox = "sandbox"

  /// The line that a shell reads, if the command is one.
  package static func line(of words: [String]) -> String? {
    words.count == 3 && words[0] == "/bin/sh" && words[1] == "-c" ? words[2] : nil
  }

  /// The command with its arguments: a text without marks, also for a line of a shell, which may look as if it had
  /// some.
  package var exact: String { place + Self.text([program] + words.dropFirst()) }

  /// The line of a shell as the user may write it himself, and as answers were kept before; nil for another command,
  /// and for a line that reads like a command with marks.
  private var line: String? {
    guard let line = Self.line(of: words) else { return nil }
    let hasMarks = Self.words(line[...])?.contains { if case .open = $0 { true } else { false } }
    return hasMarks == true ? nil : place + line
  }

  /// The program with any arguments; nil for one that runs others.
  private var withAnyArguments: String? {
    guard Self.line(of: words) == nil, words.count > 1, !LaunchingPrograms.contain(program) else {
      return nil
    }
    return place + Self.text([program]) + " " + Self.anyArguments
  }

  /// The program with any arguments, if the user may be asked about that; nil for one that runs others, or of which
  /// that cannot be told.
  ///
  /// - Parameter script: The path of the script that asks, which is known to the user.
  /// - Returns: What the answer is kept for.
  package func offeredWithAnyArguments(to script: String?) -> String? {
    guard let text = withAnyArguments, place.isEmpty || place == "\(Self.sandbox): " else {
      return nil
    }
    let isScript = script.map { $0 == program || resolvedPath($0) == resolvedPath(program) ?? "" }
    return isScript == true || SystemProgram.isKnown(program) ? text : nil
  }

  /// A program with parts of its arguments open, if the user may be asked about that; nil for one that runs others.
  ///
  /// - Parameters:
  ///   - program: The path of the program.
  ///   - arguments: The arguments, each divided at its open part; one that has none is a single text.
  /// - Returns: What the answer is kept for.
  package static func offered(_ program: String, withOpen arguments: [[String]]) -> String? {
    guard !LaunchingPrograms.contain(program) else { return nil }
    let words = arguments.map { parts in
      parts.count == 1
        ? quoted(parts[0]) : parts.map { $0.isEmpty ? "" : quoted($0) }.joined(separator: mark)
    }
    return ([quoted(program)] + words).joined(separator: " ")
  }

  /// What the user has answered; nil if this command was not asked about.
  ///
  /// A refusal of a program alone is one of all its commands.
  package func answer(in answers: [String: Bool]) -> Bool? {
    let alone = place + Self.text([program])
    if [exact, line ?? exact, withAnyArguments ?? exact, alone]
      .contains(where: { answers[$0] == false })
    {
      return false
    }
    if answers[exact] == true || answers[line ?? exact] == true { return true }
    guard Self.line(of: words) == nil, !LaunchingPrograms.contain(program) else { return nil }
    let isMatched = answers.contains { $0.value && matches($0.key) }
    return isMatched ? true : nil
  }

  /// Whether a text with marks stands for the command.
  private func matches(_ text: String) -> Bool {
    guard text.hasPrefix(place), let pattern = Self.words(text.dropFirst(place.count)),
      pattern.first == .plain(program)
    else { return false }
    var (rest, given) = (pattern.dropFirst(), words.dropFirst())
    while let next = rest.popFirst() {
      if next == .open(Self.anyArguments), rest.isEmpty { return true }
      guard let word = given.popFirst(), next.matches(word) else { return false }
    }
    return given.isEmpty
  }

  /// Why a text cannot be what the user permits; nil if it can.
  static func fault(_ text: String) -> String? {
    guard text.utf8.count <= byteLimit else { return "it has more than \(byteLimit) bytes" }
    // A name of a machine is not a path.
    let command = text.firstRange(of: ": /").map { text[text.index(after: $0.lowerBound)...] }
    guard let words = words((command ?? text[...]).drop { $0 == " " }),
      case .plain(let program)? = words.first
    else { return nil }
    let isOpen = words.contains { if case .open = $0 { true } else { false } }
    guard isOpen, LaunchingPrograms.contain(program) else { return nil }
    return "\(program) runs other programs, so that it is permitted with all its arguments only"
  }

  // MARK: - Texts

  /// A word of a text.
  private enum Word: Equatable {
    /// Nothing in it is open.
    case plain(String)
    /// One with a mark, or `...`.
    case open(String)

    func matches(_ word: String) -> Bool {
      switch self {
      case .plain(let text): return text == word
      case .open(let text):
        guard let mark = text.firstRange(of: CommandConsent.mark) else { return false }
        let (before, after) = (text[..<mark.lowerBound], text[mark.upperBound...])
        guard word.hasPrefix(before), word.dropFirst(before.count).hasSuffix(after) else {
          return false
        }
        // What begins an argument must not become an option.
        return !before.isEmpty || !word.hasPrefix("-")
      }
    }
  }

  /// The words as a shell would read them.
  package static func text(_ words: [String]) -> String {
    words.map(quoted).joined(separator: " ")
  }

  private static func quoted(_ word: String) -> String {
    let isPlain = word.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "-_./:=,@%+".contains($0))
    }
    return isPlain && !word.isEmpty && word != anyArguments ? word : ShellWord.quoted(word)
  }

  /// Reads words with apostrophes; nil for a text that is not made of these, as a line of a shell.
  private static func words(_ text: Substring) -> [Word]? {
    var words: [Word] = []
    var rest = text
    while let first = rest.first {
      guard first != " " else {
        rest.removeFirst()
        continue
      }
      var (word, isOpen) = ("", false)
      while let next = rest.first, next != " " {
        if next == "'" {
          guard let end = rest.dropFirst().firstIndex(of: "'") else { return nil }
          word += rest[rest.index(after: rest.startIndex)..<end]
          rest = rest[rest.index(after: end)...]
        } else if rest.hasPrefix("\\'") {
          word += "'"
          rest.removeFirst(2)
        } else if rest.hasPrefix(mark) {
          // One mark in a word is enough; a second one would be a text like any other.
          guard !isOpen else { return nil }
          isOpen = true
          word += mark
          rest.removeFirst(mark.count)
        } else {
          word.append(rest.removeFirst())
        }
      }
      if word == anyArguments, text.hasSuffix(" \(anyArguments)"), rest.isEmpty { isOpen = true }
      words.append(isOpen ? .open(word) : .plain(word))
    }
    return words.isEmpty ? nil : words
  }
}
