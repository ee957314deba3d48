/// The editor of the user, which is told the line.
nonisolated struct Editor: Sendable {
  private let command: String

  /// - Parameter environment: `VISUAL`, else `EDITOR`, is the command; without both it is `vi`.
  init(environment: [String: String]) {
    let named = ["VISUAL", "EDITOR"].compactMap { environment[$0] }
    command = named.first { !$0.allSatisfy(\.isWhitespace) } ?? "vi"
  }

  /// The command that opens a file at a line.
  ///
  /// The variables may have options, and quotes as in a shell: one reads them, as for git.
  func command(_ file: String, line: Int, column: Int?) -> [String] {
    let place = "\(file):\(line)" + (column.map { ":\($0)" } ?? "")
    let arguments =
      switch name {
      case "hx", "helix", "subl", "zed", "zeditor", "lapce": [place]
      case "code", "codium", "cursor", "code-insiders": ["--goto", place]
      default: ["+\(line)", file]
      }
    return ["sh", "-c", command + " \"$@\"", command] + arguments
  }

  /// The name of the program.
  private var name: String {
    let word = command.split(whereSeparator: \.isWhitespace).first ?? ""
    return word.split(separator: "/").last.map(String.init) ?? ""
  }
}
