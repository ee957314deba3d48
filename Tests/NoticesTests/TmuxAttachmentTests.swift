import Testing

@testable import Notices

/// The command that shows a pane in another terminal.
@Suite struct TmuxAttachmentTests {
  @Test(
    arguments: [
      (nil, "tmux attach -t %3"), ("/tmp/tmux-7/default", "tmux attach -t %3"),
      ("/tmp/tmux-7/work", "tmux -L work attach -t %3"),
      ("/tmp/tmux-7/my work", "tmux -L 'my work' attach -t %3"),
      ("/tmp/tmux-8/default", "tmux -S /tmp/tmux-8/default attach -t %3"),
      ("/tmp/tmux-7/", "tmux -S /tmp/tmux-7/ attach -t %3"),
      ("/tmp/tmux-7/a/b", "tmux -S /tmp/tmux-7/a/b attach -t %3"),
    ] as [(String?, String)]
  )
  func `it names the socket as shortly as tmux finds it`(socket: String?, expected: String) {
    #expect(TmuxAttachment.command(to: "%3", on: socket, user: 7) == expected)
  }
}
