import Testing

@testable import Notices
@testable import WidgetTUI

/// What `today notices act` does.
@Suite struct NoticeActionRunTests {
  @Test func `a pane of another tmux is named with the command that shows it`() async {
    var action = NoticeAction(name: "Go to pane")
    (action.pane, action.server) = ("%3", "/tmp/other one")
    let options = CommonOptions(environment: ["TMUX": "/tmp/own,1,0", "PATH": "/nowhere"])
    var noted = false
    let error = await #expect(throws: CommandError.self) {
      _ = try await NoticeActionRun(action, options).run { noted = true }
    }
    #expect(error?.exitCode == .unavailable)
    #expect(error?.description.contains("tmux -S '/tmp/other one' attach -t %3") == true)
    #expect(!noted)
  }
}
