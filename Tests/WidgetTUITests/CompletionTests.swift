import Testing
import WidgetKitCore

@testable import WidgetTUI

/// The table of commands that completions are made from.
@Suite struct CompletionTests {
  /// The options in the usage lines of a command, which are those before the first empty line.
  private func usage(_ name: String) throws -> Set<String> {
    let text = try #require(HelpCommand.topics[name])
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }
    let words = lines.joined(separator: " ")
      .split { !($0.isLetter || $0 == "-") }.map(String.init)
    return Set(words.filter { $0.hasPrefix("--") && $0 != "--" })
  }

  @Test func `the table has the commands and options of the help, and no others`() throws {
    let names = CommandTable.commands.map(\.name)
    #expect(Set(names) == Set(HelpCommand.topics.keys).union(["help"]))
    #expect(names.count == Set(names).count)
    for command in CommandTable.commands where command.name != "help" {
      let listed = try usage(command.name)
      let known = Set(command.options.map(\.name))
      #expect(listed.subtracting(known).isEmpty, "\(command.name) has \(listed.subtracting(known))")
      let text = try #require(HelpCommand.topics[command.name])
      for option in known { #expect(text.contains(option), "\(command.name) \(option)") }
    }
  }

  @Test func `every option of the table is one that its command takes`() {
    for command in CommandTable.commands {
      for option in command.options + CommandTable.common {
        let value: [String] =
          switch option.value {
          case nil: []
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

  @Test func `values that are words are all accepted`() {
    for command in CommandTable.commands {
      for option in command.options {
        guard case .words(let words)? = option.value else { continue }
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
}
