import FoundationEssentials
import Testing

@testable import WidgetTUI

/// The lists of commands in the manual page and in Configuration.md; RECORD=1 writes them anew.
@Suite struct CommandDocumentsTests {
  @Test func `Configuration.md lists the commands of the table`() throws {
    let rows = CommandTable.commands.map { command in
      let usages = command.usages.map { "`today \($0.replacing("|", with: "\\|"))`" }
      return "| \(usages.joined(separator: "<br>")) | \(command.summary) |\n"
    }
    let dashboard = "| `today [--locked]` | \(DashboardCommand.summary.summary) |\n"
    try expect(
      "| command | |\n| --- | --- |\n\(dashboard)\(rows.joined())",
      in: "Docs/Configuration.md",
      after: "## Commands and options\n\n",
      before: "\nID is a bundle identifier"
    )
  }

  @Test func `the manual page lists the ways to use each command`() throws {
    let usages = CommandTable.commands.flatMap(\.usages)
    let lines = ["[--locked] [--version]"] + usages
    try expect(
      lines.map { Roff.usage("today \($0)") }.joined(separator: "\n.br\n") + "\n",
      in: "Docs/today.1",
      after: ".SH SYNOPSIS\n",
      before: ".SH DESCRIPTION\n"
    )
  }

  @Test func `the manual page has the help of each command`() throws {
    let commands = CommandTable.commands.map { command in
      let usages = command.usages.map { Roff.usage("today \($0)") }.joined(separator: "\n.TQ\n")
      let list = command.entries.map { entry in
        ".TP\n\(Roff.usage(entry.heading))\n\(Roff.text(entry.words))\n"
      }
      return ".TP\n\(usages)\n\(Roff.paragraphs(command.details))"
        + (list.isEmpty ? "" : ".RS\n\(list.joined()).RE\n")
        + (command.notes.isEmpty ? "" : ".IP\n\(Roff.paragraphs(command.notes))")
    }
    let dashboard = ".TP\n\(Roff.usage("today [--locked]"))\n\(DashboardCommand.summary.summary)\n"
    let common = CommandTable.common.map { option in
      ".TP\n\(Roff.usage(option.heading))\n\(Roff.text(option.words))\n"
    }
    let names = """
      .I ID
      is a bundle identifier, or the name in the heading of a card if only one widget has that name.

      """
    try expect(
      names + dashboard + commands.joined() + ".SH OPTIONS\nAll commands:\n" + common.joined(),
      in: "Docs/today.1",
      after: ".SH COMMANDS\n",
      before: ".SH KEYS\n"
    )
  }

  /// Compares what lies between two texts of a page.
  private func expect(
    _ wanted: String,
    in page: String,
    after start: String,
    before end: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: page)
    let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    let from = try #require(text.firstRange(of: start), sourceLocation: sourceLocation).upperBound
    let to = try #require(text[from...].firstRange(of: end), sourceLocation: sourceLocation)
      .lowerBound
    guard text[from..<to] != wanted else { return }
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      try Data((text[..<from] + wanted + text[to...]).utf8).write(to: file)
      Issue.record("recorded \(page)", sourceLocation: sourceLocation)
      return
    }
    let lines = text[from..<to].split(separator: "\n", omittingEmptySubsequences: false)
    let difference = zip(lines, wanted.split(separator: "\n", omittingEmptySubsequences: false))
      .first { $0 != $1 }
    Issue.record(
      "\(page) is not as the commands are (RECORD=1 writes it): \(String(describing: difference))",
      sourceLocation: sourceLocation
    )
  }
}

/// Texts in the language of manual pages.
private enum Roff {
  /// A usage line: what is typed as it is in bold, and what stands for something else in italics.
  static func usage(_ text: String) -> String {
    var result = ""
    var word = ""
    func end() {
      let dots = word.hasSuffix("...") ? "..." : ""
      word.removeLast(dots.count)
      defer { result += dots }
      guard !word.isEmpty else { return }
      let isName = word.allSatisfy { $0.isUppercase || $0 == "_" }
      result += "\\f\(isName ? "I" : "B")\(escaped(word))\\fR"
      word = ""
    }
    for character in text {
      if character.isLetter || character.isNumber || "-:/_.".contains(character) {
        word.append(character)
      } else {
        end()
        result += character == "'" ? "\\(aq" : "\(character)"
      }
    }
    end()
    return result
  }

  /// A text in sentences.
  static func text(_ text: String) -> String {
    escaped(text).split(separator: "\n").map { line in
      line.hasPrefix(".") || line.hasPrefix("'") ? "\\&\(line)" : String(line)
    }.joined(separator: "\n")
  }

  /// Paragraphs; lines that are indented stay as they are.
  static func paragraphs(_ text: String) -> String {
    text.split(separator: "\n\n").map { paragraph in
      paragraph.hasPrefix("  ")
        ? ".RS\n.nf\n\(self.text(String(paragraph)))\n.fi\n.RE\n"
        : "\(self.text(String(paragraph)))\n"
    }.joined(separator: ".IP\n")
  }

  private static func escaped(_ text: String) -> String {
    var result = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    result = result.replacing("“", with: "\\(lq").replacing("”", with: "\\(rq")
    return result.replacing("~", with: "\\(ti").replacing("^", with: "\\(ha")
  }
}
