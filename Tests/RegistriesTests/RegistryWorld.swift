import Foundation
import Testing
import WidgetKitCore

@testable import EngineTestSupport
@testable import Registries
@testable import WidgetExtensions
@testable import WidgetPlatform

/// A user, a repository with a widget, and a registry in another repository, all in a folder of their own.
final class RegistryWorld {
  let path: String
  let home: String
  /// The folders of the repositories.
  let (widgets, registry): (String, String)
  private let bundles: BundleFolder

  init() throws {
    bundles = try BundleFolder()
    path = bundles.path
    (home, widgets, registry) = ("\(path)/home", "\(path)/widgets", "\(path)/registry")
    try shell(
      """
      mkdir -p home widgets registry/entries registry/scripts
      git init -q widgets && git init -q registry
      printf '[user]\\nname = A\\nemail = a@example.com\\n' > home/.gitconfig
      """
    )
  }

  var environment: [String: String] { ["HOME": home, "PATH": "\(path)/bin:/usr/bin:/bin"] }
  var address: String { "file://\(registry)" }
  var hasMinisign: Bool { ToolSearch.path(of: "minisign", in: environment) != nil }

  @discardableResult
  func shell(_ command: String, in folder: String? = nil) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-ec", command]
    process.environment = ["HOME": "\(path)/home", "PATH": "/usr/bin:/bin"]
    process.currentDirectoryURL = URL(filePath: folder ?? path)
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(command)")
    return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  func write(_ text: String, to file: String) throws {
    let url = URL(filePath: file)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(text.utf8).write(to: url)
  }

  // MARK: - The widget

  static let widgetID = "com.example.tides"

  /// Commits a version of the widget; returns the commit.
  @discardableResult
  func commitWidget(
    _ content: String = "1",
    id: String = RegistryWorld.widgetID,
    entitlements: String? = nil,
    more: String = ":"
  ) throws -> String {
    try bundles.widget("widgets/Tides.widget", id, name: "Tides")
    try write(content, to: "\(widgets)/Tides.widget/content")
    let file = "\(widgets)/Tides.widget/Entitlements.plist"
    if let entitlements {
      try write(entitlements, to: file)
    } else {
      try? FileManager.default.removeItem(atPath: file)
    }
    return try shell(
      "\(more); git add -A && git commit -qm x --allow-empty && git rev-parse HEAD",
      in: widgets
    )
  }

  static let network = #"{ "com.apple.security.network.client" = YES; }"#

  /// The hash of a commit's archive, by the tools of the system.
  func hash(of commit: String, path: String = "Tides.widget") throws -> String {
    try shell(
      "git -c tar.umask=0002 archive --format=tar \(commit) \(path) | sha256sum | cut -c1-64",
      in: widgets
    )
  }

  // MARK: - The registry

  /// Writes an entry of the widget that an honest maintainer would index, or with everything for one who lies.
  func writeEntry(
    id: String = RegistryWorld.widgetID,
    version: String = "1.0",
    commit: String,
    path: String = "Tides.widget",
    name: String = "Tides",
    members: [String: String] = [:]
  ) throws {
    var all = [
      "id": "\"\(id)\"", "name": "\"\(name)\"", "description": "\"High and low water.\"",
      "version": "\"\(version)\"", "license": "\"MIT\"",
      "source":
        #"{"repository": "file://\#(widgets)", "commit": "\#(commit)", "path": "\#(path)"}"#,
    ]
    all.merge(members) { $1 }
    let text = all.sorted { $0.key < $1.key }.map { "  \"\($0.key)\": \($0.value)" }
    try write("{\n\(text.joined(separator: ",\n"))\n}\n", to: "\(registry)/entries/\(id).json")
  }

  /// An entry with hash, kind and permissions, which the list then has as it is.
  func forgeEntry(
    id: String = RegistryWorld.widgetID,
    version: String = "1.0",
    commit: String,
    sha256: String? = nil,
    path: String = "Tides.widget",
    name: String = "Tides",
    permissions: String = "{}",
    members: [String: String] = [:]
  ) throws {
    let digest = try sha256 ?? hash(of: commit, path: path)
    let own = [
      "sha256": "\"\(digest)\"", "kind": "\"widget\"", "permissions": permissions,
    ]
    try writeEntry(
      id: id,
      version: version,
      commit: commit,
      path: path,
      name: name,
      members: own.merging(members) { $1 }
    )
  }

  /// Indexes, as `today gallery index` does.
  func index() async throws -> RegistryMaker.Outcome {
    try await RegistryMaker(folder: registry, environment: environment).make(writes: true)
  }

  /// Writes the list of the entries as they are.
  func forgeIndex(serial: Int) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(registry)/entries").sorted()
    let lines = try names.map { name in
      let bytes = try Data(contentsOf: URL(filePath: "\(registry)/entries/\(name)"))
      return RegistryIndex.Line(
        id: String(name.dropLast(5)),
        sha256: SHA256Digest.hex(of: Array(bytes))
      )
    }
    let index = RegistryIndex(serial: serial, name: "Test", lines: lines)
    try write(
      String(decoding: PrettyJSON.bytes(of: index.json), as: UTF8.self),
      to: "\(registry)/index.json"
    )
  }

  /// Signs the list with the key of the registry, which is made at first.
  func sign() throws {
    try shell(
      """
      [ -f secret.key ] || minisign -G -W -f -p registry/minisign.pub -s secret.key >/dev/null
      cd registry && minisign -S -s ../secret.key -m index.json >/dev/null
      """
    )
  }

  func commitRegistry() throws {
    try shell("git add -A && git commit -qm x --allow-empty", in: registry)
  }

  // MARK: - The user

  func gallery(_ limits: TreeLimits = TreeLimits()) -> Gallery {
    Gallery(environment: environment, share: nil, limits: limits)
  }

  /// Adds the registry with the key that it offers.
  @discardableResult
  func addSource() async throws -> Gallery {
    let gallery = gallery()
    let place = try #require(RegistrySource.Place(address))
    let candidate = try await gallery.candidate(place)
    try await gallery.add(candidate, key: candidate.isSigned ? candidate.offeredKey : nil)
    return gallery
  }

  var catalog: BundleCatalog {
    BundleCatalog.scan(SearchPaths(environment: environment, executable: nil))
  }

  /// Fetches the registry, and installs an entry.
  @discardableResult
  func install(
    _ id: String = RegistryWorld.widgetID,
    _ limits: TreeLimits = TreeLimits(),
    onStep: @escaping (EntryInstaller.Step) -> Void = { _ in }
  ) async throws -> EntryInstaller.Prepared {
    let gallery = gallery(limits)
    let found = try await gallery.find(.present)
    let listing = try #require(
      found.listings.first { $0.entry.id == id },
      "\(found.problems.map(\.string))"
    )
    let installer = gallery.installer(catalog)
    installer.onStep = onStep
    let prepared = try await installer.prepare(listing)
    try installer.install(prepared)
    return prepared
  }

  /// Why an entry is not installed, with folders in short.
  func refusal(
    _ id: String = RegistryWorld.widgetID,
    _ limits: TreeLimits = TreeLimits()
  ) async -> String {
    do {
      try await install(id, limits)
      return "installed"
    } catch {
      return "\(error)".replacing(path, with: "WORLD")
    }
  }

  /// What is wrong with the registries.
  func problems(_ limits: TreeLimits = TreeLimits()) async throws -> [String] {
    try await gallery(limits).find(.present).problems.map {
      $0.string.replacing(path, with: "WORLD")
    }
  }

  var installedContent: String? {
    try? String(
      contentsOfFile: "\(home)/.local/share/today/widgets/Tides.widget/content",
      encoding: .utf8
    )
  }

  /// What is left in the folders in which the gallery works.
  var leftovers: [String] {
    let cache =
      (try? FileManager.default.contentsOfDirectory(atPath: "\(home)/.cache/today/gallery"))
    let widgets = try? FileManager.default.contentsOfDirectory(
      atPath: "\(home)/.local/share/today/widgets"
    )
    return (cache ?? []).filter { $0.hasPrefix("work-") || $0.hasPrefix("check-") }
      + (widgets ?? []).filter { $0.hasPrefix(".install-") }
  }
}

extension RegistryWorld {
  /// Makes a list of the forged entry, and commits it.
  func publishForged(serial: Int = 1, signs: Bool = false) throws {
    try forgeIndex(serial: serial)
    if signs { try sign() }
    try commitRegistry()
  }

  /// Why the forged widget is not installed.
  func refusal(limits: TreeLimits) async -> String {
    await refusal(RegistryWorld.widgetID, limits)
  }
}
