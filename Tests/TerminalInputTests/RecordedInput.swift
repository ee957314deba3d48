import Testing

@testable import TerminalInput

/// What terminals have sent, and what it is.
struct RecordedInput: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let bytes: [UInt8]
  let events: [InputEvent]

  init(_ name: String, _ text: String, _ events: InputEvent...) {
    self.init(name, bytes: Array(text.utf8), events)
  }

  init(_ name: String, bytes: [UInt8], _ events: [InputEvent]) {
    (testDescription, self.bytes, self.events) = (name, bytes, events)
  }

  static func key(_ code: KeyStroke.Code, _ modifiers: KeyStroke.Modifiers = []) -> InputEvent {
    .key(KeyStroke(code, modifiers))
  }

  static func typed(_ text: String) -> [InputEvent] {
    text.unicodeScalars.map { key(.character($0)) }
  }

  static func pointer(_ action: PointerReport.Action, _ column: Int, _ row: Int) -> InputEvent {
    .pointer(PointerReport(action, column: column, row: row))
  }

  static func text(_ kind: TextSequence.Kind, _ text: String) -> InputEvent {
    .answer(.text(TextSequence(kind: kind, bytes: Array(text.utf8))))
  }

  static func control(_ parameters: String, _ final: String) -> InputEvent {
    let final = Array(final.utf8)
    return .answer(
      .control(
        ControlSequence(
          parameters: Array(parameters.utf8)[...],
          intermediates: final.dropLast(),
          final: final[final.count - 1]
        )
      )
    )
  }

  static let all = keys + modified + protocols + others

  private static let protocols: [RecordedInput] = [
    RecordedInput(
      "kitty: q, Q, Ctrl-C, Alt-b",
      "\u{1B}[113u\u{1B}[113;2u\u{1B}[99;5u\u{1B}[98;3u",
      key(.character("q")),
      key(.character("Q")),
      key(.character("c"), .control),
      key(.character("b"), .alt)
    ),
    RecordedInput(
      "kitty: Esc, Enter, Shift-Tab, Backspace",
      "\u{1B}[27u\u{1B}[13u\u{1B}[9;2u\u{1B}[127u",
      key(.escape),
      key(.enter),
      key(.tab, .shift),
      key(.backspace)
    ),
    RecordedInput(
      "kitty: with the other key, and with its text",
      "\u{1B}[49:33;2u\u{1B}[97;1;228u",
      key(.character("!")),
      key(.character("ä"))
    ),
    RecordedInput(
      "kitty: pressed, repeated and released",
      "\u{1B}[97;1:1u\u{1B}[97;1:2u\u{1B}[97;1:3u\u{1B}[1;1:3A",
      key(.character("a")),
      key(.character("a")),
      control("97;1:3", "u"),
      control("1;1:3", "A")
    ),
    RecordedInput(
      "kitty: Num Lock and Caps Lock",
      "\u{1B}[97;129u\u{1B}[97;65u\u{1B}[1;129A",
      key(.character("a")),
      key(.character("A")),
      key(.up)
    ),
    RecordedInput(
      "kitty: the keypad, F13 and a key alone",
      "\u{1B}[57399u\u{1B}[57414u\u{1B}[57376u\u{1B}[57441u",
      key(.character("0")),
      key(.enter),
      key(.function(13)),
      control("57441", "u")
    ),
    RecordedInput(
      "modifyOtherKeys: Ctrl-I, A, Ctrl-Shift-C",
      "\u{1B}[27;5;105~\u{1B}[27;2;65~\u{1B}[27;6;67~",
      key(.character("i"), .control),
      key(.character("A")),
      key(.character("C"), .control)
    ),
    RecordedInput(
      "the mouse, X10",
      "\u{1B}[M +,\u{1B}[M#+,\u{1B}[M`+,\u{1B}[M@+,",
      pointer(.press, 10, 11),
      pointer(.release, 10, 11),
      pointer(.wheelUp, 10, 11),
      pointer(.drag, 10, 11)
    ),
    RecordedInput(
      "the mouse, X10, beyond column 95",
      bytes: [0x1B, 0x5B, 0x4D, 0x20, 0xB0, 0xFF],
      [pointer(.press, 143, 222)]
    ),
    RecordedInput(
      "the mouse, SGR",
      "\u{1B}[<0;300;5M\u{1B}[<0;300;5m\u{1B}[<64;1;1M\u{1B}[<65;1;1M\u{1B}[<32;2;3M\u{1B}[<2;1;1M\u{1B}[<35;1;1M\u{1B}[<4;1;1M",
      pointer(.press, 299, 4),
      pointer(.release, 299, 4),
      pointer(.wheelUp, 0, 0),
      pointer(.wheelDown, 0, 0),
      pointer(.drag, 1, 2),
      pointer(.other, 0, 0),
      pointer(.other, 0, 0),
      pointer(.press, 0, 0)
    ),
    RecordedInput(
      "the mouse, urxvt",
      "\u{1B}[32;10;11M\u{1B}[35;10;11M",
      pointer(.press, 9, 10),
      pointer(.release, 9, 10)
    ),
    RecordedInput("the focus", "\u{1B}[O\u{1B}[I", .focus(false), .focus(true)),
  ]

  private static let others: [RecordedInput] = [
    RecordedInput(
      "DA1, DA2, DA3",
      "\u{1B}[?64;1;2c\u{1B}[>1;10;0c\u{1B}P!|00000000\u{1B}\\",
      control("?64;1;2", "c"),
      control(">1;10;0", "c"),
      text(.dcs, "!|00000000")
    ),
    RecordedInput(
      "XTVERSION, XTGETTCAP, DECRPSS",
      "\u{1B}P>|kitty(0.3)\u{1B}\\\u{1B}P1+r544e=78\u{1B}\\\u{1B}P1$r0m\u{1B}\\",
      text(.dcs, ">|kitty(0.3)"),
      text(.dcs, "1+r544e=78"),
      text(.dcs, "1$r0m")
    ),
    RecordedInput(
      "colours",
      "\u{1B}]10;rgb:ffff/ffff/ffff\u{7}\u{1B}]11;rgb:1e1e/1e1e/2e2e\u{1B}\\\u{1B}]4;1;rgb:00/00/00\u{1B}\\",
      text(.osc, "10;rgb:ffff/ffff/ffff"),
      text(.osc, "11;rgb:1e1e/1e1e/2e2e"),
      text(.osc, "4;1;rgb:00/00/00")
    ),
    RecordedInput("the title", "\u{1B}]lq 1\u{1B}\\", text(.osc, "lq 1")),
    RecordedInput(
      "DECRPM, DSR, CPR, the flags of kitty",
      "\u{1B}[?2026;2$y\u{1B}[12;2$y\u{1B}[?997;1n\u{1B}[0n\u{1B}[24;80R\u{1B}[?1;1R\u{1B}[?1u",
      control("?2026;2", "$y"),
      control("12;2", "$y"),
      control("?997;1", "n"),
      control("0", "n"),
      control("24;80", "R"),
      control("?1;1", "R"),
      control("?1", "u")
    ),
    RecordedInput(
      "sizes",
      "\u{1B}[6;20;10t\u{1B}[48;30;100;600;1000t",
      control("6;20;10", "t"),
      control("48;30;100;600;1000", "t")
    ),
    RecordedInput(
      "graphics, PM and SOS",
      "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}^q\u{1B}\\\u{1B}Xq\u{1B}\\",
      text(.apc, "Gi=31;OK"),
      text(.pm, "q"),
      text(.sos, "q")
    ),
    RecordedInput(
      "the keys of Windows",
      "\u{1B}[81;16;113;1;0;1_",
      control("81;16;113;1;0;1", "_")
    ),
    RecordedInput(
      "a paste",
      "a\u{1B}[200~qH\u{1B}[Aä\r\n\u{1B}[201~b",
      key(.character("a")),
      .paste("qH\u{1B}[Aä"),
      key(.character("b"))
    ),
    RecordedInput("the end of a paste alone", "\u{1B}[201~b", key(.character("b"))),
    RecordedInput(
      "bytes that are no UTF-8",
      bytes: [
        0x61, 0xFF, 0x80, 0xC0, 0xAF, 0xE2, 0x82, 0x62, 0xED, 0xA0, 0x80, 0x63, 0xC2, 0x9B, 0x64,
      ],
      typed("abcd")
    ),
    RecordedInput(
      "a sequence broken by a key",
      "\u{1B}[1;\rx\u{1B}[3\u{1B}[3~\u{1B}]11;rgb:\rq",
      key(.enter),
      key(.character("x")),
      key(.delete),
      key(.enter),
      key(.character("q"))
    ),
    RecordedInput(
      "Alt with characters that begin texts",
      "\u{1B}]a\u{1B}Pb\u{1B}_\r",
      key(.character("]"), .alt),
      key(.character("a")),
      key(.character("P"), .alt),
      key(.character("b")),
      key(.character("_"), .alt),
      key(.enter)
    ),
    RecordedInput("Esc and Ctrl-C", "\u{1B}\u{3}", key(.escape), key(.character("c"), .control)),
  ]

  init(_ name: String, typed text: String) {
    self.init(name, bytes: Array(text.utf8), Self.typed(text))
  }
}
