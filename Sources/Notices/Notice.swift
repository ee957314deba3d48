package import FoundationEssentials

/// What a person is told: that something has happened, or that something waits for an answer.
package struct Notice: Hashable, Sendable {
  /// Its number in the store, which no other notice of the store ever has; from 1.
  package var id: Int
  /// When it was posted, by the clock of the machine.
  package var date: Date
  /// From when on it no longer waits; nil if it waits until somebody deals with it.
  package var expiry: Date?
  /// What it says.
  package var content: NoticeContent
  /// Whether it still waits.
  package var state: State

  /// Whether a notice waits for a person.
  package enum State: String, Sendable {
    /// Nobody has dealt with it.
    case waiting
    /// It was dismissed, acted on or seen, or it has expired.
    case earlier
  }
}

/// What a notice says, without what the store adds: number, date and state.
///
/// In JSON the members have the names of the properties.
package struct NoticeContent: Codable, Hashable, Sendable {
  /// Who has posted it, as people call it: `make`, `Mail`.
  package var application: String
  /// How it came.
  package var source: Source
  /// The machine that it comes from; nil for this one.
  package var host: String?
  /// One line.
  package var title: String
  /// Further lines; nil without any.
  package var body: String?
  /// How much it matters.
  package var urgency: Urgency
  /// A notice replaces an earlier one of the same application that has the same tag.
  package var tag: String?
  /// How much of something is done, 0 to 100.
  package var progress: Int?
  /// What can be done about it; the first one is the default.
  package var actions: [NoticeAction]?
  /// Whether it is kept no longer than it waits.
  package var isTransient: Bool?
  /// Whether it is of something that has not ended, of which a person is not told until it has.
  package var isOngoing: Bool?
  /// Its number and date on the machine that it comes from, by which it is known again; nil for this one.
  package var origin: String?

  /// How a notice came.
  package enum Source: String, Codable, Sendable {
    /// From `today post`.
    case post
    /// From a program of the desktop.
    case desktop
    /// From a widget.
    case widget
    /// From the program itself, or from another machine.
    case host
  }

  /// How much a notice matters.
  package enum Urgency: String, CaseIterable, Codable, Sendable {
    /// It no longer waits after an hour, unless it says when.
    case low
    case normal
    /// It waits until a person deals with it, however long that takes.
    case critical
  }

  /// Creates content with its application, source and title.
  package init(
    application: String,
    source: Source,
    title: String,
    body: String? = nil,
    urgency: Urgency = .normal
  ) {
    self.application = application
    self.source = source
    self.title = title
    self.body = body
    self.urgency = urgency
  }
}

/// Something that can be done about a notice.
package struct NoticeAction: Codable, Hashable, Sendable {
  /// What a person reads, and names it by.
  package var name: String
  /// What is opened; nil if nothing is.
  package var url: String?
  /// A program and its arguments.
  package var command: [String]?
  /// A pane of tmux, such as `%3`, to which the client goes.
  package var pane: String?
  /// The socket of the tmux that has the pane; nil for the default one.
  package var server: String?
  /// What a program of the desktop knows it by, which is told when it is chosen.
  package var key: String?

  /// Creates an action that does nothing but tell those who wait for it.
  package init(name: String) {
    self.name = name
  }
}

/// What became of a notice.
package enum NoticeChange: Hashable, Sendable {
  /// A person has dismissed it.
  case dismissed
  /// A person has chosen one of its actions.
  case acted(action: String)
  /// A person has seen it.
  case seen
  /// It waits again.
  case waiting
}
