import Foundation
import Testing
import WidgetKitCore

@testable import Registries
@testable import WidgetExtensions
@testable import WidgetPlatform

/// What is installed from a registry, and how it is updated.
@Suite(.timeLimit(.minutes(3))) struct GalleryChainTests {
  private let world: RegistryWorld

  init() throws { world = try RegistryWorld() }

  /// A registry with the widget in its first version.
  private func publish(_ content: String = "1", version: String = "1.0", signs: Bool = false)
    async throws
  {
    try world.writeEntry(version: version, commit: try world.commitWidget(content))
    let result = try await world.index()
    #expect(result.problems == [])
    if signs { try world.sign() }
    try world.commitRegistry()
  }

  @Test func `a widget of a signed registry is found, and installed as its commit has it`()
    async throws
  {
    try await publish(signs: true)
    let gallery = try await world.addSource()
    #expect(try gallery.sources().first?.key != nil)
    let found = try await gallery.find(.stored)
    #expect(found.listings.map(\.entry.id) == [RegistryWorld.widgetID] && found.problems == [])
    let prepared = try await world.install()
    #expect(prepared.previous == nil && world.installedContent == "1")
    #expect(gallery.installed.state(of: RegistryWorld.widgetID)?.isUnchanged == true)
    #expect(world.leftovers == [])
  }

  @Test func `the index has the hash of git archive, and is stable`() async throws {
    let commit = try world.commitWidget(entitlements: RegistryWorld.network)
    try world.writeEntry(commit: commit)
    #expect(
      try await world.index().changed.sorted() == ["entries/com.example.tides.json", "index.json"]
    )
    let bytes = try Data(
      contentsOf: URL(filePath: "\(world.registry)/entries/\(RegistryWorld.widgetID).json")
    )
    let entry = try RegistryEntry(JSONTree(Array(bytes)))
    #expect(try entry.sha256 == world.hash(of: commit))
    #expect(entry.permissions?.words == "use the network" && entry.kind == .widget)
    #expect(try await world.index().changed == [])
  }

  @Test func `a script of the registry is installed, and runs in the sandbox`() async throws {
    try world.write(
      "#!/bin/sh\n# today: title=Sites network=true\necho up\n",
      to: "\(world.registry)/scripts/sites.1m.sh"
    )
    try world.shell("chmod +x registry/scripts/sites.1m.sh")
    try world.writeEntry(
      id: "script.sites",
      commit: "",
      members: ["source": #"{"path": "scripts/sites.1m.sh"}"#]
    )
    #expect(try await world.index().problems == [])
    try world.commitRegistry()
    let gallery = try await world.addSource()
    let prepared = try await world.install("script.sites")
    #expect(prepared.content.permissions.words == "use the network")
    let state = gallery.installed.state(of: "script.sites")
    #expect(
      state?.isUnchanged == true && state?.version.path.hasSuffix("installed/sites.1m.sh") == true
    )
    #expect(world.catalog.widget(withIdentifier: "script.sites")?.script?.isSandboxed == true)
  }

  @Test func `a script that runs on another machine is refused`() async throws {
    try world.write(
      "#!/bin/sh\n# today: host=server\necho up\n",
      to: "\(world.registry)/scripts/far.sh"
    )
    try world.shell("chmod +x registry/scripts/far.sh")
    try world.writeEntry(
      id: "script.far",
      commit: "",
      members: ["source": #"{"path": "scripts/far.sh"}"#]
    )
    _ = try await world.index()
    try world.commitRegistry()
    try await world.addSource()
    #expect(
      await world.refusal("script.far")
        == "script.far: it would run on another machine, outside of the sandbox"
    )
  }

  @Test func `a newer version takes the place, and says what it asks for besides`() async throws {
    try await publish()
    try await world.addSource()
    try await world.install()
    let commit = try world.commitWidget("2", entitlements: RegistryWorld.network)
    try world.writeEntry(version: "1.1", commit: commit)
    _ = try await world.index()
    try world.commitRegistry()
    let prepared = try await world.install()
    #expect(prepared.previous?.version == "1.0")
    #expect(prepared.growth.map(\.words) == ["use the network"] && prepared.shrinkage == [])
    #expect(world.installedContent == "2")
  }

  @Test func `without a network what was fetched before is used, and says so`() async throws {
    try await publish(signs: true)
    try await world.addSource()
    try world.shell("mv registry away")
    let found = try await world.gallery().find(.present)
    #expect(found.listings.map(\.entry.id) == [RegistryWorld.widgetID])
    #expect(found.problems.count == 1)
    #expect(found.problems.first?.string.contains("what was fetched at ") == true)
  }

  @Test func `what was changed after its installation is noticed`() async throws {
    try await publish()
    let gallery = try await world.addSource()
    try await world.install()
    try world.write("evil", to: "\(world.home)/.local/share/today/widgets/Tides.widget/content")
    #expect(gallery.installed.state(of: RegistryWorld.widgetID)?.isUnchanged == false)
    try await world.install()
    #expect(world.installedContent == "1")
    #expect(gallery.installed.state(of: RegistryWorld.widgetID)?.isUnchanged == true)
  }

  /// The user's files as they are after each step, as a killed program would leave them.
  @Test(arguments: EntryInstaller.Step.allCases)
  func `killed after a step, the old or the new version is there whole`(
    step: EntryInstaller.Step
  ) async throws {
    let world = world
    try await publish()
    try await world.addSource()
    try await world.install()
    try await publish("2", version: "2.0")
    try await world.install { taken in
      if taken == step { _ = try? world.shell("cp -a home killed") }
    }
    try world.shell("rm -rf home && mv killed home")
    let content = world.installedContent
    #expect(content == ([.placed, .done].contains(step) ? "2" : "1"))
    let state = world.gallery().installed.state(of: RegistryWorld.widgetID)
    #expect(state?.isUnchanged == true)
    #expect(state?.version.version == (content == "2" ? "2.0" : "1.0"))
    // The next program finishes it.
    try await world.install()
    #expect(world.installedContent == "2")
  }

  @Test(arguments: EntryInstaller.Step.allCases)
  func `killed in a first installation, nothing or all of it is there`(
    step: EntryInstaller.Step
  ) async throws {
    try await publish()
    try await world.addSource()
    let world = world
    try await world.install { taken in
      if taken == step { _ = try? world.shell("cp -a home killed") }
    }
    try world.shell("rm -rf home && mv killed home")
    let isThere = [.placed, .done].contains(step)
    #expect(world.installedContent == (isThere ? "1" : nil))
    #expect((world.gallery().installed.state(of: RegistryWorld.widgetID) != nil) == isThere)
    #expect((world.catalog.widget(withIdentifier: RegistryWorld.widgetID) != nil) == isThere)
    try await world.install()
    #expect(world.installedContent == "1")
  }

  @Test func `a script with another interval replaces the old one, also after a kill between`()
    async throws
  {
    let world = world
    func publish(_ file: String, _ version: String) async throws {
      try world.shell("rm -f scripts/*", in: world.registry)
      try world.write("#!/bin/sh\necho \(version)\n", to: "\(world.registry)/scripts/\(file)")
      try world.shell("chmod +x scripts/\(file)", in: world.registry)
      try world.writeEntry(
        id: "script.up",
        version: version,
        commit: "",
        members: ["source": #"{"path": "scripts/\#(file)"}"#]
      )
      #expect(try await world.index().problems == [])
      try world.commitRegistry()
    }
    try await publish("up.1m.sh", "1")
    let gallery = try await world.addSource()
    try await world.install("script.up")
    try await publish("up.5m.sh", "2")
    try await world.install("script.up") { step in
      guard step == .placed else { return }
      // Before the old one was removed.
      _ = try? world.shell(
        """
        cp -a home killed
        printf '#!/bin/sh\\necho 1\\n' > killed/.local/share/today/scripts/installed/up.1m.sh
        chmod 700 killed/.local/share/today/scripts/installed/up.1m.sh
        """
      )
    }
    try world.shell("rm -rf home && mv killed home")
    gallery.installed.settle("script.up")
    let names = try FileManager.default.contentsOfDirectory(
      atPath: "\(world.home)/.local/share/today/scripts/installed"
    )
    #expect(names == ["up.5m.sh"])
    #expect(gallery.installed.state(of: "script.up")?.version.version == "2")
  }
}
