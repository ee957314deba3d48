import Foundation
import Testing

@testable import WidgetTUI

@Suite struct LoginEnvironmentTests {
  @Test func `a login keeps its terminal and nothing that changes programs`() {
    let found = LoginEnvironment(
      [
        "HOME": "/home/page", "PATH": "/usr/bin", "TERM": "xterm-256color", "LANG": "de_DE.UTF-8",
        "LC_ALL": "C", "LD_PRELOAD": "/tmp/x.so", "TODAY_X": "1", "TERMINFO": "/tmp",
        "SSH_ORIGINAL_COMMAND": "id", "XDG_RUNTIME_DIR": "/run/user/7", "GCONV_PATH": "/tmp",
      ],
      localeFiles: []
    )
    #expect(
      found.variables == [
        "HOME": "/home/page", "PATH": "/usr/bin", "TERM": "xterm-256color", "LANG": "C.UTF-8",
        "XDG_RUNTIME_DIR": "/run/user/7",
      ]
    )
  }

  @Test(arguments: ["../../etc/passwd", "", "a b", "\u{1B}[2J", String(repeating: "x", count: 65)])
  func `a terminal whose name is none has none`(_ name: String) {
    #expect(LoginEnvironment(["TERM": name], localeFiles: []).variables["TERM"] == nil)
  }

  @Test(
    arguments: [
      ("LANG=de_AT.UTF-8\n", "de_AT.UTF-8"),
      ("# x\nLANG=\"nl_NL.utf8\"\nLC_TIME=x\n", "nl_NL.utf8"),
      ("LANG=C\n", "C.UTF-8"), ("LANG=/tmp/x.UTF-8\n", "C.UTF-8"), ("", "C.UTF-8"),
    ]
  )
  func `the language of a public page is that of the machine`(_ text: String, _ language: String)
    throws
  {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let found = LoginEnvironment(["LANG": "xx_XX"], localeFiles: [file.path()])
    #expect(found.variables["LANG"] == language)
  }
}
