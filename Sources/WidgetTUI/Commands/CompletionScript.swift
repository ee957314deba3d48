/// The completions for a shell: a function that asks `today completion next` what may follow.
enum CompletionScript: String, CaseIterable {
  case bash
  case zsh
  case fish

  /// The text of the script.
  var text: String {
    switch self {
    case .bash:
      """
      # Completions of today for bash: source them, or install them as completions/today.
      _today() {
        local current=${COMP_WORDS[COMP_CWORD]} kind value
        COMPREPLY=()
        {
          read -r kind
          # Names with blanks are quoted.
          while IFS=$'\\t' read -r value _; do
            [[ $value == "$current"* ]] && COMPREPLY+=("$(printf '%q' "$value")")
          done
        } < <(today completion next -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
        if [[ $kind == files ]]; then
          compopt -o filenames 2>/dev/null
          local IFS=$'\\n'
          COMPREPLY+=($(compgen -f -- "$current"))
        fi
        declare -F __ltrim_colon_completions >/dev/null && __ltrim_colon_completions "$current"
        return 0
      }
      complete -F _today today

      """
    case .zsh:
      """
      #compdef today
      _today() {
        local -a found=("${(@f)$(today completion next -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
        compadd -- "${(@)found[2,-1]%%$'\\t'*}"
        [[ $found[1] == files ]] && _files
        return 0
      }
      if [[ $funcstack[1] == _today ]]; then _today "$@"; else compdef _today today; fi

      """
    case .fish:
      """
      # Completions of today for fish.
      function __today_next
        set -l words (commandline -opc) (commandline -ct)
        set -l found (today completion next -- $words[2..] 2>/dev/null)
        test "$found[1]" = files; and __fish_complete_path (commandline -ct)
        set -e found[1]
        printf '%s\\n' $found
      end
      complete -c today -f -a '(__today_next)'

      """
    }
  }
}

/// What may be in the place of the cursor.
struct CompletionPlace {
  /// What belongs there.
  private(set) var kind = CompletionKind.commands
  /// The options that may be there.
  private(set) var options = DashboardCommand.summary.options + CommandTable.common

  /// The place behind some words of a command line, without the name of the program.
  init(after words: [String]) {
    var command: CommandSummary?
    var operands: [String] = []
    var value: CompletionKind?
    // Some shells have “=” as a word of its own.
    for word in words where word != "=" {
      if value != nil {
        value = nil
      } else if word.hasPrefix("-") {
        value = options.first { $0.name == word && $0.value != nil }?.completion
      } else if command != nil {
        operands.append(word)
      } else {
        command = CommandTable.commands.first { $0.name == word }
        guard let command else {
          (kind, options) = (.none, [])
          return
        }
        options = command.options + CommandTable.common
      }
    }
    if let value {
      (kind, options) = (value, [])
    } else if let command {
      kind = command.completion(after: operands)
    }
  }
}
