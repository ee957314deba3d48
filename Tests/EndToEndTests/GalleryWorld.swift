import FoundationEssentials
import Testing
import WidgetTestSupport

/// The installed program of a user, with a registry that is made with it and signed.
struct GalleryWorld {
  let user: TestWorld
  var path: String { user.path }
  var registry: String { "\(path)/Lists" }
  var address: String { "file://\(registry)" }

  init() throws {
    user = try TestWorld()
    try user.install()
    try shell("git config --global user.name A; git config --global user.email a@example.com")
  }

  @discardableResult
  func shell(_ command: String) throws -> ProgramRun {
    let run = try ProgramRun(
      ProgramDescription(
        "/bin/sh",
        ["-ec", command],
        environment: user.environment(term: nil).merging(["TODAY": BuiltProgram.path ?? ""]) {
          $1
        },
        directory: path
      )
    )
    #expect(run.status == .exited(code: 0), "\(command): \(run.errorText)")
    return run
  }

  func gallery(_ arguments: String...) throws -> ProgramRun {
    try user.installed(["gallery"] + arguments)
  }

  /// Makes a registry with one script, signed.
  func makeRegistry() throws {
    #expect(try user.installed(["new", "Lists", "--kind", "gallery"]).outputText == "Lists\n")
    try shell("git init -q Lists")
    try release()
  }

  /// Changes the registry, and signs and commits its list.
  func release(_ change: String = ":") throws {
    try shell("cd Lists; \(change)")
    let indexed = try gallery("index", registry)
    #expect(indexed.status == .exited(code: 0), "\(indexed.errorText)")
    try shell(
      """
      [ -f key ] || minisign -G -W -p Lists/minisign.pub -s key >/dev/null
      cd Lists; minisign -S -s ../key -m index.json >/dev/null
      git add -A; git commit -qm x
      """
    )
  }

  func addRegistry() throws {
    let added = try gallery("sources", "add", address, "--key", "\(registry)/minisign.pub")
    #expect(added.status == .exited(code: 0), "\(added.errorText)")
  }
}
