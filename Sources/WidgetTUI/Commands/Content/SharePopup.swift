import CPlatform
import Glibc
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetRequests

/// The same command in a popup of tmux, zellij or kitty, where there is no terminal that a pane can be drawn on.
///
/// The program becomes a shell that keeps standard input in a file, runs the command in a popup, and then prints what
/// the command has printed, with its exit status. A popup that is closed before that has cancelled the command.
struct SharePopup {
  /// Set in a popup, in which no other one is opened.
  private static let variable = "TODAY_POPUP"

  private let program: PopupProgram
  private let arguments: [String]
  private let input: Input

  /// What the command in the popup has as standard input.
  enum Input {
    /// The command does not read it.
    case unread
    /// The terminal of the popup, which the command has for itself.
    case terminal
    /// That of this command, which has read nothing of it.
    case standardInput
    /// What this command has read of it.
    ///
    /// If it is given back, it is printed as it was if the popup was closed before an end.
    case content(RequestSpool, isGivenBack: Bool)

    /// The word for it in the script.
    fileprivate var word: String {
      switch self {
      case .unread: "unread"
      case .terminal: "terminal"
      case .standardInput, .content(_, isGivenBack: false): "read"
      case .content(_, isGivenBack: true): "givenBack"
      }
    }
  }

  /// The popup of a command; nil where no program opens one, and in a popup.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of the program, with its name.
  ///   - input: What becomes of standard input.
  ///   - environment: The environment of the user.
  private init?(_ arguments: [String], input: Input, environment: [String: String]) {
    guard environment[Self.variable] == nil,
      let program = PopupProgram(environment: environment)
    else { return nil }
    self.program = program
    // The page in a popup is a page as any other; a command that asks there looks for a terminal.
    if case .terminal = input {
      self.arguments = arguments
    } else {
      self.arguments = arguments.filter { $0 != "--popup" }
    }
    self.input = input
  }

  /// Shows the page in a popup, for which the program becomes a shell; in a popup it does nothing.
  ///
  /// - Throws: ``CommandError`` if none can be opened.
  static func openPage(environment: [String: String]) throws(CommandError) {
    guard environment[variable] == nil else { return }
    guard
      let popup = SharePopup(HostProcess.arguments(), input: .terminal, environment: environment)
    else {
      throw .unavailable(
        "there is no \(PopupProgram.names) to open a popup in; use today without --popup"
      )
    }
    try popup.open()
  }

  /// Where a person is asked: on the terminal, else in a popup, for which the program becomes a shell.
  ///
  /// - Parameters:
  ///   - command: The name of the command.
  ///   - isRequested: Whether the user wants a popup although there is a terminal.
  ///   - input: What becomes of standard input in a popup.
  ///   - environment: The environment of the user.
  ///   - settings: How the terminal is drawn on.
  /// - Returns: The pane on the terminal; nil if there is neither a terminal nor a popup.
  /// - Throws: ``CommandError`` if the popup cannot be opened that the user wants.
  static func pane(
    of command: String,
    isRequested: Bool,
    input: Input,
    environment: [String: String],
    settings: ScreenSettings
  ) throws(CommandError) -> SharePane? {
    if !isRequested, let pane = SharePane(environment: environment, settings: settings) {
      return pane
    }
    if let popup = SharePopup(HostProcess.arguments(), input: input, environment: environment) {
      try popup.open()
    }
    guard !isRequested else {
      throw .unavailable(
        "there is no \(PopupProgram.names) to open a popup in; use \(command) without --popup"
      )
    }
    return nil
  }

  /// Becomes the shell.
  ///
  /// - Throws: ``CommandError`` if there is no shell, or its input is the terminal.
  private func open() throws(CommandError) -> Never {
    switch input {
    case .unread, .terminal: break
    case .standardInput: try StandardInput.check()
    case .content(let content, _):
      let number = try CommandError.from { () throws(HostError) in try content.openForReading() }
      dup2(number, STDIN_FILENO)
      close(number)
    }
    let program = "/proc/self/exe"
    let path = resolvedPath(program) ?? program
    let script = "\(Self.beginning)\n\(self.program.opening)\n\(Self.ending)"
    let words = ["sh", "-c", script, input.word, path] + arguments.dropFirst()
    let pointers = unsafe words.map { unsafe UnsafePointer<CChar>(strdup($0)) }
    let failure = unsafe (pointers + [nil]).withUnsafeBufferPointer { list in
      unsafe list.baseAddress.map { unsafe platform_become($0, -1) } ?? EINVAL
    }
    throw .unavailable("sh: \(unsafe String(cString: strerror(failure)))")
  }

  // Content that is given back is a file, which is read from its beginning where it is opened again.
  private static let beginning = #"""
    quote() { printf "'%s' " "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"; }
    give_back() { if [ "$0" = givenBack ]; then cat </proc/self/fd/0; fi; }
    fail() { give_back; echo "today: $2" >&2; exit "$1"; }
    leave() {
      for child in $timer $watch; do kill "$child"; done
      if [ -s "$folder/popup" ]; then
        popup=$(cat "$folder/popup")
        kill -s HUP -- "-$popup" || kill -s HUP "$popup"
      fi
      rm -rf "$folder"
    } 2>/dev/null
    # Waits for the beginning of the popup, which writes a line, and for its end: it has the other end of the pipe as long
    # as it runs.
    await() {
      timeout 10 sh -c 'read -r line' <&8 >/dev/null 2>&1 &
      timer=$!
      wait "$timer"
      timer=
      [ -s "$folder/popup" ] || fail 69 "$1 has begun no popup in 10 s"
      wait "$watch"
      watch=
    }
    """#

  // The variables that say which terminal it is are those of the popup. The command does not have its end of the pipe, so
  // that what it leaves running does not count as the popup.
  private static let ending = #"""
    timer=
    watch=
    trap 'give_back; exit 130' HUP INT TERM
    folder=$(mktemp -d "${TMPDIR:-/var/tmp}/today.XXXXXX" 2>/dev/null) ||
      fail 1 "could not make a folder in ${TMPDIR:-/var/tmp}"
    trap leave EXIT
    case $0 in unread|terminal) ;; *) cat ;; esac >"$folder/input" 2>/dev/null ||
      fail 1 "could not write the input to $folder"
    {
      printf 'exec 9<>'
      quote "$folder/pipe"
      printf '\necho $$ >'
      quote "$folder/popup"
      printf '\necho 1<>'
      quote "$folder/begun"
      printf '\nset -- "${TERM-}" "${TERMINFO-}" "${COLORTERM-}"\n'
      export -p
      printf 'export TERM="$1" TERMINFO="$2" COLORTERM="$3" TODAY_POPUP=1\n'
      printf '[ -n "$2" ] || unset TERMINFO\n[ -n "$3" ] || unset COLORTERM\ncd '
      quote "$PWD"
      printf '\n'
      for word in "$@"; do quote "$word"; done
      printf '9>&- '
      if [ "$0" != terminal ]; then
        printf '<'
        quote "$folder/input"
        printf '>'
        quote "$folder/output"
        printf '2>'
        quote "$folder/errors"
      fi
      # A command that was hung up was closed with its popup, even if its shell lives a moment longer.
      printf '\nended=$?\n[ "$ended" = 129 ] || echo "$ended" >'
      quote "$folder/status"
      printf '\n'
    } >"$folder/run" 2>/dev/null && mkfifo "$folder/pipe" "$folder/begun" || fail 1 "could not write to $folder"
    # What is written there is kept for `await` as long as it is open.
    exec 8<>"$folder/begun"
    cat "$folder/pipe" >/dev/null 2>&1 &
    watch=$!
    open_popup
    # Its number may be that of another process now.
    rm -f "$folder/popup"
    if [ -s "$folder/status" ]; then
      trap 'exit 130' HUP INT TERM
      if [ -f "$folder/output" ]; then cat "$folder/output"; fi
      if [ -f "$folder/errors" ]; then cat "$folder/errors" >&2; fi
      exit "$(cat "$folder/status")"
    fi
    give_back
    if [ -f "$folder/errors" ]; then cat "$folder/errors" >&2; fi
    exit 130
    """#
}
