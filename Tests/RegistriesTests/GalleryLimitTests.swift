import Foundation
import Glibc
import Testing
import WidgetKitCore

@testable import Registries
@testable import WidgetPages
@testable import WidgetPlatform

/// What a large or a damaged registry costs: never the page, and never another registry.
@Suite(.timeLimit(.minutes(5))) struct GalleryLimitTests {
  private let world: RegistryWorld

  init() throws { world = try RegistryWorld() }

  private func checked(_ folder: RegistryFolder, from address: String? = nil) async throws
    -> RegistryFolder.Checked
  {
    let place = try #require(RegistrySource.Place(address ?? world.registry))
    return try await folder.checked(
      for: RegistrySource(place: place, key: nil),
      SignatureCheck(environment: world.environment, folder: "\(world.path)/checks")
    )
  }

  private func forgeScript(_ id: String, members: [String: String] = [:]) throws {
    let own = [
      "source": #"{"path": "scripts/x.sh"}"#, "kind": #""script""#, "permissions": "{}",
      "sha256": "\"\(String(repeating: "0", count: 64))\"",
    ]
    try world.writeEntry(id: id, commit: "", members: own.merging(members) { $1 })
  }

  // MARK: - The main thread

  @Test func `the main thread goes on while a registry is read`() async throws {
    try forgeScript("script.x")
    try world.forgeIndex(serial: 1)
    var goesOn = false
    Task { goesOn = true }
    // A reading that has ended before it is waited for leaves no time to others.
    for _ in 1...50 where !goesOn {
      #expect(try await checked(RegistryFolder(world.registry)).entries.count == 1)
    }
    #expect(goesOn)
  }

  @Test func `the main thread goes on while a bundle is copied`() async throws {
    try world.commitWidget()
    let installer = BundleInstaller(environment: world.environment, catalog: world.catalog)
    var goesOn = false
    Task { goesOn = true }
    let staged = try await installer.stage("\(world.widgets)/Tides.widget")
    #expect(goesOn && staged.bundleIdentifier == RegistryWorld.widgetID)
    installer.discard()
  }

  @Test func `of a list too long nothing is read, and of entries only as many bytes as fit`()
    async throws
  {
    for number in 1...5 {
      let words = "\"\(String(repeating: "x", count: 500))\""
      try forgeScript("script.x\(number)", members: ["description": words])
    }
    try world.forgeIndex(serial: 1)
    let cut = try await checked(RegistryFolder(world.registry, byteLimit: 2_000))
    #expect((1...4).contains(cut.entries.count))
    #expect(cut.problems.last?.string.hasSuffix("the entries have more than 0 MiB") == true)
    let line = #"{"id": "script.y", "sha256": "x"}"#
    let lines = Array(repeating: line, count: 1_001).joined(separator: ",")
    try world.write(
      #"{"format": 1, "serial": 1, "name": "x", "entries": [\#(lines)]}"#,
      to: "\(world.registry)/index.json"
    )
    await #expect(throws: HostError.self) {
      _ = try await checked(RegistryFolder(world.registry))
    }
  }

  @Test func `of many bad entries three are named`() async throws {
    for number in 1...6 { try forgeScript("script.x\(number)") }
    try world.forgeIndex(serial: 1)
    for number in 2...6 { try forgeScript("script.x\(number)", members: ["license": "\"X\""]) }
    let checked = try await checked(RegistryFolder(world.registry))
    #expect(checked.entries.count == 1 && checked.problems.count == 5)
    #expect(checked.shownProblems.count == 4)
    #expect(checked.shownProblems.last == "and 2 more; “today gallery verify” lists them")
    try world.commitRegistry()
    try await world.addSource()
    #expect(try await world.problems().count == 4)
  }

  // MARK: - What was cut off

  @Test func `a registry whose replacement was cut off is fetched again`() async throws {
    try forgeScript("script.x")
    try world.forgeIndex(serial: 1)
    try world.commitRegistry()
    let gallery = try await world.addSource()
    #expect(try await gallery.find(.stored).listings.count == 1)
    try world.shell("rm -r home/.cache/today/gallery/*/tree")
    let found = try await gallery.find(.recent)
    #expect(found.listings.count == 1 && found.problems == [])
  }

  @Test func `what killed programs have left is removed, and nothing else`() throws {
    let folder = "\(world.path)/scratch"
    let gone = try world.shell("sh -c 'echo $$'")
    let names = ["work-", "clone-", "check-", "making-"].map { "\($0)\(gone)-a" }
    let kept = ["work-\(getpid())-a", "other-\(gone)-a", ".install-\(gone)-a", "fresh"]
    for name in names + kept { try world.write("x", to: "\(folder)/\(name)/x") }
    try world.shell("find scratch -exec touch -d '1 hour ago' {} +")
    try world.write("x", to: "\(folder)/work-\(gone)-b/x")
    ScratchFolder.sweep(folder)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(Set(left) == Set(kept + ["work-\(gone)-b"]))
    ScratchFolder.sweep(folder, [".install-"])
    #expect(!FileManager.default.fileExists(atPath: "\(folder)/.install-\(gone)-a"))
  }

  // MARK: - Sources

  @Test func `a registry that is added again keeps its serial`() async throws {
    try forgeScript("script.x")
    try world.forgeIndex(serial: 7)
    try world.commitRegistry()
    let gallery = try await world.addSource()
    try world.forgeIndex(serial: 6)
    try world.commitRegistry()
    await #expect(throws: HostError.self) { try await world.addSource() }
    var source = try #require(try gallery.sources().first)
    (source.serial, source.key) = (0, SignatureKey(Array("x".utf8)))
    try gallery.book.add(source)
    #expect(try gallery.sources().map(\.serial) == [7])
  }

  @Test func `what came from the program's own list stays its own when the program moves`()
    async throws
  {
    try world.write("#!/bin/sh\necho up\n", to: "\(world.registry)/scripts/x.sh")
    try world.shell("chmod +x registry/scripts/x.sh")
    try world.writeEntry(
      id: "script.x",
      commit: "",
      members: ["source": #"{"path": "scripts/x.sh"}"#]
    )
    #expect(try await world.index().problems == [])
    try world.shell("mkdir one two; cp -a registry one/gallery; cp -a registry two/gallery")
    for name in ["one", "two"] {
      let gallery = Gallery(environment: world.environment, share: "\(world.path)/\(name)")
      let listing = try #require(try await gallery.find(.stored).listings.first)
      let installer = gallery.installer(world.catalog)
      let prepared = try await installer.prepare(listing)
      #expect((prepared.previous == nil) == (name == "one"))
      try installer.install(prepared)
    }
  }

  @Test func `the program's own list cannot be added`() async throws {
    try world.shell("mkdir share; cp -a registry share/gallery; ln -s gallery share/link")
    let gallery = Gallery(environment: world.environment, share: "\(world.path)/share")
    for name in ["gallery", "link"] {
      let place = try #require(RegistrySource.Place("\(world.path)/share/\(name)"))
      await #expect(throws: HostError.self) { _ = try await gallery.candidate(place) }
    }
  }

  @Test(arguments: [
    "https://localhost/x", "https://LOCALHOST./x", "https://127.0.0.1:8080/x", "https://127.1/x",
    "https://2130706433/x", "https://0x7f000001/x", "https://0/x", "ssh://git@a.localhost/x",
    "file:///srv/x",
  ])
  func `a registry from the net cannot name a server of this machine`(text: String) throws {
    let address = try #require(RepositoryAddress(text))
    let far = try #require(RegistrySource.Place("https://example.org/x"))
    #expect(!far.mayName(address))
    #expect(RegistrySource.Place.folder("/srv/x").mayName(address))
    let near = try #require(RegistrySource.Place("https://localhost:3000/x"))
    #expect(near.mayName(address) == !address.isLocal)
  }

  @Test(arguments: ["https://example.org/x", "https://128.0.0.1/x", "https://localhost.org/x"])
  func `a registry from the net may name others`(text: String) throws {
    let far = try #require(RegistrySource.Place("https://example.org/x"))
    #expect(far.mayName(try #require(RepositoryAddress(text))))
  }

  // MARK: - git

  @Test func `a git that trusts no bare repository of others fetches`() async throws {
    try world.shell("git config --global safe.bareRepository explicit")
    try world.forgeEntry(commit: try world.commitWidget())
    try world.forgeIndex(serial: 1)
    try world.commitRegistry()
    try await world.addSource()
    try await world.install()
    #expect(world.installedContent == "1")
  }

  @Test func `attributes run no program for signatures, and index refuses what they replace`()
    async throws
  {
    try world.commitWidget(more: "echo 'content export-subst' > Tides.widget/.gitattributes")
    let commit = try world.commitWidget(
      "$Format:%GG%G?$",
      more: "echo 'content export-subst' > Tides.widget/.gitattributes"
    )
    let signed = try world.shell(
      """
      git cat-file commit \(commit) > ../commit
      sed -i '/^committer/a gpgsig -----BEGIN PGP SIGNATURE-----\\n \\n iQ==\\n -----END PGP SIGNATURE-----' ../commit
      new=$(git hash-object -w -t commit ../commit); git reset -q --hard $new; echo $new
      """,
      in: world.widgets
    )
    try world.write("#!/bin/sh\ntouch \(world.path)/evil\n", to: "\(world.path)/bin/gpg")
    try world.shell("chmod +x bin/gpg")
    try world.forgeEntry(commit: signed)
    try world.forgeIndex(serial: 1)
    try world.commitRegistry()
    try await world.addSource()
    _ = await world.refusal()
    #expect(access("\(world.path)/evil", F_OK) != 0)
    try world.writeEntry(commit: signed)
    let problems = try await world.index().problems
    #expect(problems.count == 1 && problems[0].string.contains("has export-subst"), "\(problems)")
  }

  @Test func `an archive in a commit is not unpacked by another program`() async throws {
    let commit = try world.commitWidget(more: "tar czf Tides.tgz Tides.widget")
    try world.forgeEntry(commit: commit, path: "Tides.tgz")
    try world.forgeIndex(serial: 1)
    try world.commitRegistry()
    try await world.addSource()
    #expect(
      await world.refusal()
        == "com.example.tides: Tides.tgz is neither a folder with a bundle nor a script that can be run"
    )
    #expect(world.leftovers == [])
  }

  // MARK: - Texts

  @Test(arguments: [
    "../\u{301}z", "x/../\u{301}z", "a/-\u{301}z", "a/:\u{301}z", "a\\b", "/\u{301}x", ".GIT/x",
  ])
  func `a path whose characters hide where it leads is refused`(path: String) throws {
    try world.commitWidget()
    let commit = String(repeating: "1", count: 40)
    try world.writeEntry(commit: commit, path: path.replacing("\\", with: "\\\\"))
    let file = "\(world.registry)/entries/\(RegistryWorld.widgetID).json"
    let bytes = try #require(UserFile.bytes(file, byteLimit: RegistryEntry.byteLimit))
    #expect(throws: EntryFault.self) { _ = try RegistryEntry(JSONTree(bytes)) }
  }

  @Test func `a path is split where the system splits it`() {
    let place = OwnPath.split("/a/b/\u{301}c")
    #expect(Array(place.folder.utf8) == Array("/a/b".utf8))
    #expect(Array(place.name.utf8) == Array("\u{301}c".utf8))
  }

  @Test func `runs of blanks are one, and a homepage is an address`() throws {
    let wide = String(repeating: " ", count: 60)
    func entry(_ members: [String: String]) throws -> RegistryEntry {
      try world.writeEntry(
        commit: String(repeating: "1", count: 40),
        members: members.mapValues { "\"\($0)\"" }
      )
      let file = "\(world.registry)/entries/\(RegistryWorld.widgetID).json"
      let bytes = try #require(UserFile.bytes(file, byteLimit: RegistryEntry.byteLimit))
      return try RegistryEntry(JSONTree(bytes))
    }
    let found = try entry(["author": "A\(wide)B", "license": "MIT\(wide)C", "name": "a\u{2003} b"])
    #expect(found.author == "A B" && found.license == "MIT C" && found.name == "a b")
    #expect(try entry(["homepage": "https://example.org/x"]).homepage == "https://example.org/x")
    for text in ["https://example.org/\(wide)Install it?", "http://example.org", "x"] {
      #expect(throws: EntryFault.self) { try entry(["homepage": text]) }
    }
  }
}
