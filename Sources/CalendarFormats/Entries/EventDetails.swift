/// What an entry says besides its time: where it is, what about, where a meeting is joined, and when to announce it.
public struct EventDetails: Hashable, Sendable {
  /// The properties that are read.
  static let names: Set<String> = [
    "LOCATION", "DESCRIPTION", "URL", "CONFERENCE", "X-GOOGLE-CONFERENCE",
    "X-MICROSOFT-SKYPETEAMSMEETINGURL",
  ]

  private static let placeLimit = 200
  private static let notesLimit = 400
  private static let linkBytes = 2048
  /// The servers of meetings, with the beginning of the path where not every page is one.
  private static let meetings = [
    "zoom.us/", "zoomgov.com/", "meet.google.com/", "teams.microsoft.com/l/meetup-join",
    "teams.microsoft.com/meet", "teams.live.com/meet", "webex.com/", "meet.jit.si/", "whereby.com/",
    "gotomeeting.com/join", "meet.goto.com/", "chime.aws/", "bluejeans.com/", "meet.proton.me/",
    "8x8.vc/", "join.skype.com/", "meet.lync.com/", "app.slack.com/huddle/", "discord.gg/",
    "facetime.apple.com/join", "v.ringcentral.com/join", "meetings.ringcentral.com/",
    "meetings.dialpad.com/", "meeting.zoho.com/", "meeting.zoho.eu/", "call.lifesizecloud.com/",
    "daily.co/", "meeting.tencent.com/", "voovmeeting.com/", "vc.feishu.cn/j/",
    "vc.larksuite.com/j/", "talky.io/",
  ]
  /// The first part of the names of servers that people run for meetings of their own.
  private static let ownServers: Set<Substring> = [
    "meet", "jitsi", "bbb", "bigbluebutton", "visio",
  ]

  /// Where it is; empty if that is not said.
  public private(set) var place = ""
  /// What it is about, in one line and without addresses; empty if that is not said.
  public private(set) var notes = ""
  /// Where its meeting is joined.
  public private(set) var meeting: String?
  /// When it asks to be announced; nil if it does not say.
  public internal(set) var alarms: [EventAlarm]?

  /// Creates details that say nothing.
  public init() {}

  /// Takes a property; one that is none of ``names`` changes nothing.
  mutating func take(_ line: ContentLine) {
    let words = PropertyReader.unescaped(line.value)
    switch line.name {
    case "LOCATION": place = Self.line(words, Self.placeLimit)
    case "DESCRIPTION": notes = Self.line(words, Self.notesLimit)
    case "CONFERENCE", "X-GOOGLE-CONFERENCE", "X-MICROSOFT-SKYPETEAMSMEETINGURL":
      // That is where a meeting is, on whichever server.
      if let link = Self.links(in: words).first { meeting = link }
      return
    case "URL": break
    default: return
    }
    meeting = meeting ?? Self.links(in: words).first(where: Self.isMeeting)
  }

  private static func line(_ text: String, _ limit: Int) -> String {
    // Descriptions of some programs are HTML.
    var words = ""
    var isTag = false
    for character in text.prefix(8 * limit) {
      switch character {
      case "<": isTag = true
      case ">" where isTag:
        isTag = false
        words.append(" ")
      default: if !isTag { words.append(character) }
      }
    }
    if isTag { words = String(text.prefix(limit)) }
    // An address that fills the line says nothing to a reader.
    let shown = words.split(whereSeparator: \.isWhitespace).filter { !$0.hasPrefix("https://") }
    // A character can have any number of marks.
    return String(shown.joined(separator: " ").prefix(limit)).cut(toBytes: 4 * limit)
  }

  /// The addresses of HTTPS in a text.
  private static func links(in text: String) -> [String] {
    let ends: Set<Character> = ["\"", "<", ">", "'", ")", "]"]
    return text.split { $0.isWhitespace || ends.contains($0) }.compactMap { word in
      guard let start = word.firstRange(of: "https://") else { return nil }
      let link = word[start.lowerBound...].reversed().drop { ".,;".contains($0) }.reversed()
      return link.count > 8 && link.count <= linkBytes ? String(link) : nil
    }
  }

  private static func isMeeting(_ link: String) -> Bool {
    let rest = link.dropFirst("https://".count).lowercased()
    let host = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    guard !host.contains("@"), rest.count > host.count + 1 else { return false }
    if ownServers.contains(host.prefix { $0 != "." }), host.split(separator: ".").count > 2 {
      return true
    }
    return meetings.contains { meeting in
      let server = meeting.prefix { $0 != "/" }
      guard host == server || host.hasSuffix("." + server) else { return false }
      return rest.dropFirst(host.count).hasPrefix(meeting.dropFirst(server.count))
    }
  }
}
