import CNcurses

/// What the terminal is asked to report beside keys: the focus, the pointer, and where pasted text begins.
///
/// Nothing is written here; what is returned goes out with a frame, or when the terminal is left.
struct TerminalModes {
  private let kind: TerminalKind
  /// Whether the pointer is followed while a button is held down.
  var followsDrags = false
  /// Whether the terminal was told so.
  private var tellsDrags = false
  /// Whether it was told to mark pasted text.
  private var marksPastes = false

  init(_ kind: TerminalKind) {
    self.kind = kind
  }

  /// What is sent before a frame.
  mutating func beginning() -> [UInt8] {
    guard kind.marksPastes, !marksPastes else { return [] }
    marksPastes = true
    return Array(TerminalReport.followPastes.utf8)
  }

  /// What is sent behind a frame, after ncurses has turned the mouse on.
  mutating func requests(_ keyboard: Keyboard) -> [UInt8] {
    var text = ""
    if kind.answersQuestions, !keyboard.followsFocus {
      keyboard.followsFocus = true
      text += TerminalReport.followFocus
    }
    if followsDrags != tellsDrags, kind.takesMouse, unsafe cn_capability("kmous") != nil {
      tellsDrags = followsDrags
      text += followsDrags ? TerminalReport.followDrags : TerminalReport.unfollowDrags
    }
    return Array(text.utf8)
  }

  /// What is sent when the terminal is left; everything is requested again after that.
  mutating func farewell(_ keyboard: Keyboard) -> [UInt8] {
    var text = ""
    // Also where no picture has requested them, as an app may have.
    if kind.marksPastes { text += TerminalReport.unfollowPastes }
    if tellsDrags { text += TerminalReport.unfollowPointer }
    if keyboard.followsFocus { text += TerminalReport.unfollowFocus }
    (marksPastes, tellsDrags, keyboard.followsFocus) = (false, false, false)
    return Array(text.utf8)
  }
}
