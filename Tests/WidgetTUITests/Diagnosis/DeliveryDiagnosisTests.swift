import Testing
import WidgetKitCore
import WidgetPlatform

@testable import Notices
@testable import WidgetTUI

/// What `today doctor` says of the terminal of tmux.
@Suite struct DeliveryDiagnosisTests {
  private func words(_ answer: String) -> [String] {
    let diagnosis = DeliveryDiagnosis(NoticeSettings(), environment: [:], identity: nil)
    return diagnosis.findings(of: TmuxClient(answer: answer)).map(\.what.string)
  }

  private nonisolated static let off = "tmux does not pass them on to the terminal"

  @Test(
    arguments: [
      ("xterm-kitty\t\t1\t1\t1\n", ["the terminal of tmux shows them (OSC 99)"]),
      ("xterm-kitty\t\t0\t1\t1\n", [off]),
      (
        "xterm-256color\t\t1\t1\t1\n",
        ["the terminal of tmux is not known to show any; the next of notices.deliver is used"]
      ),
      (
        "xterm-256color\t\t0\t1\t1\n",
        [off, "the terminal of tmux is not known to show any; the next of notices.deliver is used"]
      ),
      // Nobody looks at the session now.
      (
        "\t\t0\t0\t0\n",
        [
          off,
          "the last terminal of tmux is not known to show any; the next of notices.deliver is used",
        ]
      ),
      ("", ["tmux did not say which terminal it is in"]),
    ]
  )
  func `it says whether tmux passes notices on, whichever terminal it is in`(
    answer: String,
    expected: [String]
  ) {
    #expect(words(answer) == expected)
  }
}
