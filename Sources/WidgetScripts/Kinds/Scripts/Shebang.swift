/// The first line of a script, `#!INTERPRETER ARGUMENT`, where the kernel would not do what its author meant.
///
/// Linux passes all that follows the interpreter as one argument: `#!/usr/bin/env VAR=x python3` sets a variable
/// and runs the script again, for ever. Other systems have interpreters at other places, and `python` is not
/// everywhere. The line ends of Windows would make a return a part of the name.
struct Shebang: Hashable {
  private let interpreter: String
  private let words: [String]
  private let endsWithReturn: Bool

  /// Reads the beginning of a file; nil if it does not begin with `#!`.
  init?(_ start: [UInt8]) {
    guard start.starts(with: Array("#!".utf8)) else { return nil }
    let line = start.dropFirst(2).prefix { $0 != 0x0A && $0 != 0x0D }
    let words = String(decoding: line, as: UTF8.self).split { $0 == " " || $0 == "\t" }
    guard let first = words.first else { return nil }
    interpreter = String(first)
    self.words = words.dropFirst().map(String.init)
    endsWithReturn = start.dropFirst(2 + line.count).first == 0x0D
  }

  /// The command that runs a script, in place of the script itself; nil if the kernel runs it as it was meant.
  ///
  /// - Parameters:
  ///   - script: The path of the script.
  ///   - find: The path of a program by its name or path; nil if there is none.
  /// - Returns: The program and its arguments.
  func command(for script: String, find: (String) -> String?) -> [String]? {
    if interpreter.split(separator: "/").last == "env" { return environmentCommand(script, find) }
    let found = find(interpreter)
    guard found == nil || endsWithReturn, let program = found ?? Self.stand(in: interpreter, find)
    else { return nil }
    // The kernel passes one argument.
    return [program] + (words.isEmpty ? [] : [words.joined(separator: " ")]) + [script]
  }

  private func environmentCommand(_ script: String, _ find: (String) -> String?) -> [String]? {
    var words = words
    let isSplit = words.first == "-S" || words.first == "--split-string"
    if isSplit { words.removeFirst() }
    // BSD has a folder to search here.
    let hasFolder = words.first == "-P" && words.count > 1
    if hasFolder { words.removeFirst(2) }
    let variables = words.prefix { $0.contains("=") && !$0.hasPrefix("-") }
    let rest = words.dropFirst(variables.count)
    guard let name = rest.first, !name.hasPrefix("-"), let env = find("env") else { return nil }
    let program = find(name) ?? Self.stand(in: name, find)
    let isUsual =
      !hasFolder && !endsWithReturn && variables.isEmpty && rest.count == 1 && find(name) != nil
    guard !isUsual, let program else { return nil }
    return [env] + variables + [program] + rest.dropFirst() + [script]
  }

  /// The program of the same name at another place; Python 3 for Python.
  private static func stand(in interpreter: String, _ find: (String) -> String?) -> String? {
    let name = interpreter.split(separator: "/").last.map(String.init) ?? interpreter
    return find(name) ?? (name == "python" ? find("python3") : nil)
  }
}
