/// Something that an extension needs before content is offered to it: one of several things (`requires` of a script,
/// `TodayRequires` of a bundle).
///
/// `llm|ollama|option:address` is one of two programs, or a value of an option.
package struct Requirement: Hashable, Sendable {
  /// One of the things of which one is enough.
  package enum Alternative: Hashable, Sendable {
    /// A program in the folders of PATH, by its name.
    case program(String)
    /// A file or folder, from `/` or `~/`.
    case path(String)
    /// An option of a script, or a setting of a bundle, that has a value.
    case option(String)
  }

  /// The things of which one is enough, in their order; never empty.
  package let alternatives: [Alternative]

  /// What a list may be, as an error has it.
  package static let expectation =
    "programs, paths from / or ~/, and option:NAME, as in \"gh|glab, ~/.netrc\""
  /// The most requirements of an extension, and the most alternatives of each.
  private static let countLimit = 16

  /// Reads a list: requirements between commas, all of which are needed, with alternatives between bars.
  ///
  /// - Returns: The requirements; nil if one of them is none.
  package static func list(_ text: String) -> [Requirement]? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count <= countLimit else { return nil }
    var requirements: [Requirement] = []
    for part in parts {
      let words = part.split(separator: "|", omittingEmptySubsequences: false)
      let alternatives = words.compactMap { alternative(String($0).trimmingBlanks) }
      guard alternatives.count == words.count, words.count <= countLimit else { return nil }
      requirements.append(Requirement(alternatives: alternatives))
    }
    return requirements
  }

  private static func alternative(_ word: String) -> Alternative? {
    let beginning = "option:"
    if word.hasPrefix(beginning) {
      let name = String(word.dropFirst(beginning.count))
      return isName(name) ? .option(name) : nil
    }
    if word.hasPrefix("/") || word.hasPrefix("~/") { return .path(word) }
    return isName(word) ? .program(word) : nil
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 64
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.+".contains($0)) }
  }

  /// The alternatives in words, which follow “it needs”.
  package var words: String {
    let all = alternatives.map { alternative in
      switch alternative {
      case .program(let name): name
      case .path(let path): path
      case .option(let name): "a value of its option \(name)"
      }
    }
    guard let last = all.last, all.count > 1 else { return all.joined() }
    return "\(all.dropLast().joined(separator: ", ")) or \(last)"
  }
}

extension String {
  /// The text without spaces and tabs at its ends.
  fileprivate var trimmingBlanks: String {
    let start = drop { $0 == " " || $0 == "\t" }
    let count = start.reversed().prefix { $0 == " " || $0 == "\t" }.count
    return String(start.dropLast(count))
  }
}
