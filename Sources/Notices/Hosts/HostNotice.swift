import FoundationEssentials
import WidgetKitCore

/// A notice of another machine, as `today notices --follow --json` prints it there.
///
/// All of it comes from the other side, which may be hostile: only what is known is read, and nothing of it is run here.
struct HostNotice: Hashable {
  /// Its number and its date there, which no other notice of the machine has.
  var origin: Origin
  /// When it expires there.
  var expiry: Date?
  var isWaiting: Bool
  /// The action that was chosen there.
  var acted: String?
  /// What it says, with the machine as its host.
  var content: NoticeContent

  /// What identifies a notice of another machine: numbers begin again there if its journal was removed.
  struct Origin: Hashable {
    var id: Int
    var date: Date

    /// As text: `42 2026-11-28T07:04:53Z`.
    var text: String { "\(id) \(NoticeTime.text(date))" }

    init(id: Int, date: Date) {
      (self.id, self.date) = (id, date)
    }

    /// Reads the text; nil if it is none.
    init?(_ text: String) {
      let parts = text.split(separator: " ", omittingEmptySubsequences: false)
      guard parts.count == 2, let id = Int(parts[0]), 1..<JournalLine.sequenceLimit ~= id,
        let moment = InternetDate(String(parts[1]))
      else { return nil }
      self.init(id: id, date: moment.date)
    }
  }

  /// A line as it comes.
  private struct Line: Decodable {
    var id, date, state, application, title: String
    var expires, acted, host, body, urgency, tag: String?
    var progress: Int?
    var actions: [Action]?
    var isTransient, isOngoing: Bool?
  }

  private struct Action: Decodable {
    var name: String
    var url: String?
  }

  /// The schemes of addresses that are the same on every machine.
  private static let schemes = ["https:", "http:", "mailto:"]

  private static func isOfAnyMachine(_ url: String) -> Bool {
    schemes.contains { url.lowercased().hasPrefix($0) }
  }

  /// Reads a line; nil if it is none, or if the notice is of a third machine, which tells of it itself.
  init?(_ line: ArraySlice<UInt8>, host: String) {
    guard let line = try? JSONDocumentDecoder().decode(Line.self, from: line), line.host == nil,
      let origin = Origin("\(line.id) \(line.date)")
    else { return nil }
    self.origin = origin
    expiry = line.expires.flatMap { InternetDate($0)?.date }
    isWaiting = line.state == Notice.State.waiting.rawValue
    acted = line.acted
    content = NoticeContent(
      application: line.application,
      source: .host,
      title: line.title,
      body: line.body,
      urgency: line.urgency.flatMap(NoticeContent.Urgency.init) ?? .normal
    )
    content.host = host
    content.tag = line.tag
    content.progress = line.progress
    content.isTransient = line.isTransient
    content.isOngoing = line.isOngoing
    content.origin = origin.text
    // Commands, panes and files are those of the other machine.
    let links = (line.actions ?? []).filter { $0.url.map(Self.isOfAnyMachine) ?? false }
    content.actions =
      links.isEmpty
      ? nil
      : links.map { link in
        var action = NoticeAction(name: link.name)
        action.url = link.url
        return action
      }
  }
}
