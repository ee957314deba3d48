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

  @Test(arguments: [
    ("DBUS_SESSION_BUS_ADDRESS", "unixexec:path=/bin/sh,argv1=-c,argv2=id", false),
    ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/run/user/7/bus;unixexec:path=/bin/sh", false),
    ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/run/user/7/bus", true),
    ("XDG_CONFIG_HOME", "/tmp", false), ("XDG_CONFIG_HOME", "/tmp/nobody-has-this", false),
    ("XDG_CONFIG_HOME", "relative", false), ("XDG_CONFIG_HOME", "/usr/../tmp", false),
    ("XDG_CONFIG_HOME", "/usr/share/there-is-none", true), ("PATH", "/usr/bin:/tmp", false),
    ("PATH", "/usr/bin::/bin", false), ("PATH", "/usr/bin:/bin", true),
    ("TZ", "Europe/Vienna", true), ("TZ", ":/etc/passwd", false), ("TZ", "/etc/passwd", false),
  ])
  func `folders stay that no other user can change, and no address that starts programs`(
    _ name: String,
    _ value: String,
    _ stays: Bool
  ) {
    let found = LoginEnvironment([name: value], localeFiles: [])
    #expect(found.variables[name] == (stays ? value : nil))
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
