import FoundationEssentials
import Registries
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// An entry that is proposed to a registry, and its picture.
struct EntryDraft {
  let id: String
  let version: String
  /// The file of the entry.
  let json: [UInt8]
  /// The picture for web pages; empty if there is none.
  let svg: [UInt8]
  /// What is said of it before it is proposed.
  let lines: [SafeText]

  private static let width = "60"
  private static let pictureLines = 40

  /// Makes the entry of a bundle.
  ///
  /// - Parameters:
  ///   - bundle: Its path.
  ///   - origin: Its commit.
  ///   - license: The identifier of its licence.
  ///   - clone: The registry, which may have an older version of it.
  ///   - options: The options of the command.
  /// - Throws: ``CommandError`` if the bundle cannot be installed.
  init(
    _ bundle: String,
    _ origin: CommitOrigin,
    license: String,
    in clone: RegistryClone,
    _ options: CommonOptions
  ) async throws(CommandError) {
    let environment = options.environment
    let place = clone.scratch
    let content = try await CommandError.from { () async throws(HostError) in
      try await StagedContent(
        bundle,
        environment: environment.merging(["XDG_DATA_HOME": place]) { $1 },
        catalog: BundleCatalog()
      )
    }
    defer {
      content.discard()
      UserFile.removeTree(place)
    }
    id = content.identifier
    let old = clone.file(id)
    version = old.flatMap { try? RegistryEntry($0) }.map { Self.next(after: $0.version) } ?? "1.0.0"
    // What the maintainer has written of an earlier version stays.
    var members = old?.members ?? []
    members["id"] = .string(id)
    members["name"] = members["name"] ?? .string(content.name.string)
    members["description"] =
      members["description"] ?? .string(content.words?.string ?? content.name.string)
    members["version"] = .string(version)
    members["categories"] = members["categories"] ?? .array([.string("other")])
    members["source"] = .object([
      Self.member("repository", origin.address.description), Self.member("commit", origin.commit),
      Self.member("path", origin.path),
    ])
    members["license"] = .string(license)
    // The list is made from these again.
    for name in ["kind", "permissions", "sha256"] { members[name] = nil }
    // The author may have made data for pictures; otherwise nothing is left of what the widget stores for this one.
    let data = FileIdentity("sample") == nil ? "\(place)/sample" : "sample"
    let common = ["snapshot", "--bundle", bundle, "--data", data, "--width", Self.width]
    let text = await OwnProgram.output(common + ["--format", "text"], environment: environment)
    var picture = String(decoding: text ?? [], as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).prefix(Self.pictureLines)
      .map { SafeText(String($0)).string }
    while picture.last?.isEmpty == true { picture.removeLast() }
    members["picture"] = .array(picture.map(JSONTree.string))
    svg = await OwnProgram.output(common + ["--format", "svg"], environment: environment) ?? []
    json = PrettyJSON.bytes(of: .object(members))
    lines =
      [
        SafeText("\(id) \(version) (\(content.name))"),
        SafeText("  files: \(origin.address), \(origin.commit.prefix(12)), \(origin.path)"),
        SafeText(
          content.permissions.requests.isEmpty
            ? "  asks for nothing" : "  asks to \(content.permissions.words)"
        ),
      ] + picture.map { SafeText("    \($0)") }
  }

  private static func member(_ name: String, _ text: String) -> JSONTree.Member {
    JSONTree.Member(name: name, value: .string(text))
  }

  /// A version with the last number one higher.
  private static func next(after version: EntryVersion) -> String {
    var parts = version.description.split(separator: ".").map(String.init)
    parts[parts.count - 1] = parts.last.flatMap(Int.init).map { "\($0 + 1)" } ?? "1"
    return parts.joined(separator: ".")
  }
}
