import Foundation
import Testing
import WidgetKitCore

@testable import EngineTestSupport
@testable import Registries
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform

/// What a registry, a repository or somebody between tries, each refused with its words.
@Suite(.timeLimit(.minutes(5))) struct GalleryAttackTests {
  private let world: RegistryWorld

  init() throws { world = try RegistryWorld() }

  // MARK: - The list

  @Test func `a list that the pinned key has not signed is refused, and the old one stays`()
    async throws
  {
    try #require(world.hasMinisign)
    try world.forgeEntry(commit: try world.commitWidget())
    try world.publishForged(signs: true)
    try await world.addSource()
    try world.forgeEntry(version: "2.0", commit: try world.commitWidget("2"))
    try world.forgeIndex(serial: 2)
    try world.commitRegistry()
    let problems = try await world.problems()
    #expect(problems.count == 1)
    #expect(
      problems.first?.hasPrefix(
        "file://WORLD/registry: index.json is not signed by the key of this registry, minisign "
      ) == true,
      "\(problems)"
    )
    let found = try await world.gallery().find(.present)
    #expect(found.listings.map(\.entry.version.description) == ["1.0"])
  }

  @Test func `another key, also one that the registry offers now, is refused`() async throws {
    try #require(world.hasMinisign)
    try world.forgeEntry(commit: try world.commitWidget())
    try world.publishForged(signs: true)
    try await world.addSource()
    try world.shell("rm secret.key")
    try world.publishForged(serial: 2, signs: true)
    #expect(try await world.problems().first?.contains("is not signed by the key") == true)
  }

  @Test func `a registry that was signed and is not any more is refused`() async throws {
    try #require(world.hasMinisign)
    try world.forgeEntry(commit: try world.commitWidget())
    try world.publishForged(signs: true)
    try await world.addSource()
    try world.shell("git rm -q index.json.minisig && git commit -qm x", in: world.registry)
    #expect(
      try await world.problems().first?.contains(
        "index.json.minisig is missing: this registry was signed when it was added"
      ) == true
    )
  }

  @Test func `a list signed by gpg is checked by gpgv`() async throws {
    try world.forgeEntry(commit: try world.commitWidget())
    try world.forgeIndex(serial: 1)
    try world.shell(
      """
      mkdir -m 700 keys && export GNUPGHOME=$PWD/keys
      gpg -q --batch --passphrase '' --quick-gen-key a@example.com ed25519 sign never
      gpg -q --export > registry/gallery.gpg
      gpg -q --batch --detach-sign --output registry/index.json.sig registry/index.json
      gpgconf --kill all
      """
    )
    try world.commitRegistry()
    let gallery = try await world.addSource()
    #expect(try gallery.sources().first?.key?.kind == .gpg)
    #expect(try await world.problems() == [])
    try world.forgeIndex(serial: 2)
    try world.commitRegistry()
    #expect(try await world.problems().first?.contains("is not signed by the key") == true)
  }

  @Test func `an older list than one that was seen is refused, also with its signature`()
    async throws
  {
    try #require(world.hasMinisign)
    try world.forgeEntry(commit: try world.commitWidget())
    try world.publishForged(serial: 7, signs: true)
    try await world.addSource()
    try world.publishForged(serial: 6, signs: true)
    #expect(
      try await world.problems().first?.hasPrefix(
        "file://WORLD/registry: its list is older (6) than one that was seen (7)"
      ) == true
    )
  }

  @Test func `an entry that was changed after the list was made is not shown`() async throws {
    try world.forgeEntry(commit: try world.commitWidget())
    try world.forgeIndex(serial: 1)
    try world.forgeEntry(commit: try world.commitWidget("evil"))
    try world.commitRegistry()
    try await world.addSource()
    #expect(
      try await world.problems() == [
        "file://WORLD/registry: entries/com.example.tides.json: it was changed after the list was made"
      ]
    )
  }

  @Test func `a registry with a link in it is refused`() async throws {
    try world.forgeEntry(commit: try world.commitWidget())
    try world.forgeIndex(serial: 1)
    try world.shell("ln -s /etc/passwd registry/entries/x.json")
    try world.commitRegistry()
    let place = try #require(RegistrySource.Place(world.address))
    do {
      _ = try await world.gallery().candidate(place)
      Issue.record("it was fetched")
    } catch {
      #expect(error.description == "“entries/x.json”: it is a link")
    }
    #expect(world.leftovers == [])
  }

  @Test(arguments: [
    ("rm index.json", "it has no index.json"),
    ("rm index.json; mkfifo index.json", "index.json: it is a pipe"),
    ("rm index.json; mkdir index.json", "index.json: it is a folder"),
    ("echo '[' > index.json", "index.json: not JSON: "),
    (
      "echo '{}' > index.json",
      "index.json: format: expected 1; a newer version of today may read it"
    ),
    (
      "sed -i 's/\"serial\": 1/\"serial\": -1/' index.json",
      "index.json: serial: expected a whole number"
    ),
    (
      "sed -i 's/\"serial\": 1/\"serial\": 1e300/' index.json",
      "index.json: serial: expected a whole number"
    ),
    (
      "head -c 5000000 /dev/zero > index.json",
      "index.json: it has 5000000 bytes, more than 4194304"
    ),
    (
      "head -c 70000 /dev/zero > entries/com.example.tides.json",
      "it is missing, or has more than 64 KiB"
    ),
    (
      "sed -i 's/com.example.tides/..\\/..\\/x/' index.json",
      "“../../x” has no hash, no valid identifier, or is there twice"
    ),
  ])
  func `a list or an entry that cannot be read says why`(command: String, words: String)
    async throws
  {
    try world.forgeEntry(commit: try world.commitWidget())
    try world.forgeIndex(serial: 1)
    try world.shell(command, in: world.registry)
    let place = try #require(RegistrySource.Place(world.registry))
    let check = SignatureCheck(environment: world.environment, folder: "\(world.path)/checks")
    var said: [String] = []
    do {
      said = try await RegistryFolder(world.registry)
        .checked(for: RegistrySource(place: place, key: nil), check).problems.map(\.string)
    } catch {
      said = [error.description]
    }
    #expect(said.count == 1 && said.first?.contains(words) == true, "\(said)")
  }

  // MARK: - The files

  @Test func `a commit that is not there any more is said`() async throws {
    let missing = String(repeating: "1", count: 40)
    try world.commitWidget()
    try world.forgeEntry(commit: missing, sha256: String(repeating: "0", count: 64))
    try world.publishForged()
    try await world.addSource()
    let words = await world.refusal()
    #expect(words.hasPrefix("com.example.tides: file://WORLD/widgets: git: "), "\(words)")
    #expect(world.installedContent == nil && world.leftovers == [])
  }

  @Test func `other files than those that were signed are refused before they are read`()
    async throws
  {
    let first = try world.commitWidget("1")
    let second = try world.commitWidget("evil")
    try world.forgeEntry(commit: second, sha256: try world.hash(of: first))
    try world.publishForged()
    try await world.addSource()
    let words = await world.refusal()
    #expect(words.contains("its files are not those of the entry: their SHA-256 is "), "\(words)")
    #expect(world.installedContent == nil && world.leftovers == [])
  }

  @Test(arguments: [
    ("ln -s /etc/passwd Tides.widget/x", "“Tides.widget/x”: it is a link"),
    ("ln -s ../../home Tides.widget/x", "“Tides.widget/x”: it is a link"),
    (
      "printf x > \"$(printf 'Tides.widget/a\\033[2Jb')\"",
      "“Tides.widget/a␛[2Jb”: its name has control characters"
    ),
  ])
  func `links and names that act on a terminal are refused`(
    command: String,
    words: String
  ) async throws {
    let commit = try world.commitWidget(more: command)
    try world.forgeEntry(commit: commit)
    try world.publishForged()
    try await world.addSource()
    let refusal = await world.refusal()
    #expect(refusal.hasPrefix("com.example.tides: “Tides.widget/"), "\(refusal)")
    #expect(refusal.hasSuffix(words.split(separator: "”: ")[1]), "\(refusal)")
    #expect(!refusal.utf8.contains(0x1B))
    #expect(world.installedContent == nil && world.leftovers == [])
  }

  @Test func `a tree that is too large or has too many files is refused`() async throws {
    let commit = try world.commitWidget(
      more: "head -c 400000 /dev/urandom > Tides.widget/big"
    )
    try world.forgeEntry(commit: commit)
    try world.publishForged()
    try await world.addSource()
    var limits = TreeLimits()
    limits.bytes = 128 << 10
    let words = await world.refusal(limits: limits)
    #expect(words.contains("more than 0 MiB"), "\(words)")
    limits.bytes = 64 << 10
    #expect(await world.refusal(limits: limits).contains("more than 0 MiB"))
    limits = TreeLimits()
    limits.entries = 2
    #expect(await world.refusal(limits: limits).contains("more than"))
    #expect(world.installedContent == nil && world.leftovers == [])
  }

  // MARK: - Identifiers and permissions

  @Test func `files with another identifier than their entry are refused`() async throws {
    try world.forgeEntry(commit: try world.commitWidget(id: "com.example.other"))
    try world.publishForged()
    try await world.addSource()
    #expect(
      await world.refusal()
        == "com.example.tides: its files have the identifier com.example.other"
    )
  }

  @Test func `identifiers of the program are refused`() async throws {
    try world.forgeEntry(
      id: "org.today.System",
      commit: try world.commitWidget(id: "org.today.System")
    )
    try world.publishForged()
    try await world.addSource()
    let words = await world.refusal("org.today.System")
    #expect(words.contains("expected another prefix than org.today"), "\(words)")
  }

  @Test func `an app that opens the links of another one is refused`() async throws {
    let bundles = try BundleFolder()
    try bundles.app("C.app", "com.example.C", schemes: ["clown"])
    try bundles.widget("C.app/PlugIns/W.widget", "com.example.C.W")
    let installer = BundleInstaller(environment: world.environment, catalog: world.catalog)
    try installer.install(try await installer.stage("\(bundles.path)/C.app"))
    try bundles.app("D.app", "com.example.D", schemes: ["clown"])
    try bundles.widget("D.app/PlugIns/W.widget", "com.example.D.W")
    try world.shell("cp -a \(bundles.path)/D.app widgets")
    let commit = try world.commitWidget()
    try world.forgeEntry(
      id: "com.example.D",
      commit: commit,
      path: "D.app",
      members: ["kind": "\"app\""]
    )
    try world.publishForged()
    try await world.addSource()
    let words = await world.refusal("com.example.D")
    #expect(words.hasPrefix("com.example.D: its app opens clown:, which "), "\(words)")
  }

  @Test func `what came from elsewhere is not replaced`() async throws {
    let commit = try world.commitWidget()
    let installer = BundleInstaller(environment: world.environment, catalog: world.catalog)
    try installer.install(try await installer.stage("\(world.widgets)/Tides.widget"))
    try world.forgeEntry(commit: commit)
    try world.publishForged()
    try await world.addSource()
    let words = await world.refusal()
    #expect(
      words.hasPrefix("com.example.tides is there already, and not from the gallery: "),
      "\(words)"
    )
  }

  @Test func `the entry of another registry does not replace what is installed`() async throws {
    try world.forgeEntry(commit: try world.commitWidget())
    try world.publishForged()
    let gallery = try await world.addSource()
    try await world.install()
    try world.shell("cp -a registry other")
    let place = try #require(RegistrySource.Place("file://\(world.path)/other"))
    _ = try gallery.remove(try #require(RegistrySource.Place(world.address)))
    try await gallery.add(try await gallery.candidate(place), key: nil)
    #expect(
      await world.refusal()
        == "com.example.tides was installed from file://WORLD/registry; remove it first to install "
        + "that of file://WORLD/other"
    )
  }

  @Test func `files that ask for more than their entry says are refused`() async throws {
    try world.forgeEntry(commit: try world.commitWidget(entitlements: RegistryWorld.network))
    try world.publishForged()
    try await world.addSource()
    #expect(
      await world.refusal()
        == "com.example.tides: its files ask to use the network, which its entry does not name"
    )
    try world.forgeEntry(
      commit: try world.commitWidget(),
      permissions: #"{"com.apple.security.network.client": true}"#
    )
    try world.publishForged(serial: 2)
    #expect(
      await world.refusal()
        == "com.example.tides: its entry says that it asks to use the network, and it does not"
    )
  }

  // MARK: - Versions

  @Test func `an older version than the installed one is refused`() async throws {
    let old = try world.commitWidget("1")
    try world.forgeEntry(version: "2.0", commit: try world.commitWidget("2"))
    try world.publishForged()
    try await world.addSource()
    try await world.install()
    try world.forgeEntry(version: "1.10", commit: old)
    try world.publishForged(serial: 2)
    #expect(
      await world.refusal()
        == "com.example.tides: version 1.10 is older than 2.0, which is installed"
    )
    try world.forgeEntry(version: "2.0", commit: old)
    try world.publishForged(serial: 3)
    #expect(
      await world.refusal()
        == "com.example.tides: its files have changed, and its version 2.0 has not; tell its "
        + "registry, file://WORLD/registry"
    )
    #expect(world.installedContent == "2")
  }

  @Test func `an entry for a newer program is refused`() async throws {
    try world.forgeEntry(commit: try world.commitWidget(), members: ["today": "\"99.0\""])
    try world.publishForged()
    try await world.addSource()
    #expect(
      await world.refusal()
        == "com.example.tides needs today 99.0; this is \(HostVersion.current)"
    )
  }
}
