import FoundationEssentials
import Glibc
import WidgetKitCore
import WidgetPlatform

/// Checks the executable of a widget: the first line of a script, its line endings, and what it uses.
struct ProgramLint {
  private let widget: WidgetBundle
  private let share: String
  private let bytes: [UInt8]
  private let lines: [Substring]

  /// The largest script that is read.
  private static let byteLimit = 4 << 20
  /// Where a widget finds programs, as the host sets it.
  private static let folders = ["/usr/local/bin", "/usr/bin", "/bin"]

  init(_ widget: WidgetBundle, share: String) {
    self.widget = widget
    self.share = share
    bytes = UserFile.bytes(widget.executablePath, byteLimit: Self.byteLimit) ?? []
    let isScript = bytes.starts(with: "#!".utf8)
    lines =
      isScript
      ? String(decoding: bytes, as: UTF8.self)
        .split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" } : []
  }

  func run() -> [LintFinding] {
    guard !lines.isEmpty else { return [] }
    return lineEndings() + shebang() + kit() + words()
  }

  private func finding(
    _ rule: LintRule,
    _ place: TextPlace?,
    _ message: String,
    _ advice: String,
    _ fix: LintFix? = nil
  ) -> LintFinding {
    LintFinding(rule, widget.executablePath, at: place, message, advice: advice, fix: fix)
  }

  // MARK: - The first line

  private func lineEndings() -> [LintFinding] {
    guard let first = bytes.firstIndex(of: UInt8(ascii: "\n")), first > 0,
      bytes[first - 1] == UInt8(ascii: "\r")
    else { return [] }
    return [
      finding(
        .lineEndings,
        TextPlace(line: 1, column: first),
        "the lines end in CR LF, so that the kernel looks for a program with CR in its name",
        "save it with the line endings of Unix",
        .lineEndings(widget.executablePath)
      )
    ]
  }

  private func shebang() -> [LintFinding] {
    let words = lines[0].dropFirst(2).split(whereSeparator: \.isWhitespace).map(String.init)
    let start = TextPlace(line: 1, column: 1)
    guard let program = words.first, program.hasPrefix("/") else {
      return [
        finding(
          .shebang,
          start,
          "the first line names no program",
          "begin it with #!/bin/sh, or the like"
        )
      ]
    }
    guard program.hasSuffix("/env") else {
      return isThere(program)
        ? []
        : [finding(.shebang, start, "\(SafeText(program)) is not there", advice(program))]
    }
    // The kernel hands over everything after the program as one argument (execve(2)).
    let arguments = Array(words.dropFirst())
    if arguments.count > 1, arguments[0] != "-S", !arguments[0].hasPrefix("-S") {
      let line = "#!\(program) -S " + arguments.joined(separator: " ")
      return [
        finding(
          .shebang,
          start,
          "env gets “\(SafeText(arguments.joined(separator: " ")))” as one argument",
          "write \(SafeText(line))",
          .firstLine(widget.executablePath, with: line)
        )
      ]
    }
    let rest = arguments.drop { $0.hasPrefix("-") || $0.contains("=") }
    guard let name = rest.first else {
      return [finding(.shebang, start, "env is given no program", "name one after it")]
    }
    let isFound = Self.folders.contains { isThere("\($0)/\(name)") }
    return isFound
      ? []
      : [
        finding(
          .shebang,
          start,
          "\(SafeText(name)) is not in \(Self.folders.joined(separator: ":")), where widgets look for programs",
          advice(name)
        )
      ]
  }

  private func advice(_ program: String) -> String {
    "install \(SafeText(program.split(separator: "/").last.map(String.init) ?? program)), or name another program"
  }

  private func isThere(_ path: String) -> Bool { unsafe access(path, X_OK) == 0 }

  // MARK: - The file of functions

  private func kit() -> [LintFinding] {
    guard widget.script == nil else { return [] }
    let text = lines.joined(separator: "\n")
    var findings: [LintFinding] = []
    for (name, mark) in [
      ("todaykit.py", "from todaykit import"), ("todaykit.py", "import todaykit"),
      ("todaykit.sh", "/todaykit.sh\""),
    ] where text.contains(mark) && !findings.contains(where: { $0.member == name }) {
      let (own, ours) = ("\(widget.path)/\(name)", "\(share)/\(name)")
      let place = TextPlace(of: mark, in: bytes)
      let present = UserFile.bytes(own, byteLimit: Self.byteLimit)
      let current = UserFile.bytes(ours, byteLimit: Self.byteLimit)
      let fix: LintFix? = current == nil ? nil : .copy(ours, to: own)
      guard let present else {
        findings.append(
          LintFinding(
            .kit,
            widget.executablePath,
            at: place,
            member: name,
            "\(name) is not in the bundle",
            advice: "copy it there; the widget sees nothing but its bundle",
            fix: fix
          )
        )
        continue
      }
      guard let current, current != present else { continue }
      findings.append(
        LintFinding(
          .kitVersion,
          own,
          at: nil,
          member: name,
          "it differs from that of this version of today",
          advice: "copy \(ours) over it, if the change is not yours",
          fix: fix
        )
      )
    }
    return findings
  }

  // MARK: - What it does

  private func words() -> [LintFinding] {
    var findings: [LintFinding] = []
    for (index, line) in lines.enumerated() {
      let code = line.drop(while: \.isWhitespace)
      guard !code.hasPrefix("#") else { continue }
      if let found = code.firstRange(of: "/dev/tty") {
        let column = line.utf8.distance(from: line.startIndex, to: found.lowerBound)
        findings.append(
          finding(
            .terminal,
            TextPlace(line: index + 1, column: column + 1),
            "a widget has no terminal; /dev/tty cannot be opened",
            "show what you have in the view, or ask with a field"
          )
        )
      }
      if widget.script == nil, let found = Self.escape(in: line), !usesAnsi {
        findings.append(
          finding(
            .rawEscape,
            TextPlace(line: index + 1, column: found + 1),
            "an escape sequence; in a text, it is shown as a replacement character",
            "use the style of a node, or a node of the type ansi"
          )
        )
      }
    }
    return findings
  }

  private var usesAnsi: Bool {
    lines.contains { $0.contains("\"ansi\"") || $0.contains("\\\"ansi") }
  }

  /// The byte at which an escape sequence, or the way to write one, begins.
  private static func escape(in line: Substring) -> Int? {
    for mark in ["\u{1B}[", "\\033[", "\\x1b[", "\\x1B[", "\\e[", "\\u001b[", "\\u001B["] {
      if let found = line.firstRange(of: mark) {
        return line.utf8.distance(from: line.startIndex, to: found.lowerBound)
      }
    }
    return nil
  }
}
