import Notices
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// `today hook SHELL`: the lines with which a shell posts the end of long commands.
struct HookCommand: Command {
  static let name = "hook"
  static let syntax = CommandSyntax<HookCommand>(
    name,
    "print what lets a shell post the end of long commands",
    expected: "bash, zsh or fish",
    details: """
      Prints the lines with which a shell posts a notice when a command has taken 30 seconds or longer
      (“notices.hookSeconds” in config.json). No program is started for shorter ones. The line for the start of the
      shell:

        bash   eval "$(today hook bash)", in ~/.bashrc
        zsh    eval "$(today hook zsh)", in ~/.zshrc
        fish   today hook fish | source, in ~/.config/fish/config.fish
      """,
    operands: [.choice(\.shell)],
    notes: """
      Editors, pagers and other programs that a person uses all the time are left out, and so are commands that Ctrl-C
      has ended. Of a command that begins with a blank nothing but its end is told. In tmux with “focus-events on” you
      are not told of a command whose pane had the focus all the time.
      """
  )

  var options = CommonOptions()
  private var shell = HookScript.bash

  func run() async throws(CommandError) -> ExitCode {
    let seconds = Int(options.readSettings().notices.hookTime.seconds.rounded(.up))
    let program = ShellWord.quoted(HostProcess.executablePath())
    StandardStreams.write(Array(shell.text(seconds: seconds, program: program).utf8))
    return .success
  }
}

/// The lines for a shell.
enum HookScript: String, CaseIterable {
  case bash
  case zsh
  case fish

  /// The text of the script.
  ///
  /// - Parameters:
  ///   - seconds: How long a command takes at least.
  ///   - program: The program in apostrophes.
  /// - Returns: The lines, each with its end.
  func text(seconds: Int, program: String) -> String {
    let report = "\(program) \(CommandEndCommand.name)"
    return switch self {
    case .bash:
      // The prompt is expanded in the shell itself, so that an assignment in it stays. “history 1” is asked only of long
      // commands; if the number of the next one is as before, the shell has not remembered the command.
      """
      # Posts the end of commands that take \(seconds) s or longer.
      if [[ $- == *i* && -z ${__today_hook-} ]]; then
        __today_hook=1 __today_start='' __today_number=''
        __today_prompt() {
          local status=$? start=$__today_start text=''
          __today_start=''
          if [[ -n $start ]] && (( SECONDS - start >= \(seconds) )); then
            if [[ $HISTCMD != "$__today_number" ]]; then
              text=$(HISTTIMEFORMAT='' builtin history 1)
              text=${text#*[0-9][\\* ] }
            fi
            (\(report) "$(( SECONDS - start ))" "$status" -- "$text" </dev/null >/dev/null 2>&1 &)
          fi
          __today_number=$HISTCMD
          return "$status"
        }
        PS0='${__today_hook:(__today_start=SECONDS)*0:0}'${PS0-}
        if [[ $(declare -p PROMPT_COMMAND 2>/dev/null) == 'declare -a'* ]]; then
          PROMPT_COMMAND=(__today_prompt "${PROMPT_COMMAND[@]}")
        else
          PROMPT_COMMAND="__today_prompt${PROMPT_COMMAND:+; $PROMPT_COMMAND}"
        fi
      fi

      """
    case .zsh:
      """
      # Posts the end of commands that take \(seconds) s or longer.
      if [[ -o interactive && -z ${__today_hook-} ]]; then
        zmodload zsh/datetime
        autoload -Uz add-zsh-hook
        typeset -g __today_hook=1 __today_start='' __today_text=''
        __today_preexec() {
          __today_start=$EPOCHSECONDS __today_text=$1
        }
        __today_precmd() {
          local code=$? start=$__today_start
          __today_start=''
          [[ -n $start ]] || return 0
          (( EPOCHSECONDS - start >= \(seconds) )) || return 0
          \(report) "$(( EPOCHSECONDS - start ))" "$code" -- "$__today_text" </dev/null >/dev/null 2>&1 &!
        }
        add-zsh-hook preexec __today_preexec
        add-zsh-hook precmd __today_precmd
      fi

      """
    case .fish:
      """
      # Posts the end of commands that take \(seconds) s or longer.
      function __today_postexec --on-event fish_postexec
        set -l code $status
        test "$CMD_DURATION" -ge \(seconds)000; or return
        \(report) (math -s0 $CMD_DURATION / 1000) $code -- "$argv[1]" </dev/null >/dev/null 2>&1 &
        disown
      end

      """
    }
  }
}

/// The hidden command with which the lines of `today hook` post the end of a command.
struct CommandEndCommand: Command {
  static let name = "post-command-end"

  static let syntax = CommandSyntax<CommandEndCommand>(
    name,
    "post the end of a command",
    expected:
      "seconds, a status and a command; the lines of “today hook” start this command themselves",
    operands: [
      .one("SECONDS", .seconds, \.time), .one("STATUS", .number(0...255), \.status),
      .one("COMMAND", .text, \.command),
    ],
    isHidden: true
  )

  var options = CommonOptions()
  private var time = Duration.zero
  private var status = 0
  private var command = ""

  /// Programs that a person uses all the time that they take.
  private static let used = Set(
    """
    atop bash btop dash emacs fish fzf gdb helix htop hx info irssi kak ksh lazygit less lldb man mc micro more most mosh
    mutt nano neomutt nvim nvtop python python3 ranger screen sh ssh su tail tig tmux today top vi view vim vimdiff watch
    weechat yazi zellij zsh
    """.split(whereSeparator: \.isWhitespace)
  )

  func run() async throws(CommandError) -> ExitCode {
    let words = command.split(whereSeparator: \.isWhitespace)
    let first = words.first { $0 != "sudo" && !$0.contains("=") }.map(String.init) ?? ""
    let program = OwnPath.split(first).name
    // A shell has 128 and the signal for a program that a signal has ended.
    let end: TerminationStatus =
      status > 128 ? .signaled(Int32(status - 128)) : .exited(Int32(status))
    var draft = NoticeDraft(end, of: command, time, options)
    guard !Self.used.contains(program[...]), !draft.isInterrupted else { return .success }
    let isNamed = command.first.map { !$0.isWhitespace } ?? false
    draft.content.application = isNamed && !program.isEmpty ? program : "shell"
    let isSeen = await TmuxFocus(options.environment)?.hadFocus(for: time) ?? false
    guard !isSeen else { return .success }
    let telling = NoticeTelling(options.readSettings().notices, options.environment)
    let notice = try CommandError.from { () throws(HostError) in
      try telling.store.add(draft.stored)
    }
    await telling.tellAndWait(notice)
    return .success
  }
}
