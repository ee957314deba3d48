public import FoundationEssentials

/// Posts a notice in the name of the widget's app: that something has happened, or waits for an answer.
///
/// `{"jsonrpc":"2.0","id":"n","method":"postNotice","params":{"title":"Build 4711 failed","urgency":"critical",
/// "actions":[{"name":"Log","url":"https://ci.example.com/4711"}]}}`
public struct PostNoticeRequest: RequestMessage, Hashable {
  /// The method is `postNotice`.
  public static let method = "postNotice"

  /// The notice.
  public var notice: PostedNotice

  /// Creates the request.
  public init(_ notice: PostedNotice) {
    self.notice = notice
  }

  /// Reads the request, whose members are those of the notice.
  public init(from decoder: any Decoder) throws {
    notice = try PostedNotice(from: decoder)
  }

  /// Writes the request.
  public func encode(to encoder: any Encoder) throws {
    try notice.encode(to: encoder)
  }

  /// The notice as it was stored.
  public struct Reply: Codable, Hashable, Sendable {
    /// Its number, which no other notice ever has.
    public var id: String

    /// Creates the reply.
    public init(id: String) {
      self.id = id
    }
  }
}

/// What a widget posts.
public struct PostedNotice: Codable, Hashable, Sendable {
  /// One line.
  public var title: String
  /// Further lines; at most 16 KiB are kept.
  public var body: String?
  /// How much it matters; nil is ``NoticeUrgency/normal``.
  public var urgency: NoticeUrgency?
  /// The notice takes the place of the last one of the app with this tag.
  public var tag: String?
  /// How much of something is done, 0 to 100.
  public var progress: Int?
  /// What can be done about it; the first one is the default.
  public var actions: [UserNotice.Action]?
  /// The seconds after which it no longer waits; nil if it waits until somebody deals with it.
  public var expiresAfter: Double?

  /// Creates a notice.
  public init(
    _ title: String,
    body: String? = nil,
    urgency: NoticeUrgency? = nil,
    tag: String? = nil,
    progress: Int? = nil,
    actions: [UserNotice.Action]? = nil,
    expiresAfter: Duration? = nil
  ) {
    self.title = title
    self.body = body
    self.urgency = urgency
    self.tag = tag
    self.progress = progress
    self.actions = actions
    self.expiresAfter = expiresAfter.map { $0 / .seconds(1) }
  }
}

/// How much a notice matters.
public enum NoticeUrgency: String, CaseIterable, Codable, Hashable, Sendable {
  /// It no longer waits after an hour, unless it says when.
  case low
  /// It waits until somebody deals with it.
  case normal
  /// It is above all others, and waits until somebody deals with it, whatever it says.
  case critical

  /// Reads the word.
  public init(from decoder: any Decoder) throws {
    self = try WireWord.read(Self.self, from: decoder)
  }
}

/// Reads the notices of the user; the widget needs `org.today.notices`, and gets `noticesDidChange` from then on.
///
/// `{"jsonrpc":"2.0","id":"o","method":"readNotices","params":{"waiting":true}}`
public struct ReadNoticesRequest: RequestMessage, Hashable {
  /// The method is `readNotices`.
  public static let method = "readNotices"

  /// Only those that were posted then or later; nil for all.
  public var since: Date?
  /// Whether only those that wait are read; nil is false.
  public var waiting: Bool?
  /// The applications, without regard to upper and lower case; nil or empty for all.
  public var applications: [String]?

  /// Creates the request.
  public init(since: Date? = nil, waiting: Bool? = nil, applications: [String]? = nil) {
    (self.since, self.waiting, self.applications) = (since, waiting, applications)
  }

  private enum CodingKeys: String, CodingKey {
    case since, waiting, applications
  }

  /// Reads the request; the date is RFC 3339.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if container.contains(.since), try !container.decodeNil(forKey: .since) {
      since = try container.decodeInternetDate(forKey: .since)
    }
    waiting = try container.decodeIfPresent(Bool.self, forKey: .waiting)
    applications = try container.decodeIfPresent([String].self, forKey: .applications)
  }

  /// Writes the request.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if let since { try container.encodeInternetDate(since, forKey: .since) }
    try container.encodeIfPresent(waiting, forKey: .waiting)
    try container.encodeIfPresent(applications, forKey: .applications)
  }

  /// The notices.
  public struct Reply: Codable, Hashable, Sendable {
    /// Critical ones that wait, the others that wait, and earlier ones; each the newest first.
    ///
    /// The host leaves out what an answer has no room for, from the end.
    public var notices: [UserNotice]

    /// Creates the reply.
    public init(notices: [UserNotice]) {
      self.notices = notices
    }
  }
}

/// A notice as `readNotices` has it.
public struct UserNotice: Hashable, Sendable {
  /// Its number.
  public var id: String
  /// When it was posted.
  public var date: Date
  /// Who has posted it, as people call it: `make`, `Mail`.
  public var application: String
  /// How it came: `post`, `desktop`, `widget` or `host`.
  public var source: String
  /// The machine that it comes from; nil for this one.
  public var host: String?
  /// One line.
  public var title: String
  /// Further lines; nil without any.
  public var body: String?
  /// How much it matters.
  public var urgency: NoticeUrgency
  /// What a later one has in common that takes its place.
  public var tag: String?
  /// How much of something is done, 0 to 100.
  public var progress: Int?
  /// What can be done about it; the first one is the default.
  public var actions: [UserNotice.Action]?
  /// Whether it still waits.
  public var state: State

  /// Something that can be done about a notice.
  public struct Action: Codable, Hashable, Sendable {
    /// What a person reads, and what `performNoticeAction` names.
    public var name: String
    /// What is opened; nil if it is something else, or nothing but an answer.
    public var url: String?

    /// Creates an action.
    public init(_ name: String, url: String? = nil) {
      (self.name, self.url) = (name, url)
    }
  }

  /// Whether a notice waits for a person.
  public enum State: String, CaseIterable, Codable, Hashable, Sendable {
    /// Nobody has dealt with it.
    case waiting
    /// It was dismissed, acted on or seen, or has expired.
    case earlier
  }

  /// Creates a notice.
  public init(
    id: String,
    date: Date,
    application: String,
    source: String = "post",
    title: String,
    urgency: NoticeUrgency = .normal,
    state: State = .waiting
  ) {
    self.id = id
    self.date = date
    self.application = application
    self.source = source
    self.title = title
    self.urgency = urgency
    self.state = state
  }
}

extension UserNotice: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, date, application, source, host, title, body, urgency, tag, progress, actions, state
  }

  /// Reads a notice; the date is RFC 3339.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(String.self, forKey: .id)
    date = try container.decodeInternetDate(forKey: .date)
    application = try container.decode(String.self, forKey: .application)
    source = try container.decode(String.self, forKey: .source)
    host = try container.decodeIfPresent(String.self, forKey: .host)
    title = try container.decode(String.self, forKey: .title)
    body = try container.decodeIfPresent(String.self, forKey: .body)
    urgency = try container.decode(NoticeUrgency.self, forKey: .urgency)
    tag = try container.decodeIfPresent(String.self, forKey: .tag)
    progress = try container.decodeIfPresent(Int.self, forKey: .progress)
    actions = try container.decodeIfPresent([Action].self, forKey: .actions)
    state = try container.decode(State.self, forKey: .state)
  }

  /// Writes the notice.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encodeInternetDate(date, forKey: .date)
    try container.encode(application, forKey: .application)
    try container.encode(source, forKey: .source)
    try container.encodeIfPresent(host, forKey: .host)
    try container.encode(title, forKey: .title)
    try container.encodeIfPresent(body, forKey: .body)
    try container.encode(urgency, forKey: .urgency)
    try container.encodeIfPresent(tag, forKey: .tag)
    try container.encodeIfPresent(progress, forKey: .progress)
    try container.encodeIfPresent(actions, forKey: .actions)
    try container.encode(state, forKey: .state)
  }
}

/// Notices have come, or something became of one; at most 10 a second are sent.
///
/// `{"jsonrpc":"2.0","method":"noticesDidChange","params":{}}`
public struct NoticesDidChangeNotification: NotificationMessage, Hashable {
  /// The method is `noticesDidChange`.
  public static let method = "noticesDidChange"
  /// Creates it.
  public init() {}
}

/// Puts a notice among the earlier ones; the widget needs `org.today.notices`.
///
/// `{"jsonrpc":"2.0","id":"p","method":"dismissNotice","params":{"id":"42"}}`
public struct DismissNoticeRequest: RequestMessage, Hashable {
  /// The method is `dismissNotice`.
  public static let method = "dismissNotice"
  /// Nothing.
  public typealias Reply = NoMembers

  /// The number of the notice.
  public var id: String

  /// Creates the request.
  public init(id: String) {
    self.id = id
  }
}

/// Does what an action of a notice offers; the widget needs `org.today.notices`, and a press on its card within the
/// last 10 s.
///
/// `{"jsonrpc":"2.0","id":"q","method":"performNoticeAction","params":{"id":"42","name":"Log"}}`
public struct PerformNoticeActionRequest: RequestMessage, Hashable {
  /// The method is `performNoticeAction`.
  public static let method = "performNoticeAction"
  /// Nothing.
  public typealias Reply = NoMembers

  /// The number of the notice.
  public var id: String
  /// The name of the action.
  public var name: String

  /// Creates the request.
  public init(id: String, name: String) {
    (self.id, self.name) = (id, name)
  }
}
