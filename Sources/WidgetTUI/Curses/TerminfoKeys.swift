import CNcurses
import TerminalInput

/// The keys in the description of the terminal (terminfo(5)), which may be others than all terminals have.
enum TerminfoKeys {
  /// The names of capabilities and their keys.
  private static let names: [(name: String, key: KeyStroke)] = {
    let plain: [(String, KeyStroke)] = [
      ("kcuu1", KeyStroke(.up)), ("kcud1", KeyStroke(.down)), ("kcub1", KeyStroke(.left)),
      ("kcuf1", KeyStroke(.right)), ("khome", KeyStroke(.home)), ("kend", KeyStroke(.end)),
      ("kll", KeyStroke(.end)), ("kpp", KeyStroke(.pageUp)), ("knp", KeyStroke(.pageDown)),
      ("kich1", KeyStroke(.insert)), ("kdch1", KeyStroke(.delete)), ("kent", KeyStroke(.enter)),
      ("kbs", KeyStroke(.backspace)), ("kcbt", KeyStroke(.tab, .shift)),
      ("kri", KeyStroke(.up, .shift)), ("kind", KeyStroke(.down, .shift)),
    ]
    let modified: [(String, KeyStroke.Code)] = [
      ("kUP", .up), ("kDN", .down), ("kLFT", .left), ("kRIT", .right), ("kHOM", .home),
      ("kEND", .end), ("kPRV", .pageUp), ("kNXT", .pageDown), ("kIC", .insert), ("kDC", .delete),
    ]
    let shifted = modified.map { ($0.0, KeyStroke($0.1, .shift)) }
    // kUP5 is Ctrl-Up, as in the sequences of xterm.
    let extended = modified.flatMap { name, code in
      (3...8).map { number in
        ("\(name)\(number)", KeyStroke(code, KeyStroke.Modifiers(rawValue: UInt8(number - 1))))
      }
    }
    let functions = (1...63).map { ("kf\($0)", KeyStroke(.function($0))) }
    return (plain + shifted + extended + functions).map { (name: $0.0, key: $0.1) }
  }()

  /// The sequences of keys that the description has; call it when the screen is open.
  ///
  /// If the terminal tells of the focus, the sequences for that are none of them, which are keys elsewhere.
  static func sequences(followsFocus: Bool) -> ExtraSequences {
    let reserved = ["\u{1B}[I", "\u{1B}[O"]
    return ExtraSequences(
      names.compactMap { name, key in
        guard let text = unsafe cn_capability(name) else { return nil }
        let sequence = unsafe String(cString: text)
        guard !followsFocus || !reserved.contains(sequence) else { return nil }
        // In terminfo, 0x80 stands for a zero byte.
        return (bytes: sequence.utf8.map { $0 == 0x80 ? 0 : $0 }, key: key)
      }
    )
  }
}
