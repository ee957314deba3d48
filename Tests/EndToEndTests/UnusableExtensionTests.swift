import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// What is said of a share extension or an action that is there and cannot be used.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct UnusableExtensionTests {
  private let world: TestWorld
  private let scripts: String

  init() throws {
    world = try TestWorld()
    scripts = "\(world.path)/config/today/scripts"
  }

  /// The errors of a command line that passes text to an extension.
  private func errors(_ line: String) throws -> String {
    var environment = world.environment(term: nil)
    environment["today"] = BuiltProgram.path
    let run = try ProgramRun(
      ProgramDescription(
        "/bin/sh",
        ["-c", "printf a | \"$today\" \(line)"],
        environment: environment,
        directory: world.path
      )
    )
    #expect(run.status == .exited(code: 66), "\(run.errorText)")
    return run.errorText
  }

  @Test func `a script that is not executable is named with its path`() throws {
    for (name, beginning) in [("wrap", "#!/bin/sh\n"), ("bare", "")] {
      try world.script("\(name).sh", "")
      let line = "# today: action accepts=public.text\ncat\n"
      try world.write(beginning + line, to: "\(scripts)/\(name).sh")
      #expect(unsafe chmod("\(scripts)/\(name).sh", 0o644) == 0)
      for given in [name, "script.\(name)", "\(name).sh"] {
        let text = try errors("act --with \(given)")
        let place = "“\(given)” cannot be used: \(scripts)/\(name).sh"
        #expect(text.hasPrefix("today: \(place)"), "\(text)")
        #expect(text.contains("not executable") && text.contains("chmod +x"), "\(text)")
      }
    }
  }

  @Test func `a mistake in the lines of a script is named with its place`() throws {
    try world.script("post.sh", "\n# today: share accepts=public.text leaves=maybe\ncat")
    let text = try errors("share --yes --with post")
    #expect(
      text == """
        today: “post” cannot be used: \(scripts)/post.sh:3: today: share leaves is "maybe"; expected true or false

        """
    )
  }

  @Test func `a script without a line for content is a card`() throws {
    try world.script("plain.sh", "echo hello")
    let text = try errors("act --with plain")
    #expect(
      text.hasPrefix("today: “plain” is a card: no line of \(scripts)/plain.sh begins with"),
      "\(text)"
    )
  }

  @Test func `a bundle whose manifest is no property list is named with the line`() throws {
    let folder = "\(world.path)/bundles/Keep.appex"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try world.write(
      "{ CFBundleIdentifier = \"com.example.Keep\";\n  CFBundleExecutable = keep\n}\n",
      to: "\(folder)/Info.plist"
    )
    let text = try errors("--widgets bundles act --with keep")
    #expect(text.contains("“keep” cannot be used: \(folder)/Info.plist is not"), "\(text)")
    #expect(text.contains("not a property list: line 3 has no ; before }"), "\(text)")
    let other = try errors("--widgets bundles act --with kep")
    #expect(other.contains("no share or action extension “kep”"), "\(other)")
  }
}
