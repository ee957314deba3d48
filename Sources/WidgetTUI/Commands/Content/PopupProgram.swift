import WidgetKitCore

/// A program that shows terminals, and opens a popup for a command.
enum PopupProgram: String, CaseIterable {
  case tmux, zellij, kitty

  /// The one in which a process runs; nil if there is none.
  ///
  /// In several of them it is the innermost that is usual: tmux and zellij run in a window of kitty.
  ///
  /// - Parameter environment: The environment of the process.
  init?(environment: [String: String]) {
    let found = Self.allCases.first { program in
      guard let value = environment[program.variable], !value.isEmpty else { return false }
      // Its number is in an expression that finds the window.
      return program != .kitty || value.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
    guard let found else { return nil }
    self = found
  }

  /// The variable that the program sets in its terminals.
  private var variable: String {
    switch self {
    case .tmux: "TMUX"
    case .zellij: "ZELLIJ"
    case .kitty: "KITTY_WINDOW_ID"
    }
  }

  /// The names of all of them, as in a sentence.
  static let names: String = "tmux, zellij or kitty"

  /// The function of a shell that opens a popup, in which `sh` runs the file `$folder/run`.
  ///
  /// tmux waits for the end of the popup. The others do not, so it is awaited by `await`.
  var opening: String {
    switch self {
    case .tmux:
      #"""
      open_popup() {
        tmux display-popup -E -w 90% -h 80% "sh $(quote "$folder/run")" || fail 69 "tmux has opened no popup"
      }
      """#
    case .zellij:
      // It prints the identifier of the pane.
      #"""
      open_popup() {
        zellij run --floating --close-on-exit --name today --width 90% --height 80% -x 5% -y 10% \
          -- sh "$folder/run" >/dev/null </dev/null ||
          fail 69 "zellij has opened no popup; it needs zellij 0.40 or newer in PATH"
        await zellij
      }
      """#
    case .kitty:
      // Before version 0.27 there is no kitten. The current folder of a window with kitten ssh is on the other machine,
      // where the command is run, too.
      #"""
      open_popup() {
        setting='“allow_remote_control yes” in kitty.conf'
        if [ -z "${KITTY_LISTEN_ON-}" ] && ! (: </dev/tty) 2>/dev/null; then
          fail 69 "there is no terminal to ask kitty for a popup from; it needs $setting, and “listen_on unix:@kitty”"
        fi
        kitten=kitty
        if command -v kitten >/dev/null; then kitten=kitten; fi
        command -v "$kitten" >/dev/null || fail 69 "there is no kitten in PATH to open a popup of kitty with"
        "$kitten" @ ${KITTY_LISTEN_ON:+--to "$KITTY_LISTEN_ON"} launch --type=overlay --cwd=current --title=today --match="window_id:$KITTY_WINDOW_ID" \
          -- sh "$folder/run" >/dev/null </dev/null ||
          fail 69 "kitty has opened no popup; it needs $setting"
        await kitty
      }
      """#
    }
  }
}
