import Foundation
import Testing
import WidgetPlatform

@testable import Notices

/// The sequences with which terminals show notices.
@Suite struct DeliverySequenceTests {
  private func notice(_ content: NoticeContent, id: Int = 7) -> Notice {
    Notice(id: id, date: Date(), expiry: nil, content: content, state: .waiting)
  }

  private func text(_ notifier: TerminalNotifier, _ content: NoticeContent) -> String {
    String(decoding: notifier.bytes(for: notice(content)), as: UTF8.self)
  }

  private func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

  @Test func `each terminal gets its sequence`() {
    let content = NoticeContent.sample("Tests passed", body: "after 5 s; 2 skipped\nall good")
    let name = base64("make")
    #expect(
      text(.osc99, content)
        == "\u{1B}]99;i=today-7:e=1:d=0:a=focus:u=1:f=\(name);\(base64("Tests passed"))\u{1B}\\"
        + "\u{1B}]99;i=today-7:e=1:d=1:p=body;\(base64("after 5 s; 2 skipped\nall good"))\u{1B}\\"
    )
    #expect(
      text(.osc777, content)
        == "\u{1B}]777;notify;make: Tests passed;after 5 s, 2 skipped all good\u{1B}\\"
    )
    #expect(
      text(.osc9, content)
        == "\u{1B}]9;make: Tests passed: after 5 s, 2 skipped all good\u{1B}\\"
    )
    let short = NoticeContent.sample("4;3;100", application: "4;")
    #expect(text(.osc777, short) == "\u{1B}]777;notify;4,;4,3,100\u{1B}\\")
    #expect(text(.osc9, short) == "\u{1B}]9;4,: 4,3,100\u{1B}\\")
    #expect(text(.osc99, short).contains(":d=1:"))
  }

  @Test func `urgency and tag are those of the notice`() {
    #expect(text(.osc99, .sample("a", urgency: .critical)).contains(":u=2:"))
    #expect(text(.osc99, .sample("a", urgency: .low)).contains(":u=0:s=\(base64("silent")):"))
    let one = text(.osc99, .sample("a", tag: "t")).prefix(40)
    let other = TerminalNotifier.osc99.bytes(for: notice(.sample("b", tag: "t"), id: 8))
    #expect(one.hasPrefix("\u{1B}]99;i=today-t"))
    #expect(String(decoding: other, as: UTF8.self).hasPrefix(one.prefix { $0 != ":" }))
  }

  @Test(arguments: TerminalNotifier.allCases)
  func `no text ends its sequence or begins another one`(notifier: TerminalNotifier) {
    let controls = (0..<0xA0).compactMap(Unicode.Scalar.init).filter {
      $0.value < 32 || $0.value > 126
    }
    let hostile =
      "\u{1B}\\\u{1B}]52;c;eA==\u{7}\u{9C}\u{9D}\u{90}\u{202E}txt\u{2066}\u{200F}\u{1B}[2J;;"
      + String(String.UnicodeScalarView(controls))
    let content = NoticeContent.sample(hostile, body: hostile, application: hostile, tag: hostile)
    let bytes = notifier.bytes(for: notice(content))
    // What is between the beginnings and the ends of the sequences.
    let inner = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\u{1B}\\")
    #expect(inner.count == (notifier == .osc99 ? 3 : 2) && inner.last == "")
    for part in inner.dropLast() {
      #expect(part.hasPrefix("\u{1B}]\(notifier.rawValue.dropFirst(3));"))
      let rest = part.unicodeScalars.dropFirst()
      #expect(
        rest.allSatisfy { $0.properties.generalCategory != .control },
        "\(part.debugDescription)"
      )
      #expect(!rest.contains("\u{202E}") && !rest.contains("\u{2066}"))
    }
    if notifier == .osc99 {
      let payloads = inner.dropLast().compactMap { $0.split(separator: ";").last }
      for payload in payloads {
        let text = Data(base64Encoded: String(payload)).map { String(decoding: $0, as: UTF8.self) }
        let controls = text?.unicodeScalars.filter { $0.properties.generalCategory == .control }
        #expect(controls?.allSatisfy { $0 == "\n" } == true)
      }
    } else {
      #expect(inner[0].count { $0 == ";" } == (notifier == .osc777 ? 3 : 1))
    }
  }

  @Test(arguments: TerminalNotifier.allCases)
  func `a text of 10 MB is a short sequence, with whole characters`(notifier: TerminalNotifier) {
    for long in [
      String(repeating: "ä", count: 5_000_000), String(repeating: "\u{1}", count: 10_000_000),
    ] {
      let bytes = notifier.bytes(for: notice(.sample(long, body: long, application: "a")))
      #expect(bytes.count < 4_096 && String(validating: bytes, as: UTF8.self) != nil)
    }
  }

  @Test func `through tmux each escape is doubled`() {
    let bytes = TerminalNotifier.throughTmux(Array("\u{1B}]9;a\u{1B}\\".utf8))
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "\u{1B}Ptmux;\u{1B}\u{1B}]9;a\u{1B}\u{1B}\\\u{1B}\\"
    )
  }

  @Test func `a notification of the desktop has the number, and no markup`() throws {
    let folder = try StoreFolder()
    let bin = URL(filePath: folder.path).deletingLastPathComponent().path
    try Data("#!/bin/sh\n".utf8).write(to: URL(filePath: "\(bin)/notify-send"))
    #expect(chmod("\(bin)/notify-send", 0o755) == 0)
    let environment = ["PATH": bin, "XDG_RUNTIME_DIR": "/nowhere"]
    let content = NoticeContent.sample(
      "-a <b>\u{1B}",
      body: "<img src=\"x\"> & \\074b\\076 more",
      urgency: .critical
    )
    let notification = NotifySendCall(notice(content), environment: environment)
    #expect(
      notification?.launch(action: "Open").arguments == [
        "--app-name=make", "--urgency=critical", "--hint=string:x-today-id:7",
        "--action=default=Open", "--", "-a <b>␛",
        "&lt;img src=\"x\"&gt; &amp; \\\\074b\\\\076 more",
      ]
    )
    #expect(NotifySendCall(notice(content), environment: ["PATH": bin]) == nil)
    let elsewhere = ["PATH": "/nowhere", "XDG_RUNTIME_DIR": "/nowhere"]
    #expect(NotifySendCall(notice(content), environment: elsewhere) == nil)
  }
}

/// Which sequence a terminal gets.
@Suite struct TerminalIdentityTests {
  @Test(arguments: [
    ("xterm-kitty", "", TerminalNotifier.osc99), ("foot", "", .osc777), ("foot-extra", "", .osc777),
    ("xterm-ghostty", "", .osc777), ("xterm-256color", "WezTerm", .osc777),
    ("xterm-256color", "iTerm.app", .osc9), ("xterm-256color", "ghostty", .osc777),
    ("xterm-256color", "", nil), ("xterm-256color", "Apple_Terminal", nil), ("linux", "", nil),
    ("", "", nil),
  ])
  func `it is known by TERM and TERM_PROGRAM`(
    term: String,
    program: String,
    notifier: TerminalNotifier?
  ) {
    let identity = TerminalIdentity(environment: ["TERM": term, "TERM_PROGRAM": program])
    #expect(identity.notifier == notifier && identity.pane == nil)
  }

  @Test func `what it answers counts before its name`() {
    var identity = TerminalIdentity(environment: ["TERM": "xterm-256color"])
    identity.version = "foot(1.16.2)"
    #expect(identity.notifier == .osc777)
    identity.hasKittyNotifications = true
    #expect(identity.notifier == .osc99)
    var other = TerminalIdentity(environment: ["TERM": "xterm", "KITTY_WINDOW_ID": "1"])
    #expect(other.notifier == .osc99)
    other.version = "XTerm(390)"
    #expect(other.notifier == nil)
    #expect(TerminalIdentity(environment: ["LC_TERMINAL": "iTerm2"]).notifier == .osc9)
  }

  @Test
  func `within tmux, screen and zellij the variables of the terminal around them do not count`() {
    var variables = ["TERM": "tmux-256color", "TERM_PROGRAM": "WezTerm", "TMUX": "/t,1,0"]
    variables["TMUX_PANE"] = "%3"
    var identity = TerminalIdentity(environment: variables)
    identity.version = "tmux 3.4"
    #expect(identity.pane == "%3" && identity.notifier == nil)
    variables["TERM"] = "xterm-kitty"
    #expect(TerminalIdentity(environment: variables).pane == nil)
    for name in ["STY", "ZELLIJ"] {
      let variables = ["TERM": "xterm-256color", "TERM_PROGRAM": "ghostty", name: "0"]
      #expect(TerminalIdentity(environment: variables).notifier == nil)
    }
  }

  /// An answer of tmux, and what is read in it.
  struct Answer: Sendable {
    var text: String
    var notifier: TerminalNotifier?
    var obstacle: TmuxClient.Obstacle?

    init(_ text: String, _ notifier: TerminalNotifier?, _ obstacle: TmuxClient.Obstacle? = nil) {
      (self.text, self.notifier, self.obstacle) = (text, notifier, obstacle)
    }
  }

  @Test(arguments: [
    Answer("foot\tfoot(1.16)\t1\t1\t1\n", .osc777),
    Answer("xterm-256color\tWezTerm 2024\ton\t1\t1", .osc777),
    Answer("xterm-kitty\t\tall\t2\t0", .osc99),
    Answer("xterm-kitty\t\ton\t1\t0", .osc99, .hidden),
    Answer("xterm-kitty\t\t0\t1\t1", .osc99, .noPassthrough),
    Answer("xterm-kitty\t\toff\t1\t1", .osc99, .noPassthrough),
    Answer("xterm-kitty\t\t\t1\t1", .osc99, .noPassthrough),
    Answer("\t\t1\t0\t0", nil, .detached), Answer("", nil, .silent),
    Answer("no server running", nil, .silent),
  ])
  func `tmux says which terminal it is in, and whether it passes on`(answer: Answer) {
    let client = TmuxClient(answer: answer.text)
    #expect(client.notifier == answer.notifier && client.obstacle == answer.obstacle)
  }
}
