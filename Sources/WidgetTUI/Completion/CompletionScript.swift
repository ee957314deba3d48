/// The completions for a shell, made from ``CommandTable``.
///
/// What is on the machine (widgets, themes) is asked from `today completion values KIND` when it is needed.
nonisolated enum CompletionScript: String, CaseIterable {
  case bash
  case zsh
  case fish

  /// The text of the script.
  var text: String {
    switch self {
    case .bash: ShellCompletion(isZsh: false).text
    case .zsh: ShellCompletion(isZsh: true).text
    case .fish: FishCompletion.text
    }
  }
}

/// The script for bash and zsh: one function that finds the command, and what belongs to the place of the cursor.
private nonisolated struct ShellCompletion {
  let isZsh: Bool

  var text: String {
    let cases = CommandTable.commands.flatMap { command in
      command.options.compactMap { option in
        option.value.flatMap { action($0) }.map {
          "    \(command.name):\(option.name)) \($0); return ;;"
        }
      }
    }
    let options = CommandTable.commands.map { command in
      let names = (command.options + CommandTable.common).map(\.name).joined(separator: " ")
      return "      \(command.name)) _today_words \(names) ;;"
    }
    let first = (CommandTable.dashboard + CommandTable.common).map(\.name).joined(separator: " ")
    let arguments = CommandTable.commands.compactMap { command in
      (command.name == "help" ? names : action(command.arguments))
        .map { "    \(command.name)) \($0) ;;" }
    }
    return """
      \(isZsh ? "#compdef today" : "# Completions of today for bash: source them, or install them as completions/today.")

      \(isZsh ? Self.zshHelpers : Self.bashHelpers)

      _today() {
      \(isZsh ? Self.zshWords : Self.bashWords)
        case $command:$before in
          *:--widgets | *:--trace) _today_paths; return ;;
      \(cases.joined(separator: "\n"))
        esac
        if [[ $current == -* ]]; then
          case $command in
            '') _today_words \(first) ;;
      \(options.joined(separator: "\n"))
          esac
          return
        fi
        case $command in
          '') \(names) ;;
      \(arguments.joined(separator: "\n"))
        esac
      }

      \(isZsh ? Self.zshEnd : "complete -F _today today")
      """ + "\n"
  }

  private var names: String {
    "_today_words " + CommandTable.commands.map(\.name).joined(separator: " ")
  }

  private func action(_ kind: CompletionKind) -> String? {
    switch kind {
    case .none: nil
    case .words(let words): "_today_words \(words.joined(separator: " "))"
    case .path: "_today_paths"
    case .widgets: "_today_values widgets"
    case .themes: "_today_values themes"
    }
  }

  private static let bashHelpers = """
    _today_words() {
      COMPREPLY=($(compgen -W "$*" -- "$current"))
    }

    _today_paths() {
      compopt -o filenames 2>/dev/null
      COMPREPLY=($(compgen -f -- "$current"))
    }

    # Identifiers and names; those with blanks are quoted.
    _today_values() {
      local value IFS=$'\\n'
      for value in $(today completion values "$1" 2>/dev/null); do
        [[ $value == "$current"* ]] && COMPREPLY+=("$(printf '%q' "$value")")
      done
      [[ $1 == widgets && $current == */* ]] && _today_paths
      declare -F __ltrim_colon_completions >/dev/null && __ltrim_colon_completions "$current"
    }
    """

  private static let bashWords = """
      local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command= position
      COMPREPLY=()
      for ((position = 1; position < COMP_CWORD; position++)); do
        case ${COMP_WORDS[position]} in
          --widgets | --trace) ((position++)) ;;
          -*) ;;
          *) command=${COMP_WORDS[position]}; break ;;
        esac
      done
    """

  private static let zshHelpers = """
    _today_words() { compadd -- "$@" }

    _today_paths() { _files }

    _today_values() {
      local -a values=("${(@f)$(today completion values "$1" 2>/dev/null)}")
      compadd -- $values
      [[ $1 == widgets && $current == */* ]] && _files
    }
    """

  private static let zshWords = """
      local current=$words[CURRENT] before=$words[CURRENT-1] command= position
      for ((position = 2; position < CURRENT; position++)); do
        case $words[position] in
          --widgets|--trace) ((position++)) ;;
          -*) ;;
          *) command=$words[position]; break ;;
        esac
      done
    """

  private static let zshEnd = """
    if [[ $funcstack[1] == _today ]]; then _today "$@"; else compdef _today today; fi
    """
}

/// The script for fish: a line for each command and option.
private nonisolated enum FishCompletion {
  private static let noCommand = "'test -z (__today_command)'"

  /// The command before the cursor; the values of options are none.
  private static let function = """
    function __today_command
      set -l words (commandline -opc)
      set -l isValue 0
      for word in $words[2..]
        if test $isValue = 1
          set isValue 0
        else if contains -- $word --widgets --trace
          set isValue 1
        else if not string match -q -- '-*' $word
          echo $word
          return
        end
      end
      echo ''
    end
    """

  static var text: String {
    var lines = [
      "# Completions of today for fish.", function, "complete -c today -f",
      line(noCommand, CommandTable.dashboard),
    ]
    lines.append(contentsOf: CommandTable.common.map { "complete -c today \(option($0))" })
    for command in CommandTable.commands {
      let summary = command.summary.replacing("'", with: "\\'")
      lines.append(
        "complete -c today -n \(noCommand) -a \(command.name) -d '\(summary)'"
      )
      let condition = "'test (__today_command) = \(command.name)'"
      lines.append(line(condition, command.options))
      if let values = values(command) {
        lines.append("complete -c today -n \(condition) \(values)")
      }
    }
    return lines.filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
  }

  private static func line(
    _ condition: String,
    _ options: [OptionSummary]
  ) -> String {
    options.map { "complete -c today -n \(condition) \(option($0))" }.joined(separator: "\n")
  }

  private static func option(_ option: OptionSummary) -> String {
    let name = "-l \(option.name.dropFirst(2))"
    guard let value = option.value else { return name }
    return "\(name) \(argument(value) ?? "-x")"
  }

  private static func values(_ command: CommandSummary) -> String? {
    guard command.name != "help" else {
      return "-a '\(CommandTable.commands.map(\.name).joined(separator: " "))'"
    }
    switch command.arguments {
    case .path: return "-F"
    case .widgets: return "-a '(today completion values widgets 2>/dev/null)'"
    default: return argument(command.arguments).map { String($0.dropFirst(3)) }
    }
  }

  private static func argument(_ kind: CompletionKind) -> String? {
    switch kind {
    case .none: nil
    case .words(let words): "-x -a '\(words.joined(separator: " "))'"
    case .path: "-r -F"
    case .widgets: "-x -a '(today completion values widgets 2>/dev/null)'"
    case .themes: "-x -a '(today completion values themes 2>/dev/null)'"
    }
  }
}
