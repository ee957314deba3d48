import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetPlatform

@testable import Notices
@testable import WidgetTUI

/// Notices as commands make them.
@Suite struct NoticeDraftTests {
  private let options = CommonOptions(environment: ["HOME": "/nowhere"])

  private func draft(_ text: String) throws(CommandError) -> NoticeDraft {
    try NoticeDraft(Array(text.utf8), options)
  }

  @Test func `an object of JSON has the members of the options`() throws {
    let draft = try draft(
      """
      {"title": "Done", "body": "a\\nb", "urgency": "low", "tag": "t", "progress": 40, "app": "ci", "wait": true,
       "expire": "5m", "action": ["Show=https://example.com/?a=b", "yes", {"name": "Retry", "command": ["make", "-B"]},
       {"name": "Go", "pane": "%3"}]}
      """
    )
    #expect(draft.content.title == "Done" && draft.content.body == "a\nb")
    #expect(draft.content.urgency == .low && draft.content.tag == "t")
    #expect(draft.content.progress == 40 && draft.content.application == "ci")
    #expect(draft.waits && draft.seconds == 300)
    #expect(draft.actions.map(\.name) == ["Show", "yes", "Retry", "Go"])
    #expect(draft.actions[0].url == "https://example.com/?a=b" && draft.actions[1].url == nil)
    #expect(draft.actions[2].command == ["make", "-B"] && draft.actions[3].pane == "%3")
  }

  @Test(arguments: [
    ("", "standard input is not JSON"),
    ("[1]", "standard input is no object of JSON"),
    ("{}", "standard input: expected a member “title”"),
    ("{\"title\": \" \"}", "standard input: expected a member “title”"),
    ("{\"title\": 7}", "standard input: “title”: expected a text"),
    ("{\"titel\": \"a\"}", "standard input: unknown member “titel”; did you mean “title”?"),
    ("{\"title\": \"a\", \"urgency\": \"high\"}", "“urgency”: expected low, normal or critical"),
    ("{\"title\": \"a\", \"progress\": 1e300}", "“progress”: expected a number from 0 to 100"),
    ("{\"title\": \"a\", \"expire\": -1}", "“expire”: expected a time"),
    ("{\"title\": \"a\", \"action\": [\"Show=nowhere\"]}", "expected NAME=URL, with a URL"),
    ("{\"title\": \"a\", \"action\": [{\"name\": \"x\", \"pane\": \"; rm\"}]}", "pane (%3)"),
    ("{\"title\": \"a\", \"urgency\": \"critical\", \"expire\": 1}", "leave out “expire”"),
  ])
  func `what is wrong with it is said in words`(text: String, words: String) {
    let error = #expect(throws: CommandError.self) { try draft(text) }
    #expect(error?.exitCode == .usage)
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test func `a notice from a pane of tmux leads back to it, behind all other actions`() {
    let inside = CommonOptions(
      environment: ["TMUX": "/tmp/tmux-0/default,12,0", "TMUX_PANE": "%7"]
    )
    var draft = NoticeDraft(title: "a", inside)
    draft.actions.append(NoticeAction(name: "Show"))
    #expect(draft.stored.actions?.map(\.name) == ["Show", "Go to pane"])
    #expect(draft.stored.actions?.last?.pane == "%7")
    #expect(draft.stored.actions?.last?.server == "/tmp/tmux-0/default")
    let odd = CommonOptions(environment: ["TMUX": "x", "TMUX_PANE": "%7;kill-server"])
    #expect(NoticeDraft(title: "a", odd).stored.actions == nil)
  }

  @Test(arguments: [
    (TerminationStatus.exited(0), 45.0, "make -j8 ended", "after 45 s"),
    (.exited(2), 192, "make -j8 failed", "exit status 2 after 3 min 12 s"),
    (.signaled(9), 7500, "make -j8 was ended", "signal 9 after 2 h 5 min"),
  ])
  func `the end of a command says how and after what time`(
    end: TerminationStatus,
    seconds: Double,
    title: String,
    body: String
  ) {
    let draft = NoticeDraft(end, of: "make -j8", .seconds(seconds), options)
    #expect(draft.content.title == title && draft.content.body == body)
    let unnamed = NoticeDraft(end, of: " make --password x", .seconds(seconds), options)
    #expect(unnamed.content.title.hasPrefix("a command "))
  }

  @Test(
    arguments: [
      (["make", "-j8"], "make -j8"), (["sh", "-c", "a b"], "sh -c 'a b'"),
      (["echo", "it's", ""], "echo 'it'\\''s' ''"),
      (["ls", "größe", "a=b", "*"], "ls größe a=b '*'"),
    ]
  )
  func `a command is shown as a person types it`(words: [String], expected: String) {
    #expect(words.map(ShellWord.readable).joined(separator: " ") == expected)
  }

  @Test func `a line for another bar is escaped as that bar needs it`() {
    let line = StatusLine(text: "1 <b>&#[x]", details: ["\u{1B}a", "b\"c"], state: .critical)
    #expect(line.text(as: .plain) == "1 <b>&#[x]")
    #expect(line.text(as: .tmux) == "1 <b>&##[x]")
    #expect(
      line.text(as: .waybar) == """
        {"alt":"critical","class":"critical","text":"1 &lt;b&gt;&amp;#[x]",\
        "tooltip":"\\u001ba\\nb\\"c"}
        """
    )
    #expect(
      line.text(as: .i3bar)
        == "{\"full_text\":\"1 <b>&#[x]\",\"short_text\":\"1 <b>&#[x]\",\"urgent\":true}"
    )
  }

  @Test func `quiet until an hour ends today or tomorrow`() throws {
    let now = try #require(
      LocalTime(year: 2026, month: 11, day: 28, hour: 16, minute: 30).date()
    )
    let later = try #require(QuietCommand.next("17:00", after: now))
    #expect(later.timeIntervalSince(now) == 1800)
    let tomorrow = try #require(QuietCommand.next("7:05", after: now))
    #expect(LocalTime(tomorrow)?.day == 29 && LocalTime(tomorrow)?.hour == 7)
    for text in ["", "17", "24:00", "7:5", "7:60", "-1:00", "a:bc", "07:00:00"] {
      #expect(QuietCommand.next(text, after: now) == nil, "\(text)")
    }
  }
}
