import FoundationEssentials
import Registries
import WidgetKitCore
import WidgetPlatform

/// A copy of a registry in which a change of it is made.
struct RegistryClone {
  /// Its folder.
  let folder: String
  /// A folder for what is made on the way.
  let scratch: String
  private let place: String
  private let address: RepositoryAddress
  private let git: GitCommand
  private let environment: [String: String]

  /// Fetches a registry.
  init(
    of address: RepositoryAddress,
    _ git: GitCommand,
    _ environment: [String: String]
  ) async throws(CommandError) {
    (self.address, self.git, self.environment) = (address, git, environment)
    let cache = "\(StateFolders(environment: environment).cache)/gallery"
    ScratchFolder.sweep(cache)
    place = "\(cache)/\(ScratchFolder.name("clone-"))"
    (folder, scratch) = ("\(place)/\(Self.name)", "\(place)/scratch")
    let clone = self
    try await CommandError.from { () async throws(HostError) in
      do throws(FileFault) {
        _ = try OwnFolder.open(clone.place, makes: true)
      } catch {
        throw .file("create", clone.place, error)
      }
      do throws(HostError) {
        try await clone.fetch()
      } catch {
        clone.remove()
        throw error
      }
    }
  }

  private static let name = "registry"
  private static let folders = ["entries", "pictures"]
  /// What a registry names of the user's filters and drivers is not used: this file comes before all others.
  private static let attributes =
    "* -filter -text -ident -export-subst !eol !working-tree-encoding !diff !merge\n"

  /// Gets the files, whose links become files with the name of what they lead to.
  private func fetch() async throws(HostError) {
    _ = try await git.ask(
      [
        "clone", "--quiet", "--depth=1", "--no-checkout", "--template=", "-c",
        "core.symlinks=false", "--", address.description, folder,
      ],
      in: place
    )
    do throws(FileFault) {
      try open().anyFolder(".git").anyFolder("info", makes: true)
        .replace("attributes", with: Array(Self.attributes.utf8), waitsForDisk: false)
    } catch {
      throw .file("write", "\(folder)/.git/info/attributes", error)
    }
    _ = try await git.ask(["checkout", "--quiet", "--force", "HEAD"], in: folder)
    do throws(FileFault) {
      let registry = try open()
      for name in Self.folders where registry.status(name) != nil {
        _ = try registry.anyFolder(name)
      }
    } catch {
      throw HostError(
        code: .refused,
        description: "\(address): \(error.words.replacing("\(folder)/", with: ""))"
      )
    }
  }

  /// Opens the folder of the registry; nothing that is opened or written from here follows a link.
  private func open() throws(FileFault) -> OwnFolder {
    try OwnFolder.open(place).anyFolder(Self.name)
  }

  private func write(_ bytes: [UInt8], _ name: String, in part: String) throws(HostError) {
    do throws(FileFault) {
      try open().anyFolder(part, makes: true).replace(name, with: bytes, waitsForDisk: false)
    } catch {
      throw .file("write", "\(folder)/\(part)/\(name)", error)
    }
  }

  func remove() { UserFile.removeTree(place) }

  /// The file of an identifier as it is at present.
  func file(_ id: String) -> JSONTree? {
    let file = "\(folder)/entries/\(id).json"
    return UserFile.bytes(file, byteLimit: RegistryEntry.byteLimit).flatMap { try? JSONTree($0) }
  }

  private func ask(_ arguments: [String]) async throws(CommandError) -> String {
    try await CommandError.from { () async throws(HostError) in
      try await git.ask(arguments, in: folder)
    }
  }

  private func branch(_ draft: EntryDraft) -> String { "\(draft.id)-\(draft.version)" }
  private func title(_ draft: EntryDraft) -> String { "Add \(draft.id) \(draft.version)" }

  /// Commits an entry on a branch of its own.
  func commit(_ draft: EntryDraft) async throws(CommandError) {
    try CommandError.from { () throws(HostError) in
      try write(draft.json, "\(draft.id).json", in: "entries")
      if !draft.svg.isEmpty { try write(draft.svg, "\(draft.id).svg", in: "pictures") }
    }
    _ = try await ask(["checkout", "--quiet", "-b", branch(draft)])
    _ = try await ask(["add", "--", "entries"] + (draft.svg.isEmpty ? [] : ["pictures"]))
    _ = try await ask(["commit", "--quiet", "-m", title(draft)])
  }

  /// Writes the commit as a patch into the current folder; returns its path.
  func writePatch(_ draft: EntryDraft) async throws(CommandError) -> String {
    let patch = try await ask(["format-patch", "-1", "--stdout"])
    let path = "\(FileManager.default.currentDirectoryPath)/\(branch(draft)).patch"
    try CommandError.from { () throws(HostError) in try UserFile.write(patch, to: path) }
    return path
  }

  /// Opens a pull request with gh; returns its address, or nil where there is no gh or it is not on GitHub.
  func openRequest(_ draft: EntryDraft) async throws(CommandError) -> SafeText? {
    let prefix = "https://github.com/"
    guard address.description.hasPrefix(prefix),
      let gh = ToolSearch.path(of: "gh", in: environment)
    else { return nil }
    var name = String(address.description.dropFirst(prefix.count))
    if name.hasSuffix(".git") { name.removeLast(4) }
    let login = try await say(gh, ["api", "user", "--jq", ".login"])
    _ = try await say(gh, ["repo", "fork", "--remote", "--remote-name", "fork"])
    _ = try await ask(["push", "--quiet", "fork", "HEAD:refs/heads/\(branch(draft))"])
    let words =
      "\(title(draft))\n\nMade by “today gallery publish”, after “today lint” and “today test”."
    return SafeText(
      try await say(
        gh,
        [
          "pr", "create", "--repo", name, "--head", "\(login):\(branch(draft))", "--title",
          title(draft), "--body", words,
        ]
      )
    ).onOneLine
  }

  private func say(_ gh: String, _ arguments: [String]) async throws(CommandError) -> String {
    guard
      let output = await OwnProgram.output(
        of: gh,
        arguments,
        environment: environment,
        in: folder
      )
    else {
      throw .failure("“gh \(arguments.prefix(2).joined(separator: " "))” fails; “gh auth login”?")
    }
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
    return lines.last.map(String.init) ?? ""
  }
}
