import FoundationEssentials
import Testing
import WidgetTestSupport

/// `today gallery publish` and `index`, with repositories of git that are made here.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct GalleryPublishingTests {
  private let world: GalleryWorld

  init() throws { world = try GalleryWorld() }

  @Test func `a bundle is checked, and proposed as a patch that the maintainer applies`() throws {
    try world.makeRegistry()
    let made = try world.user.installed([
      "new", "Beacon", "--kind", "widget", "--language", "script",
    ])
    #expect(made.status == .exited(code: 0), "\(made.errorText)")
    let name = try #require(made.outputText.split(separator: "\n").first.map(String.init))
    try world.shell(
      """
      mkdir tools; mv \(made.outputText.replacing("\n", with: " ")) tools
      git init -q tools; cd tools; git add -A; git commit -qm x
      git clone -q --bare . ../tools.git; git remote add origin file://$PWD/../tools.git
      """
    )
    let bundle = "\(world.path)/tools/\(name)"
    let arguments = ["gallery", "publish", bundle, "--to", world.address, "--license", "MIT"]
    let asked = try world.user.installed(arguments)
    #expect(asked.status == .exited(code: 1), "\(asked.errorText)")
    let published = try world.user.installed(arguments + ["--yes"])
    #expect(published.status == .exited(code: 0), "\(published.errorText)")
    // Nothing is left of what the widget has stored for its picture.
    #expect(!FileManager.default.fileExists(atPath: "\(world.path)/sample"))
    try world.shell("cd Lists; git am -q ../*.patch; ls entries pictures")
    try world.release()
    try world.addRegistry()
    #expect(try world.gallery("search", "beacon").outputText.contains("script.beacon  1.0.0"))
    #expect(try world.gallery("install", "script.beacon", "--yes").status == .exited(code: 0))
    try world.user.write("more", to: bundle)
    #expect(
      try world.user.installed(arguments).errorText.contains("changes that are not committed")
    )
  }

  @Test func `publishing writes through no link of a registry, and runs no filter`() throws {
    try world.makeRegistry()
    try world.shell(
      """
      mkdir -p tools outside
      git config --global filter.evil.smudge "touch \(world.path)/evil; cat"
      git config --global filter.evil.clean "touch \(world.path)/evil; cat"
      printf '#!/bin/sh\\necho up\\n' > tools/beacon.1m.sh; chmod +x tools/beacon.1m.sh
      git init -q tools; cd tools; git add -A; git commit -qm x
      git clone -q --bare . ../tools.git
      cd ../Lists; git rm -rq --cached pictures || :; rm -rf pictures; ln -s ../../../outside pictures
      echo '* filter=evil' > .gitattributes; git add -A; git commit -qm x; rm -f ../evil
      """
    )
    let arguments = [
      "gallery", "publish", "\(world.path)/tools/beacon.1m.sh", "--to", world.address, "--license",
      "MIT", "--yes",
    ]
    let lonely = try world.user.installed(arguments)
    #expect(lonely.errorText.contains("git remote add origin ADDRESS"), "\(lonely.errorText)")
    try world.shell("cd tools; git remote add origin file://$PWD/../tools.git")
    let refused = try world.user.installed(arguments)
    #expect(refused.status != .exited(code: 0))
    #expect(refused.errorText.contains("the folder pictures: not a folder"), "\(refused.errorText)")
    try world.shell("cd Lists; git rm -q pictures; git commit -qm x; rm -f ../evil")
    let published = try world.user.installed(arguments)
    #expect(published.status == .exited(code: 0), "\(published.errorText)")
    #expect(try world.shell("ls outside; ls evil || :; ls cache/today/gallery").outputText == "")
  }

  @Test func `with gh a bundle becomes a pull request from a fork`() throws {
    try world.makeRegistry()
    try world.shell(
      """
      git clone -q --bare Lists fork.git
      git config --global url."\(world.address)".insteadOf https://github.com/example/lists
      mkdir -p bin tools
      cat > bin/gh <<'END'
      #!/bin/sh
      case "$1 $2" in
      "api user") echo me ;;
      "repo fork") git remote add fork "\(world.path)/fork.git" ;;
      "pr create") printf '%s\\n' "$*" > "\(world.path)/request"; echo https://github.com/example/lists/pull/7 ;;
      esac
      END
      chmod +x bin/gh
      printf '#!/bin/sh\\necho up\\n' > tools/beacon.1m.sh; chmod +x tools/beacon.1m.sh
      git init -q tools; cd tools; git add -A; git commit -qm x
      git clone -q --bare . ../tools.git; git remote add origin file://$PWD/../tools.git
      """
    )
    var program = world.user.installedProgram([
      "gallery", "publish", "\(world.path)/tools/beacon.1m.sh", "--to",
      "https://github.com/example/lists", "--license", "MIT", "--yes", "--json",
    ])
    program.environment["PATH"] = "\(world.path)/bin:/usr/bin:/bin"
    let run = try ProgramRun(program)
    #expect(run.status == .exited(code: 0), "\(run.errorText)")
    #expect(run.outputText.contains("https://github.com/example/lists/pull/7"))
    let request = try world.shell(
      "cat request; git -C fork.git ls-tree -r script.beacon-1.0.0 entries"
    )
    #expect(request.outputText.contains("--repo example/lists --head me:script.beacon-1.0.0"))
    #expect(request.outputText.contains("entries/script.beacon.json"))
  }

  @Test func `the checks of the template pass, and find what is wrong`() throws {
    try world.makeRegistry()
    try world.shell("Lists/check")
    try world.shell(
      "echo '# more' >> Lists/scripts/hello.1h.sh; sed -i 's/1.0.0/x/' Lists/entries/*.json"
    )
    let wrong = try world.gallery("index", world.registry)
    #expect(wrong.status == .exited(code: 1))
    #expect(wrong.errorText.contains("entries/script.hello.json: version: expected"))
  }
}
