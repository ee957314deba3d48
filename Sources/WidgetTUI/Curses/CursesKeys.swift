import CNcurses

/// The keys and mouse events that ncurses reads.
enum CursesKeys {
  /// The keys that ncurses finds in what the keyboard has passed on to it.
  static func next() -> [Key] {
    var result: [Key] = []
    while true {
      var code: UInt32 = 0
      switch unsafe UInt32(cn_next_key(&code)) {
      case CN_CHARACTER.rawValue: Key(typed: code).map { result.append($0) }
      case CN_FUNCTION.rawValue where Int32(code) == KEY_MOUSE: result += mouseKeys()
      case CN_FUNCTION.rawValue: functionKey(Int32(code)).map { result.append($0) }
      default: return result
      }
    }
  }

  /// The codes for arrows with Ctrl or Alt, above all codes of ncurses.
  private static let wordKeys: (left: Int32, right: Int32) = (0x7001, 0x7002)

  private static func functionKey(_ code: Int32) -> Key? {
    switch code {
    case KEY_UP: .up
    case KEY_DOWN: .down
    case KEY_SR: .shiftUp
    case KEY_SF: .shiftDown
    case KEY_LEFT: .left
    case KEY_RIGHT: .right
    case KEY_BTAB: .backTab
    case KEY_ENTER: .enter
    case KEY_BACKSPACE: .backspace
    case KEY_PPAGE: .pageUp
    case KEY_NPAGE: .pageDown
    case KEY_HOME: .home
    case KEY_END: .end
    case KEY_DC: .delete
    case Self.wordKeys.left: .wordLeft
    case Self.wordKeys.right: .wordRight
    default: nil
    }
  }

  /// All pending mouse events, in order.
  private static func mouseKeys() -> [Key] {
    var events = Array(repeating: cn_mouse_event(), count: Int(CN_MOUSE_EVENTS))
    let count = unsafe Int(cn_next_mouse(&events))
    return events.prefix(count).compactMap { event in
      let action: MouseEvent.Action
      switch UInt32(event.kind) {
      case CN_MOUSE_PRESS.rawValue: action = .press
      case CN_MOUSE_RELEASE.rawValue: action = .release
      case CN_MOUSE_UP.rawValue: action = .wheelUp
      case CN_MOUSE_DOWN.rawValue: action = .wheelDown
      default: return nil
      }
      return .mouse(MouseEvent(action: action, column: Int(event.column), row: Int(event.row)))
    }
  }

  /// Tells ncurses of the keys that few descriptions of terminals have: arrows with Shift, Alt or Ctrl (xterm,
  /// PC-Style Function Keys).
  static func define() {
    unsafe define_key("\u{1B}[1;2A", KEY_SR)
    unsafe define_key("\u{1B}[1;2B", KEY_SF)
    for modifier in [3, 5] {
      unsafe define_key("\u{1B}[1;\(modifier)D", wordKeys.left)
      unsafe define_key("\u{1B}[1;\(modifier)C", wordKeys.right)
    }
  }
}
