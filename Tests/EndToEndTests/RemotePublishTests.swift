import Foundation
import Glibc
import Testing
import WidgetTestSupport

/// A page as a web page on another machine, through a real sshd on the loopback.
@Suite(
  .enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"),
  .enabled(if: SecureShellServer.isThere, "no sshd; install openssh-server"),
  .timeLimit(.minutes(5)),
  .serialized
)
struct RemotePublishTests {
  private let world: TestWorld

  init() throws {
    world = try TestWorld(fixtures: ["Good", "Counting"])
  }

  private func program(
    _ server: SecureShellServer,
    _ arguments: [String],
    place: String = "there:www"
  ) throws -> ProgramDescription {
    var program = world.today(["publish", "Home", "--to", place] + arguments)
    program.environment["PATH"] = "\(try server.makeClient()):/usr/bin:/bin"
    return program
  }

  private func run(
    _ server: SecureShellServer,
    _ arguments: [String],
    place: String = "there:www"
  ) throws -> ProgramRun {
    try ProgramRun(try program(server, arguments, place: place))
  }

  private func folder(_ server: SecureShellServer) -> String { "\(server.there.path)/home/www" }

  private func text(_ server: SecureShellServer, _ name: String = "index.html") -> String {
    (try? String(contentsOfFile: "\(folder(server))/\(name)", encoding: .utf8)) ?? ""
  }

  private func inode(_ server: SecureShellServer, _ name: String) -> UInt {
    var status = stat()
    return unsafe lstat("\(folder(server))/\(name)", &status) == 0 ? UInt(status.st_ino) : 0
  }

  @Test func `the page is there through one connection, and only what has changed is sent`() throws
  {
    let server = try SecureShellServer(hasProgram: false)
    let terminal = try PseudoTerminal(
      try program(server, ["--yes", "--every", "1s"]),
      columns: 100,
      rows: 30
    )
    try terminal.waitForText("published: 2 cards, there:www/index.html")
    #expect(text(server).hasSuffix("</html>\n") && text(server).contains("All is well"))
    let picture = "card-com.example.fixture.good.svg"
    let (page, card) = (inode(server, "index.html"), inode(server, picture))
    #expect(page != 0 && card != 0)
    #expect(
      try world.run(["has-content", "com.example.fixture.counting", "off"]).status
        == .exited(code: 0)
    )
    try terminal.wait(for: "the page without the card") { _ in
      !text(server).contains("<h2>Counting</h2>")
    }
    #expect(inode(server, picture) == card && inode(server, "index.html") != page)
    try terminal.wait(for: "the end of its picture") { _ in
      inode(server, "card-com.example.fixture.counting.svg") == 0
    }
    #expect(server.acceptedCount == 1 && server.attemptCount == 1)
    terminal.signal(SIGTERM)
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
    // What is there already is not sent again by the next run, unless it has the time of another minute.
    var isKept = false
    for _ in 1...3 where !isKept {
      let before = inode(server, picture)
      #expect(try run(server, ["--once"]).status == .exited(code: 0))
      isKept = inode(server, picture) == before
    }
    #expect(isKept)
  }

  @Test func `a machine that is away is said in words, and gets the page when it is back`() throws {
    let server = try SecureShellServer(hasProgram: false)
    server.stop()
    let once = try run(server, ["--once", "--yes"])
    #expect(once.status == .exited(code: 69))
    #expect(once.errorText.contains("there: unreachable since"), "\(once.errorText)")
    let terminal = try PseudoTerminal(
      try program(server, ["--every", "1s"]),
      columns: 120,
      rows: 30
    )
    try terminal.waitForText("trying again")
    try server.start()
    try terminal.waitForText("published: 2 cards")
    #expect(text(server).contains("All is well"))
    terminal.signal(SIGINT)
    try terminal.waitForEnd()
  }

  @Test func `files of others, and a folder in the place of a file, stay as they are`() throws {
    let server = try SecureShellServer(hasProgram: false)
    mkdir(folder(server), 0o755)
    try world.write("mine", to: "\(folder(server))/notes.txt")
    // The cards are agreed to, the folder is not.
    let agreed = ["--once", "--only", "com.example.fixture.good"]
    let refused = try run(server, agreed)
    #expect(refused.status == .exited(code: 77))
    #expect(refused.errorText.contains("notes.txt"), "\(refused.errorText)")
    #expect(text(server, ".today-publish.json").isEmpty)
    #expect(try run(server, agreed + ["--yes"]).status == .exited(code: 0))
    #expect(text(server, "notes.txt") == "mine" && text(server).contains("All is well"))
    // A link to a folder is replaced, not followed.
    let other = "\(server.there.path)/other"
    mkdir(other, 0o755)
    #expect(try world.run(["reload", "com.example.fixture.good"]).status == .exited(code: 0))
    unlink("\(folder(server))/.today-publish.json")
    unlink("\(folder(server))/page.svg")
    #expect(symlink(other, "\(folder(server))/page.svg") == 0)
    #expect(try run(server, agreed + ["--yes"]).status == .exited(code: 0))
    #expect(text(server, "page.svg").contains("<svg"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: other) == [])
    // A folder is in its place.
    unlink("\(folder(server))/index.html")
    unlink("\(folder(server))/.today-publish.json")
    mkdir("\(folder(server))/index.html", 0o755)
    let blocked = try run(server, agreed + ["--yes"])
    #expect(blocked.status == .exited(code: 69))
    #expect(
      blocked.errorText.contains("a folder is in the place of a file: index.html"),
      "\(blocked.errorText)"
    )
  }

  @Test func `what is there beside the page, and another page, is not written over`() throws {
    let server = try SecureShellServer(hasProgram: false)
    let only = ["--once", "--only", "com.example.fixture.good"]
    #expect(try run(server, only).status == .exited(code: 0))
    let picture = "card-com.example.fixture.counting.svg"
    try world.write("mine", to: "\(folder(server))/\(picture)")
    let page = text(server)
    let both =
      ["--once"] + [
        "--only", "com.example.fixture.good", "--only", "com.example.fixture.counting",
      ]
    for _ in 0..<2 {
      let refused = try run(server, both)
      #expect(refused.status == .exited(code: 77))
      #expect(refused.errorText.contains("www/\(picture) was not written"), "\(refused.errorText)")
      #expect(text(server, picture) == "mine" && text(server) == page)
    }
    #expect(try run(server, only + ["--yes"]).status == .exited(code: 0))
    try world.install()
    let add = ["add", "com.example.fixture.counting", "--page", "Work"]
    #expect(try world.installed(add).status == .exited(code: 0))
    var work = world.installedProgram([
      "publish", "Work", "--to", "there:www", "--once", "--only", "com.example.fixture.counting",
    ])
    work.environment["PATH"] = "\(try server.makeClient()):/usr/bin:/bin"
    let other = try ProgramRun(work)
    #expect(other.status == .exited(code: 77))
    #expect(other.errorText.contains("there:www has the page “Home”"), "\(other.errorText)")
    #expect(text(server).contains("<h1>Home</h1>"))
  }

  @Test(arguments: ["there:", "-x:www", "a b:www"])
  func `a place that could be something else is refused`(_ place: String) throws {
    let server = try SecureShellServer(hasProgram: false)
    #expect(try run(server, ["--once", "--yes"], place: place).status == .exited(code: 64))
    #expect(server.attemptCount == 0)
  }
}
