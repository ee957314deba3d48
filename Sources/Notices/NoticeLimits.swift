import WidgetKitCore

/// The limits of one notice.
package enum NoticeLimits {
  /// The most bytes of a body, without the words that say how much was cut.
  package static let bodyBytes = 16 << 10
  /// The most bytes of a title, a name or a tag.
  package static let lineBytes = 1 << 10
  /// The most bytes of a URL, or of one argument of a command.
  static let urlBytes = 2 << 10
  /// The most actions.
  package static let actions = 16
  /// The most arguments of a command, with the program.
  static let arguments = 64
  /// The time after which a low one no longer waits, unless it says another one.
  static let lowSeconds = 3600.0
  /// The longest time that a notice can say that it waits: 30 years.
  static let longestSeconds = 1e9
  /// The most bytes that a journal can have and still be read: it is written anew when it has doubled.
  static let journalBytes = 256 << 20
  /// The most bytes that are kept when a journal is written anew.
  static let keptBytes = 64 << 20

  /// The first bytes of a text, up to a whole character.
  package static func cut(_ text: String, to byteLimit: Int) -> String {
    guard text.utf8.count > byteLimit else { return text }
    let bytes = Array(text.utf8.prefix(byteLimit))
    // A character has at most four bytes, so the text is whole three bytes before at the latest.
    for count in 0..<4 {
      if let whole = String(validating: bytes.dropLast(count), as: UTF8.self) { return whole }
    }
    return ""
  }
}

extension NoticeContent {
  /// The content within the limits.
  var limited: NoticeContent {
    var content = self
    content.application = Self.line(application)
    if content.application.isEmpty { content.application = source.rawValue }
    content.title = Self.line(title)
    content.host = host.map(Self.line)
    content.tag = tag.map { NoticeLimits.cut($0, to: NoticeLimits.lineBytes) }
    content.progress = progress.map { min(max($0, 0), 100) }
    content.body = body.flatMap { $0.isEmpty ? nil : $0 }.map(Self.body)
    content.actions = actions.flatMap { actions in
      actions.isEmpty ? nil : actions.prefix(NoticeLimits.actions).map(\.stored)
    }
    return content
  }

  /// A text without further lines.
  private static func line(_ text: String) -> String {
    NoticeLimits.cut(SafeText(text).onOneLine.string, to: NoticeLimits.lineBytes)
  }

  private static func body(_ text: String) -> String {
    let size = text.utf8.count
    guard size > NoticeLimits.bodyBytes else { return text }
    return NoticeLimits.cut(text, to: NoticeLimits.bodyBytes)
      + "\n… cut: the text has \(size) bytes, of which \(NoticeLimits.bodyBytes) are kept"
  }
}

extension NoticeAction {
  fileprivate var stored: NoticeAction {
    var action = self
    action.name = NoticeLimits.cut(SafeText(name).onOneLine.string, to: 200)
    action.url = url.flatMap { $0.utf8.count <= NoticeLimits.urlBytes ? $0 : nil }
    action.command = command.flatMap { arguments in
      let fits = arguments.allSatisfy { $0.utf8.count <= NoticeLimits.urlBytes }
      return fits && 1...NoticeLimits.arguments ~= arguments.count ? arguments : nil
    }
    action.pane = pane.flatMap { $0.utf8.count <= 32 ? $0 : nil }
    action.key = key.flatMap { $0.utf8.count <= NoticeLimits.lineBytes ? $0 : nil }
    action.server = server.flatMap { $0.utf8.count <= NoticeLimits.urlBytes ? $0 : nil }
    return action
  }
}
