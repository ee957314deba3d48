/// A way in which a person is told of a notice.
public enum NoticeWay: String, CaseIterable, Hashable, Sendable {
  /// A sequence with which the terminal shows a notification.
  case terminal
  /// `notify-send`, if it exits with 0.
  case desktop
  /// The bell of the terminal.
  case bell
}

/// The sequence with which the terminal shows a notification, as the user has set it.
public enum NoticeTerminalChoice: String, CaseIterable, Hashable, Sendable {
  /// As the terminal says, or by its name.
  case automatic = "auto"
  case osc99
  case osc777
  case osc9
  /// It shows none.
  case none
}
