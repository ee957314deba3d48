import Foundation
import Testing
import WidgetKitCore

@testable import EngineTestSupport
@testable import Registries
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform

/// The user's git, as it fetches registries and the files of their entries.
@Suite(.timeLimit(.minutes(5))) struct GalleryGitTests {
  private let world: RegistryWorld

  init() throws { world = try RegistryWorld() }

  @Test func `hooks, filters and templates of git do not run`() async throws {
    try world.shell(
      """
      mkdir -p templates/hooks evil
      printf '#!/bin/sh\\ntouch %s/evil/hook\\n' "$PWD" > templates/hooks/post-checkout
      for name in reference-transaction post-merge post-index-change; do
        cp templates/hooks/post-checkout templates/hooks/$name
      done
      chmod +x templates/hooks/*
      git config --global init.templateDir "$PWD/templates"
      git config --global core.hooksPath "$PWD/templates/hooks"
      git config --global core.fsmonitor "touch $PWD/evil/monitor"
      git config --global filter.evil.smudge "touch $PWD/evil/filter; cat"
      git config --global filter.lfs.smudge "touch $PWD/evil/lfs; cat"
      git config --global core.attributesFile "$PWD/attributes"
      echo '* filter=lfs' > attributes
      """
    )
    let commit = try world.commitWidget(
      more:
        "echo '* filter=evil' > .gitattributes; echo '* filter=evil' > Tides.widget/.gitattributes"
    )
    let sha256 = try world.shell(
      "GIT_CONFIG_GLOBAL=/dev/null git archive --format=tar \(commit) Tides.widget | sha256sum | cut -c1-64",
      in: world.widgets
    )
    try world.forgeEntry(commit: commit, sha256: sha256)
    try world.publishForged()
    try world.shell("rm -rf evil/*")
    try await world.addSource()
    try await world.install()
    #expect(try world.shell("ls evil") == "")
  }

  @Test func `a git that does not end is ended`() async throws {
    try world.forgeEntry(commit: try world.commitWidget())
    try world.publishForged()
    try await world.addSource()
    try world.write("#!/bin/sh\nexec sleep 1000\n", to: "\(world.path)/bin/git")
    try world.shell("chmod +x bin/git")
    var limits = TreeLimits()
    limits.time = .milliseconds(300)
    let words = await world.refusal(limits: limits)
    #expect(words.contains("git did not end within 0 s"), "\(words)")
    #expect(try await world.problems(limits).first?.contains("git did not end") == true)
    #expect(world.leftovers == [])
  }

  @Test func `a git that fetches without end is ended`() async throws {
    try world.forgeEntry(commit: try world.commitWidget())
    try world.publishForged()
    try await world.addSource()
    try world.write(
      """
      #!/bin/sh
      for last; do :; done
      case " $* " in
      *" init "*) exec /usr/bin/git "$@" ;;
      esac
      while [ "$1" = -c ]; do shift 2; done
      i=0
      while :; do i=$((i + 1)); head -c 100000 /dev/zero > "${1#--git-dir=}/objects/x$i"; done
      """,
      to: "\(world.path)/bin/git"
    )
    try world.shell("chmod +x bin/git")
    var limits = TreeLimits()
    limits.bytes = 2 << 20
    let words = await world.refusal(limits: limits)
    #expect(words.contains("it has more than 2 MiB"), "\(words)")
    #expect(world.leftovers == [])
  }

  @Test func `what git prints cannot act on the terminal`() async throws {
    try world.forgeEntry(commit: try world.commitWidget())
    try world.publishForged()
    try await world.addSource()
    try world.write(
      "#!/bin/sh\nprintf 'fatal: \\033]0;evil\\007\\033[2J\\n' >&2\nexit 1\n",
      to: "\(world.path)/bin/git"
    )
    try world.shell("chmod +x bin/git")
    let all = try await world.problems() + [await world.refusal()]
    #expect(all.count == 2 && all.allSatisfy { !$0.utf8.contains { $0 < 0x20 } }, "\(all)")
  }

  @Test(arguments: [
    "ext::sh -c evil", "--upload-pack=evil", "https://user:word@example.org/x",
    "git://example.org/x",
    "http://example.org/x", "ssh://-oProxyCommand=evil/x", "file://server/x", "../x",
    "https://-x/y",
    "https://example.org/a b", "https://example.org/\u{1B}[2J", "ssh://a@b@c/x", "file:///",
  ])
  func `an address of another kind is none`(text: String) {
    #expect(RegistrySource.Place(text) == nil)
  }

  @Test(arguments: [
    "https://example.org/x.git", "ssh://git@example.org:22/x", "file:///srv/x", "/usr/share/x",
  ])
  func `addresses and folders`(text: String) {
    #expect(RegistrySource.Place(text)?.description == text)
  }

  @Test func `a registry from the net cannot name a repository of this machine`() async throws {
    try world.forgeEntry(commit: try world.commitWidget())
    try world.forgeIndex(serial: 1)
    let place = try #require(RegistrySource.Place("https://example.org/x.git"))
    let check = SignatureCheck(environment: world.environment, folder: "\(world.path)/checks")
    let checked = try await RegistryFolder(world.registry)
      .checked(for: RegistrySource(place: place, key: nil), check)
    #expect(checked.entries == [])
    #expect(
      checked.problems.first?.string.contains("it names a repository on this machine") == true
    )
  }
}
