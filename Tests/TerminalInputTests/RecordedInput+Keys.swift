@testable import TerminalInput

extension RecordedInput {
  static let keys: [RecordedInput] = [
    RecordedInput("typed text", typed: "q1 "),
    RecordedInput("UTF-8", typed: "äß€漢😀"),
    RecordedInput(
      "Ctrl-C, Tab, Enter, Backspace",
      "\u{3}\t\r\u{7F}\u{8}",
      key(.character("c"), .control),
      key(.tab),
      key(.enter),
      key(.backspace),
      key(.backspace)
    ),
    RecordedInput(
      "xterm, arrows",
      "\u{1B}OA\u{1B}OB\u{1B}OC\u{1B}OD\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D",
      key(.up),
      key(.down),
      key(.right),
      key(.left),
      key(.up),
      key(.down),
      key(.right),
      key(.left)
    ),
    RecordedInput(
      "xterm, Home and End",
      "\u{1B}OH\u{1B}OF\u{1B}[H\u{1B}[F",
      key(.home),
      key(.end),
      key(.home),
      key(.end)
    ),
    RecordedInput(
      "tmux, screen, PuTTY and the console: Home, Insert, Delete, End, PgUp, PgDn",
      "\u{1B}[1~\u{1B}[2~\u{1B}[3~\u{1B}[4~\u{1B}[5~\u{1B}[6~",
      key(.home),
      key(.insert),
      key(.delete),
      key(.end),
      key(.pageUp),
      key(.pageDown)
    ),
    RecordedInput("rxvt, Home and End", "\u{1B}[7~\u{1B}[8~", key(.home), key(.end)),
    RecordedInput(
      "xterm, F1 to F12",
      "\u{1B}OP\u{1B}OQ\u{1B}OR\u{1B}OS\u{1B}[15~\u{1B}[17~\u{1B}[18~\u{1B}[19~\u{1B}[20~\u{1B}[21~\u{1B}[23~\u{1B}[24~",
      key(.function(1)),
      key(.function(2)),
      key(.function(3)),
      key(.function(4)),
      key(.function(5)),
      key(.function(6)),
      key(.function(7)),
      key(.function(8)),
      key(.function(9)),
      key(.function(10)),
      key(.function(11)),
      key(.function(12))
    ),
    RecordedInput(
      "PuTTY and rxvt, F1 to F4",
      "\u{1B}[11~\u{1B}[12~\u{1B}[13~\u{1B}[14~",
      key(.function(1)),
      key(.function(2)),
      key(.function(3)),
      key(.function(4))
    ),
    RecordedInput(
      "the console, F1 to F5",
      "\u{1B}[[A\u{1B}[[B\u{1B}[[C\u{1B}[[D\u{1B}[[E",
      key(.function(1)),
      key(.function(2)),
      key(.function(3)),
      key(.function(4)),
      key(.function(5))
    ),
    RecordedInput(
      "F13 to F20",
      "\u{1B}[25~\u{1B}[26~\u{1B}[28~\u{1B}[29~\u{1B}[31~\u{1B}[32~\u{1B}[33~\u{1B}[34~",
      key(.function(13)),
      key(.function(14)),
      key(.function(15)),
      key(.function(16)),
      key(.function(17)),
      key(.function(18)),
      key(.function(19)),
      key(.function(20))
    ),
    RecordedInput(
      "the keypad of PuTTY",
      "\u{1B}Op\u{1B}Oy\u{1B}OM\u{1B}Ol\u{1B}Ok",
      key(.character("0")),
      key(.character("9")),
      key(.enter),
      key(.character(",")),
      key(.character("+"))
    ),
    RecordedInput("st, Insert", "\u{1B}[4h", key(.insert)),
    RecordedInput(
      "sun, Home, PgUp, End, PgDn, F1 and F12",
      "\u{1B}[214z\u{1B}[216z\u{1B}[220z\u{1B}[222z\u{1B}[224z\u{1B}[235z",
      key(.home),
      key(.pageUp),
      key(.end),
      key(.pageDown),
      key(.function(1)),
      key(.function(12))
    ),
  ]

  static let modified: [RecordedInput] = [
    RecordedInput(
      "Alt-q, Alt-ä, Alt-Enter, Alt-Backspace",
      "\u{1B}q\u{1B}ä\u{1B}\r\u{1B}\u{7F}",
      key(.character("q"), .alt),
      key(.character("ä"), .alt),
      key(.enter, .alt),
      key(.backspace, .alt)
    ),
    RecordedInput("Shift-Tab", "\u{1B}[Z", key(.tab, .shift)),
    RecordedInput(
      "xterm, arrows with Shift, Alt and Ctrl",
      "\u{1B}[1;2A\u{1B}[1;3B\u{1B}[1;5C\u{1B}[1;6D",
      key(.up, .shift),
      key(.down, .alt),
      key(.right, .control),
      key(.left, [.shift, .control])
    ),
    RecordedInput(
      "older forms of Ctrl-Right",
      "\u{1B}[5C\u{1B}O5C\u{1B}O1;5C",
      key(.right, .control),
      key(.right, .control),
      key(.right, .control)
    ),
    RecordedInput(
      "Ctrl-Home, Shift-End, Ctrl-PgUp, Shift-Delete",
      "\u{1B}[1;5H\u{1B}[1;2F\u{1B}[5;5~\u{1B}[3;2~",
      key(.home, .control),
      key(.end, .shift),
      key(.pageUp, .control),
      key(.delete, .shift)
    ),
    RecordedInput(
      "Konsole, Shift-F1, F3 and Ctrl-F5",
      "\u{1B}O2P\u{1B}[1;2R\u{1B}[15;5~",
      key(.function(1), .shift),
      key(.function(3), .shift),
      key(.function(5), .control)
    ),
    RecordedInput(
      "rxvt, Shift-Up and Ctrl-Up",
      "\u{1B}[a\u{1B}Oa",
      key(.up, .shift),
      key(.up, .control)
    ),
    RecordedInput(
      "rxvt, Home with Shift, Ctrl and both",
      "\u{1B}[7$\u{1B}[7^\u{1B}[7@",
      key(.home, .shift),
      key(.home, .control),
      key(.home, [.shift, .control])
    ),
    RecordedInput(
      "rxvt, Alt-Up and Alt-Delete",
      "\u{1B}\u{1B}[A\u{1B}\u{1B}[3~\u{1B}\u{1B}OA",
      key(.up, .alt),
      key(.delete, .alt),
      key(.up, .alt)
    ),
    RecordedInput("Esc before an answer", "\u{1B}\u{1B}[?62c", key(.escape), control("?62", "c")),
    RecordedInput("Super-Up", "\u{1B}[1;9A", key(.up, .others.intersection(.init(rawValue: 8)))),
  ]
}
