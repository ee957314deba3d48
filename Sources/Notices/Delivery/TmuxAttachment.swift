import Glibc
import WidgetPlatform

/// The command with which a person shows a session or a pane of tmux in another terminal.
package enum TmuxAttachment {
  /// The command as a person types it.
  ///
  /// - Parameters:
  ///   - target: The session or the pane.
  ///   - socket: The socket of the tmux; nil for the default one.
  ///   - user: The number of the user.
  /// - Returns: The words, with a name instead of the path where tmux finds it by that.
  package static func command(
    to target: String,
    on socket: String?,
    user: UInt32 = getuid()
  ) -> String {
    let folder = "/tmp/tmux-\(user)/"
    var words = ["tmux"]
    if let socket {
      let name = socket.hasPrefix(folder) ? String(socket.dropFirst(folder.count)) : ""
      if name.isEmpty || name.contains("/") {
        words += ["-S", socket]
      } else if name != "default" {
        words += ["-L", name]
      }
    }
    return (words + ["attach", "-t", target]).map(ShellWord.readable).joined(separator: " ")
  }
}
