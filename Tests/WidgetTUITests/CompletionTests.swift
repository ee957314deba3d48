import Testing
import WidgetKitCore

@testable import WidgetTUI

/// The table of commands, and the completions that are made from it.
@Suite struct CompletionTests {
  @Test func `the ways to use a command name all of its options, and no others`() {
    #expect(Set(CommandTable.commands.map(\.name)).count == CommandTable.commands.count)
    for command in CommandTable.commands {
      let words = command.usages.joined(separator: " ").split { !($0.isLetter || $0 == "-") }
      let named = Set(words.filter { $0.hasPrefix("--") && $0 != "--" }.map(String.init))
      #expect(named == Set(command.options.map(\.name)), "\(command.name)")
    }
  }

  @Test func `every command and option has words`() {
    for command in CommandTable.commands {
      #expect(!command.summary.isEmpty && !command.details.isEmpty, "\(command.name)")
      for entry in command.entries {
        #expect(!entry.words.isEmpty, "\(command.name) \(entry.name)")
      }
    }
  }

  @Test func `every option of the table is one that its command takes`() {
    for command in CommandTable.commands {
      for option in command.options + CommandTable.common {
        let value: [String] =
          switch option.completion {
          case _ where option.value == nil: []
          case .words(let words): words.prefix(1).map(\.self)
          case .path: ["/"]
          default: ["1"]
          }
        do throws(CommandError) {
          _ = try CommandParser.parse([command.name, option.name] + value, environment: [:])
        } catch {
          #expect(!error.description.contains("unknown option"), "\(error)")
          #expect(!error.description.contains("\(option.name) needs a value"), "\(error)")
        }
      }
    }
  }

  @Test func `a word that the help explains is no option`() {
    #expect(throws: CommandError.self) {
      try CommandParser.parse(["transfers", "cancel"], environment: [:])
    }
    #expect(throws: Never.self) {
      try CommandParser.parse(["transfers", "cancel", "1"], environment: [:])
    }
  }

  @Test func `what the program starts itself takes what it is started with`() {
    for arguments in [["keep-transfer", "1"], ["keep-transfer", "1", "--after-press"]] {
      #expect(throws: Never.self) { try CommandParser.parse(arguments, environment: [:]) }
    }
    #expect(throws: Never.self) {
      try CommandParser.parse(["serve-leaving", "3"], environment: [:])
    }
  }

  @Test(arguments: [
    (["list", "--json=x"], "--json has no value; see “today help list”"),
    (["snapshot", "--width"], "--width needs a value; see “today help snapshot”"),
    (["snapshot", "--width=0"], "--width 0: expected a whole number from 1 to 1000"),
    (["themes", "a", "b"], "unknown option “b” for themes; see “today help themes”"),
    (["schedule", "x"], "“x”: expected one of on, off, status"),
    (["move", "Clock"], "expected a widget and its new position, from 1; see “today help move”"),
    (["serve-leaving"], "expected one descriptor; the program starts this command itself"),
  ])
  func `wrong arguments are named, with what is expected`(arguments: [String], words: String) {
    let error = #expect(throws: CommandError.self) {
      try CommandParser.parse(arguments, environment: [:])
    }
    #expect(error?.description == words)
    #expect(error?.exitCode == .usage)
  }

  @Test func `values that are words are all accepted`() {
    for command in CommandTable.commands {
      for option in command.options {
        guard case .words(let words) = option.completion else { continue }
        for word in words {
          do throws(CommandError) {
            _ = try CommandParser.parse([command.name, option.name, word], environment: [:])
          } catch {
            #expect(!error.description.contains("\(option.name) \(word)"), "\(error)")
          }
        }
      }
    }
  }

  @Test(
    arguments: [
      ([], .commands, "--locked"),
      (["--widgets"], .path, nil),
      (["--widgets", "/", "remove"], .widgets, "--trace"),
      (["snapshot", "--format"], .words(["text", "ansi", "json", "svg", "html"]), nil),
      (["snapshot", "--format", "="], .words(["text", "ansi", "json", "svg", "html"]), nil),
      (["snapshot", "--theme"], .themes, nil),
      (["snapshot", "--page"], .pages, nil),
      (["rename"], .pages, "--help"),
      (["rename", "Home"], .none, "--help"),
      (["publish"], .pages, "--to"),
      (["serve", "--public"], .pages, nil),
      (["page"], .hosts, "--help"),
      (["hosts", "nas"], .hosts, "--json"),
      (["run", "--host"], .hosts, nil),
      (["snapshot", "--cached"], .widgets, "--all"),
      (["schedule"], .words(["on", "off", "status"]), "--help"),
      (["schedule", "on"], .none, "--help"),
      (["has-content", "Clock"], .words(["on", "off"]), "--help"),
      (["add", "Clock", "Weather"], .widgets, "--as"),
      (["import", "waybar"], .path, "--dry-run"),
      (["defaults"], .words(["read", "write", "delete"]), "--string"),
      (["defaults", "read"], .none, "--string"),
      (["transfers", "cancel"], .none, "--json"),
      (["help"], .commands, "--help"),
      (["nothing"], .none, nil),
    ] as [([String], CompletionKind, String?)]
  )
  func `what may follow some words depends on the command and the place`(
    words: [String],
    kind: CompletionKind,
    option: String?
  ) {
    let place = CompletionPlace(after: words)
    #expect(place.kind == kind)
    if let option {
      #expect(place.options.map(\.name).contains(option))
    } else {
      #expect(place.options.isEmpty)
    }
  }
}
