import Foundation
import Glibc
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetScripts

@Suite("The list of a folder on another machine")
struct FolderListingTests {
  private let world: TestWorld

  init() throws {
    world = try TestWorld()
  }

  /// Runs what would be run there, in a shell of this machine.
  private func list(_ folder: String, greeting: String = "") throws -> ProgramRun {
    let command = RemoteCommand(
      destination: try #require(RemoteDestination("server")),
      program: "/usr/bin/ssh",
      socket: "/nowhere"
    )
    let line = try #require(command.listing(of: folder).last)
    return try ProgramRun(
      ProgramDescription(
        "/bin/sh",
        ["-c", greeting + line],
        environment: world.environment(term: nil)
      )
    )
  }

  private func write(_ name: String, _ text: String, mode: mode_t = 0o755) throws {
    let folder = "\(world.path)/home/xbar"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try world.write(text, to: "\(folder)/\(name)")
    #expect(unsafe chmod("\(folder)/\(name)", mode) == 0)
  }

  @Test func `has the beginnings of what can be run, whatever it is called`() throws {
    try write("load.5s.sh", "#!/bin/sh\n# today: title=Load\n")
    try write("it's \"my\" $(id) café.py", "x")
    try write("-n", "minus")
    try write("big.sh", String(repeating: "# comment\n", count: 10_000))
    try write("load.5s.sh.vars.json", "{}", mode: 0o644)
    try write("data.txt", "no program", mode: 0o644)
    try write(".hidden", "hidden")
    try write("empty", "")
    try FileManager.default.createDirectory(
      atPath: "\(world.path)/home/xbar/folder",
      withIntermediateDirectories: false
    )
    #expect(unsafe mkfifo("\(world.path)/home/xbar/pipe", 0o777) == 0)
    // A login shell may say something first.
    let run = try list("~/xbar", greeting: "echo \"Welcome, you have mail\"; printf \"\\0\"; ")
    #expect(run.status == .exited(code: 0), "\(run.errorText)")
    let listing = try #require(FolderListing(run.output))
    #expect(
      listing.files.keys.sorted() == [
        "-n", "big.sh", "empty", "it's \"my\" $(id) café.py", "load.5s.sh", "load.5s.sh.vars.json",
      ]
    )
    #expect(listing.files["load.5s.sh"] == Array("#!/bin/sh\n# today: title=Load\n".utf8))
    #expect(listing.files["big.sh"]?.count == FolderListing.headBytes)
    #expect(listing.files["empty"] == [])
    #expect(listing.omitted == 0)
  }

  @Test func `leaves out names that deceive, and what is too many`() throws {
    for name in ["a\u{1B}]0;b.sh", "line\nfeed.sh", "abc\u{202E}hs.sh", "x.12.tmp"] {
      try write(name, "echo \(name)")
    }
    let few = try #require(FolderListing(try list("\(world.path)/home/xbar/").output))
    #expect(few.files.isEmpty && few.omitted == 4)
    for number in 0..<(FolderListing.fileLimit + 3) { try write("z\(number).sh", "echo") }
    let many = try #require(FolderListing(try list("~/xbar").output))
    #expect(many.files.count == FolderListing.fileLimit - 4)
    #expect(many.omitted == 11)
  }

  @Test func `of a folder that is missing is none`() throws {
    let run = try list("~/nowhere")
    #expect(run.status == .exited(code: FolderListing.missingFolder))
    #expect(FolderListing(run.output) == nil)
    try FileManager.default.createDirectory(
      atPath: "\(world.path)/home/xbar",
      withIntermediateDirectories: true
    )
    #expect(FolderListing(try list("~/xbar").output)?.files == [:])
  }

  @Test(arguments: [
    "", "\0today\0", "\0today\0a\0", "\0today\0a\u{0}5\0abc", "\0today\0a\u{0}-1\0\0\u{30}\0",
    "\0today\0a\u{0}99999999999999999999\0x", "\0today\0a\u{0}x\0", "\0today\0\0",
    "\0today\0\0-5\0",
    "\0today\0" + String(repeating: "a", count: 300) + "\u{0}1\0x\0\u{30}\0",
  ])
  func `that is broken is none`(text: String) {
    #expect(FolderListing(Array(text.utf8)) == nil)
  }

  @Test func `cannot name files of another folder`() throws {
    let mark = "\0today\0"
    let text = ["../a", "..", ".", "/etc/passwd", "b/c"].map { "\($0)\u{0}1\0x" }.joined()
    let listing = try #require(
      FolderListing(Array((mark + text + "good\u{0}2\0ok\0\u{36}\0").utf8))
    )
    #expect(listing.files == ["good": Array("ok".utf8)])
    #expect(listing.omitted == 5)
  }

  @Test func `is kept, and says whether it is another one`() throws {
    let path = "\(world.path)/cache/today/machines/x"
    func listing(_ files: [(String, String)]) throws -> FolderListing {
      let text = files.map { "\($0)\u{0}\($1.utf8.count)\0\($1)" }.joined()
      return try #require(
        FolderListing(Array("\0today\0\(text)\0\(files.count)\0".utf8))
      )
    }
    func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }
    #expect(try listing([("a", "one"), ("b", "two")]).keep(in: path))
    #expect(try !listing([("a", "one"), ("b", "two")]).keep(in: path))
    #expect(try names() == ["a", "b"])
    #expect(try listing([("a", "other"), ("b", "two")]).keep(in: path))
    #expect(try listing([("b", "two")]).keep(in: path))
    #expect(try names() == ["b"])
    #expect(!FileManager.default.isExecutableFile(atPath: "\(path)/b"))
  }

  // MARK: - What is found in it

  @Test func `has its scripts on that machine, whatever they say`() throws {
    let settings = UserConfiguration(
      bytes: Array(
        """
        { sources: [{ folder: "~/xbar", format: "xbar", host: "me@server" }],
          widgets: { "script.server.load": { title: "Mine", host: "elsewhere" } } }
        """.utf8
      ),
      path: "config.json"
    )
    #expect(settings.problems == [])
    var paths = SearchPaths(environment: world.environment(), executable: nil)
    paths.add(settings.settings.scripts, environment: world.environment())
    let source = try #require(paths.sources.last)
    #expect(source.folder.hasPrefix("\(world.path)/cache/today/machines/"))
    let text = "# today: host=evil title=Load interval=5s\necho"
    _ = try #require(
      FolderListing(
        Array("\0today\0load.9s.sh\u{0}\(text.utf8.count)\0\(text)\0\u{31}\0".utf8)
      )
    ).keep(in: source.folder)
    try world.write("echo", to: "\(source.folder)/half.123.tmp")
    let catalog = BundleCatalog.scan(paths)
    #expect(catalog.problems == [])
    #expect(catalog.widgets.map(\.bundleIdentifier) == ["script.server.load"])
    let widget = try #require(catalog.widgets.first)
    #expect(widget.displayName == "Mine · server")
    #expect(widget.script?.pathThere == "~/xbar/load.9s.sh")
    #expect(widget.script?.options.host?.description == "me@server")
    #expect(widget.script?.options.format == .xbar)
    #expect(widget.script?.interval == 5)
    #expect(widget.place == "me@server:~/xbar/load.9s.sh")
    let again = try widget.readAgain(options: [:])
    #expect(again.displayName == "Load · server")
    #expect(again.script?.options.host?.description == "me@server")
  }
}
