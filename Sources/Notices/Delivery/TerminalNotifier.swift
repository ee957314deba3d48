import FoundationEssentials
import WidgetKitCore

/// A sequence with which a terminal shows a notification of the desktop.
///
/// No text of a notice can end its sequence or begin another one: in OSC 99 it is Base64, and in the others it has no
/// control characters. Bytes beyond the limits are left out, as terminals drop sequences that are too long.
package enum TerminalNotifier: String, CaseIterable, Hashable, Sendable {
  /// That of kitty (kitty, “Desktop notifications”), which foot has too.
  case osc99
  /// That of urxvt: `notify`, a title and a body.
  case osc777
  /// That of iTerm2: a text.
  case osc9

  private static let titleBytes = 200
  private static let bodyBytes = 800

  /// The bytes that show a notice.
  package func bytes(for notice: Notice) -> [UInt8] {
    let text =
      switch self {
      case .osc99: Self.kitty(notice)
      case .osc777: Self.urxvt(notice)
      case .osc9: Self.iTerm(notice)
      }
    return Array(text.utf8)
  }

  /// The bytes that let a tmux pass bytes on to its terminal (tmux(1), allow-passthrough).
  package static func throughTmux(_ bytes: [UInt8]) -> [UInt8] {
    let doubled = bytes.flatMap { $0 == 0x1B ? [0x1B, 0x1B] : [$0] }
    return Array("\u{1B}Ptmux;".utf8) + doubled + Array("\u{1B}\\".utf8)
  }

  // MARK: - The sequences

  private static func kitty(_ notice: Notice) -> String {
    let content = notice.content
    // A later one with the same identifier takes the place of the first.
    let identifier =
      content.tagHash.map { "today-t\(String($0, radix: 36))" } ?? "today-\(notice.id)"
    let urgency =
      switch content.urgency {
      case .low: "0:s=\(base64("silent"))"
      case .normal: "1"
      case .critical: "2"
      }
    let common = "i=\(identifier):e=1"
    let body = content.body.map { cut($0, to: bodyBytes) } ?? ""
    let title = base64(cut(content.title, to: titleBytes))
    let head =
      "\(common):d=\(body.isEmpty ? 1 : 0):a=focus:u=\(urgency):f=\(base64(name(of: content)));\(title)"
    let tail = body.isEmpty ? "" : sequence("99;\(common):d=1:p=body;\(base64(body))")
    return sequence("99;\(head)") + tail
  }

  private static func urxvt(_ notice: Notice) -> String {
    let content = notice.content
    let body = line(content.body ?? "", to: bodyBytes)
    let (name, title) = (name(of: content), line(content.title, to: titleBytes))
    let parts = body.isEmpty ? [name, title] : ["\(name): \(title)", body]
    return sequence("777;notify;" + parts.map(withoutSemicolons).joined(separator: ";"))
  }

  private static func iTerm(_ notice: Notice) -> String {
    let content = notice.content
    let body = line(content.body ?? "", to: bodyBytes)
    let text = "\(name(of: content)): \(line(content.title, to: titleBytes))"
    // A number with a semicolon at the beginning is something else in some terminals, such as a progress.
    return sequence("9;" + withoutSemicolons(body.isEmpty ? text : "\(text): \(body)"))
  }

  private static func sequence(_ text: String) -> String { "\u{1B}]\(text)\u{1B}\\" }

  private static func name(of content: NoticeContent) -> String {
    line(content.application, to: titleBytes)
  }

  private static func withoutSemicolons(_ text: String) -> String {
    text.replacing(";", with: ",")
  }

  private static func line(_ text: String, to byteLimit: Int) -> String {
    cut(SafeText(text).onOneLine.string, to: byteLimit)
  }

  /// The beginning of a text without control characters except line feeds.
  private static func cut(_ text: String, to byteLimit: Int) -> String {
    // Before it is cleaned, so that a text of megabytes takes no time; cleaning may make it longer.
    let clean = SafeText(NoticeLimits.cut(text, to: byteLimit)).string
    let cut = NoticeLimits.cut(clean, to: byteLimit)
    return text.utf8.count > byteLimit || cut.utf8.count < clean.utf8.count ? cut + "…" : cut
  }

  private static func base64(_ text: String) -> String {
    Data(text.utf8).base64EncodedString()
  }
}
