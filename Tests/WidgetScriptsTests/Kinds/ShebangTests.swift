import Testing

@testable import WidgetScripts

/// The first lines of scripts that were written for other systems.
@Suite struct ShebangTests {
  private static let programs = [
    "/usr/bin/env", "/usr/bin/python3", "/usr/bin/node", "/bin/bash", "/bin/sh", "/usr/bin/perl",
  ]

  private func command(_ line: String) -> String? {
    Shebang(Array((line + "\nrest = 1").utf8))?.command(for: "/s/x") { name in
      Self.programs.first { $0 == name || (!name.contains("/") && $0.hasSuffix("/\(name)")) }
    }?.joined(separator: "|")
  }

  @Test(arguments: [
    "#!/bin/bash", "#!/bin/sh -e", "#!/usr/bin/env node", "#! /usr/bin/perl -w", "#!/nowhere/x",
    "#!/usr/bin/env nowhere", "#!/usr/bin/env -i python3", "#!", "echo", "#!/usr/bin/env",
    "#!/usr/bin/env VAR=x",
  ])
  func `what the kernel runs as it was meant, or nobody can run, stays`(line: String) {
    #expect(command(line) == nil)
  }

  @Test(arguments: [
    (
      "#!/usr/bin/env PYTHONIOENCODING=UTF-8 python3",
      "/usr/bin/env|PYTHONIOENCODING=UTF-8|/usr/bin/python3|/s/x"
    ),
    (
      "#!/usr/bin/env -S A=1 B=2 node --no-warnings",
      "/usr/bin/env|A=1|B=2|/usr/bin/node|--no-warnings|/s/x"
    ),
    ("#!/usr/bin/env -S -P/opt node", nil),
    ("#!/usr/bin/env -S -P /opt/bin node", "/usr/bin/env|/usr/bin/node|/s/x"),
    ("#!/usr/bin/env /usr/local/bin/node", "/usr/bin/env|/usr/bin/node|/s/x"),
    ("#!/usr/bin/env python", "/usr/bin/env|/usr/bin/python3|/s/x"),
    // Line ends of Windows.
    ("#!/usr/bin/env python3\r", "/usr/bin/env|/usr/bin/python3|/s/x"),
    ("#!/bin/sh -e\r", "/bin/sh|-e|/s/x"),
    ("#!/usr/bin/python", "/usr/bin/python3|/s/x"),
    ("#!/usr/local/bin/bash", "/bin/bash|/s/x"),
    ("#!/opt/homebrew/bin/python3 -u -B", "/usr/bin/python3|-u -B|/s/x"),
    ("#!/usr/local/bin/bash\r", "/bin/bash|/s/x"),
  ])
  func `what would loop, or has its interpreter elsewhere, is run`(line: String, expected: String?)
  {
    #expect(command(line) == expected)
  }
}
