import WidgetKitCore
package import WidgetPlatform

/// A notification that `notify-send` shows on the desktop.
package struct NotifySendCall {
  /// The hint that marks it as one of a notice that is stored: with this name, the number of the notice.
  ///
  /// Who stores the notifications of the desktop leaves those out that have it.
  package static let hint = "x-today-id"

  private let notice: Notice
  private let program: String
  private let environment: [String: String]

  private static let titleLimit = 200
  private static let bodyLimit = 500

  /// Nil without `notify-send`, or without a session that could show it.
  package init?(_ notice: Notice, environment: [String: String]) {
    let hasSession = [SessionBus.variable, "XDG_RUNTIME_DIR"].contains {
      environment[$0]?.isEmpty == false
    }
    guard hasSession, let program = ToolSearch.path(of: "notify-send", in: environment) else {
      return nil
    }
    (self.notice, self.program, self.environment) = (notice, program, environment)
  }

  /// The program that shows it.
  ///
  /// - Parameter action: The words of its press, which it then waits for; nil if it cannot be pressed.
  /// - Returns: The program with its arguments.
  package func launch(action: String? = nil) -> LaunchDescription {
    let content = notice.content
    var arguments = [
      "--app-name=\(Self.line(content.application))", "--urgency=\(content.urgency.rawValue)",
      "--hint=string:\(Self.hint):\(notice.id)",
    ]
    if let action { arguments.append("--action=default=\(Self.line(action))") }
    let body = Self.plain(String((content.body ?? "").prefix(Self.bodyLimit)))
    arguments += ["--", Self.line(content.title)] + (body.isEmpty ? [] : [body])
    return LaunchDescription(program: program, arguments: arguments, environment: environment)
  }

  private static func line(_ text: String) -> String {
    SafeText(String(text.prefix(titleLimit))).onOneLine.string
  }

  /// A text for the body, which may have markup.
  ///
  /// A widget could make links and pictures of other machines with it (Desktop Notifications Specification). The
  /// title has none. `notify-send` reads escapes of C in the body, also those of the characters that are replaced here.
  private static func plain(_ text: String) -> String {
    SafeText(text).string.replacing("\\", with: "\\\\").replacing("&", with: "&amp;").replacing(
      "<",
      with: "&lt;"
    )
    .replacing(">", with: "&gt;")
  }
}
