import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// What commands print of names and texts with characters that could act on a terminal.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct HarmlessOutputTests {
  /// CSI and OSC as one character each (C1), their usual forms, BEL, DEL, and what turns text around.
  private static let hostile = "\u{9B}31m\u{9D}0;x\u{9C}\u{1B}[2J\u{07}\u{7F}\u{85}\u{202E}"

  /// A script, a bundle and a page with such names, texts and descriptions.
  private func world() throws -> TestWorld {
    let world = try TestWorld(fixtures: ["Good"])
    try world.install()
    let hostile = Self.hostile
    let scripts = "\(world.path)/config/today/scripts"
    try FileManager.default.createDirectory(
      atPath: scripts,
      withIntermediateDirectories: true
    )
    for name in ["named", "e\(hostile)vil"] {
      let file = "\(scripts)/\(name).5m.sh"
      try world.write(
        """
        #!/bin/sh
        # today: title="a\(hostile)title" lines=\(hostile)
        # today: description="what\(hostile) it is"
        printf '%s\\n' 'some\(hostile)text'
        printf '%s\\n' 'an\(hostile)error' >&2
        """,
        to: file
      )
      #expect(unsafe chmod(file, 0o755) == 0)
    }
    try world.script(
      "sha\(hostile)re.sh",
      "# today: share accepts=public.text title=\"Sha\(hostile)re\""
    )
    let bundle = "\(world.path)/data/today/widgets/Odd.widget"
    try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
    try world.write(
      """
      { CFBundleIdentifier = "com.example.odd"; CFBundleExecutable = run;
        CFBundleDisplayName = "Odd\(hostile)name"; TodayDescription = "for\(hostile)tests";
        NSExtension = { NSExtensionPointIdentifier = "com.apple.widget-extension";
          NSExtensionPrincipalClass = "M\(hostile)"; }; }
      """,
      to: "\(bundle)/Info.plist"
    )
    try world.write("#!/bin/sh\necho '\(hostile)' >&2\nexit 3\n", to: "\(bundle)/run")
    #expect(unsafe chmod("\(bundle)/run", 0o755) == 0)
    _ = try world.installed(["add", "com.example.odd"])
    return world
  }

  /// The controls in an output other than line feeds.
  private func controls(_ bytes: some Sequence<UInt8>) -> [String] {
    String(decoding: Array(bytes), as: UTF8.self).unicodeScalars.filter { scalar in
      scalar != "\n"
        && (scalar.properties.generalCategory == .control || scalar == "\u{202E}")
    }.map { "U+\(String($0.value, radix: 16))" }
  }

  @Test func `no command prints the controls of names and texts, in JSON or as text`() throws {
    let world = try world()
    _ = try world.installed(["snapshot"])
    let commands = [
      ["list", "--json"], ["list"], ["list", "--extensions", "--json"], ["list", "--extensions"],
      ["snapshot", "--format", "json"], ["snapshot"],
      ["snapshot", "--all", "--format", "json"], ["snapshot", "--cached", "--format", "json"],
      ["doctor", "--json"], ["doctor"], ["permissions", "--json"], ["purge", "--json"], ["purge"],
      ["transfers", "--json"], ["log", "--json", "script.named"], ["log", "script.named"],
      ["log", "com.example.odd"], ["settings", "com.example.odd", "--json"],
      ["lint", "\(world.path)/data/today/widgets/Odd.widget", "--format", "json"],
      ["lint", "\(world.path)/data/today/widgets/Odd.widget"],
    ]
    for command in commands {
      let run = try world.installed(command)
      let words = command.joined(separator: " ")
      #expect(controls(run.output) == [], "\(words)")
      #expect(controls(run.errorText.utf8) == [], "\(words), standard error")
      guard words.contains("json") else { continue }
      #expect(!run.output.isEmpty, "\(words): \(run.errorText)")
      let text = run.outputText
      #expect(text.hasPrefix("[") || text.hasPrefix("{"), "\(words)")
    }
    let list = try world.installed(["list", "--json"]).outputText
    #expect(list.contains("com.example.odd") && list.contains("script.named"))
    let picture = try world.installed(["snapshot", "--format", "json", "script.named"]).outputText
    #expect(picture.contains("some") && picture.contains("title"))
  }
}
