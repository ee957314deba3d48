import CPlatform
import Glibc
import WidgetKitCore

/// The same command in a popup of tmux, where there is no terminal that a pane can be drawn on.
///
/// The program becomes a shell that keeps standard input in a file, runs the command in a popup, and then prints what
/// the command has printed, with its exit status.
struct SharePopup {
  /// Set in a popup, in which no other one is opened.
  private static let variable = "TODAY_POPUP"

  private let arguments: [String]
  private let input: Input

  /// What becomes of standard input.
  enum Input: String {
    /// The command does not read it.
    case unread
    case read
    /// It is printed as it was, if the popup was closed before an end.
    case givenBack
  }

  /// The popup of a command; nil outside of tmux, and in a popup.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of the program, with its name.
  ///   - input: What becomes of standard input.
  ///   - environment: The environment of the user.
  init?(_ arguments: [String], input: Input, environment: [String: String]) {
    guard environment["TMUX"]?.isEmpty == false, environment[Self.variable] == nil else {
      return nil
    }
    self.arguments = arguments.filter { $0 != "--popup" }
    self.input = input
  }

  /// Becomes the shell.
  ///
  /// - Throws: ``CommandError`` if there is no shell.
  func open() throws(CommandError) -> Never {
    let program = "/proc/self/exe"
    let path = resolvedPath(program) ?? program
    let words = ["sh", "-c", Self.script, input.rawValue, path] + arguments.dropFirst()
    let pointers = unsafe words.map { unsafe UnsafePointer<CChar>(strdup($0)) }
    let failure = unsafe (pointers + [nil]).withUnsafeBufferPointer { list in
      unsafe list.baseAddress.map { unsafe platform_become($0, -1) } ?? EINVAL
    }
    throw .unavailable("sh: \(unsafe String(cString: strerror(failure)))")
  }

  private static let script = #"""
    quote() { printf "'%s' " "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"; }
    folder=$(mktemp -d "${TMPDIR:-/var/tmp}/today.XXXXXX") || exit 1
    trap 'rm -rf "$folder"' EXIT
    trap 'exit 130' HUP INT TERM
    if [ "$0" != unread ]; then cat; fi >"$folder/input"
    give_back() { if [ "$0" = givenBack ]; then cat "$folder/input"; fi; }
    {
      export -p
      printf 'export TODAY_POPUP=1\ncd '
      quote "$PWD"
      printf '\n'
      for word in "$@"; do quote "$word"; done
      printf '<'
      quote "$folder/input"
      printf '>'
      quote "$folder/output"
      printf '2>'
      quote "$folder/errors"
      printf '\necho $? >'
      quote "$folder/status"
      printf '\n'
    } >"$folder/run"
    tmux display-popup -E -w 90% -h 80% "sh $(quote "$folder/run")" || {
      give_back
      echo "today: tmux has opened no popup" >&2
      exit 69
    }
    if [ -s "$folder/status" ] && [ -f "$folder/output" ]; then cat "$folder/output"; fi
    if [ -f "$folder/errors" ]; then cat "$folder/errors" >&2; fi
    if [ -s "$folder/status" ]; then exit "$(cat "$folder/status")"; fi
    give_back
    exit 130
    """#
}
