package import FoundationEssentials
import Glibc
import WidgetKitCore
package import WidgetPlatform

/// The registries that were fetched: `$XDG_CACHE_HOME/today/gallery`, a folder for each, which is replaced whole.
package final class RegistryCache {
  private let folder: String
  private let git: GitCommand
  private let limits: TreeLimits

  /// What is read of a registry.
  private static let names = [
    "index.json", "index.json.minisig", "index.json.sig", "minisign.pub", "gallery.gpg", "entries",
    "scripts",
  ]
  private static let tree = "tree"

  package init(_ folders: StateFolders, git: GitCommand, limits: TreeLimits) {
    folder = "\(folders.cache)/gallery"
    (self.git, self.limits) = (git, limits)
  }

  /// The folder of a registry: its own, or that in which it is when it was fetched.
  package func registry(at place: RegistrySource.Place) -> RegistryFolder {
    switch place {
    case .folder(let path): RegistryFolder(path)
    case .repository(let address): RegistryFolder("\(home(of: address))/\(Self.tree)")
    }
  }

  /// When a registry was fetched; nil if it was not, and for folders.
  package func date(of place: RegistrySource.Place) -> Date? {
    guard case .repository(let address) = place, let home = try? OwnFolder.open(home(of: address)),
      let status = home.status("fetched"),
      // Without it, a program was killed while it replaced the registry.
      home.status(Self.tree) != nil
    else { return nil }
    return Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec))
  }

  /// Fetches a registry into a folder that nobody reads yet.
  ///
  /// - Returns: The registry; call ``keep(_:of:)`` when it was checked, or ``discard(_:)``.
  package func fetch(_ address: RepositoryAddress) async throws(HostError) -> RegistryFolder {
    ScratchFolder.sweep(folder)
    let place = scratch()
    do throws(HostError) {
      try make(place)
      let repository = "\(place)/repository"
      let commit = try await git.fetch("HEAD", from: address, into: repository)
      let there = Set(try await git.names(in: commit, of: repository))
      let names = Self.names.filter(there.contains)
      guard names.contains("index.json") else {
        throw HostError(code: .refused, description: "\(address): it has no index.json")
      }
      try await git.archive(commit, names, of: repository, to: "\(place)/archive.tar")
      try await unpack("\(place)/archive.tar", into: "\(place)/\(Self.tree)")
      return RegistryFolder("\(place)/\(Self.tree)")
    } catch {
      remove(place)
      throw error
    }
  }

  /// Makes a fetched registry the one that is read, in one step.
  package func keep(
    _ registry: RegistryFolder,
    of address: RepositoryAddress
  ) throws(HostError) {
    let place = OwnPath.split(registry.path).folder
    defer { remove(place) }
    let home = home(of: address)
    try make(home)
    do throws(FileFault) {
      let from = try OwnFolder.open(place)
      let target = try OwnFolder.open(home)
      // The one before goes where everything is removed.
      try? target.move(Self.tree, to: from, as: "old")
      try from.move(Self.tree, to: target, as: Self.tree)
    } catch {
      throw .file("keep", home, error)
    }
    try DurableFile.write([], to: "\(home)/fetched", waitsForDisk: false)
  }

  /// Removes a fetched registry that was not kept.
  package func discard(_ registry: RegistryFolder) {
    remove(OwnPath.split(registry.path).folder)
  }

  /// Forgets a registry.
  package func forget(_ place: RegistrySource.Place) {
    if case .repository(let address) = place { remove(home(of: address)) }
  }

  // MARK: - Sources of entries

  /// Obtains the files of an entry, whose hash is checked before a name in them is read.
  ///
  /// - Parameters:
  ///   - source: Where they are.
  ///   - sha256: Their hash; nil to accept any, for the maintainer of a registry.
  ///   - registry: The registry of the entry.
  /// - Returns: The path of the file or the folder, and its hash; call ``discard(_:)`` with it.
  /// - Throws: ``HostError`` that says what is refused.
  package func obtain(
    _ source: EntrySource,
    sha256: String?,
    from registry: RegistryFolder
  ) async throws(HostError) -> ObtainedFiles {
    ScratchFolder.sweep(folder)
    let place = scratch()
    do throws(HostError) {
      try make(place)
      switch source {
      case .registry(let path):
        return try await Worker.background.result { () throws(HostError) in
          try Self.copy(path, of: registry, sha256: sha256, into: place)
        }
      case .repository(let address, let commit, let path):
        let repository = "\(place)/repository"
        _ = try await git.fetch(commit, from: address, into: repository)
        let archive = "\(place)/archive.tar"
        try await git.archive(commit, [path], of: repository, to: archive)
        if sha256 == nil, try await git.substitutes(in: commit, of: repository) {
          throw HostError(
            code: .refused,
            description: "a .gitattributes of it has export-subst, with which its hash would change"
          )
        }
        let limits = limits
        let found = try await Worker.background.result { () throws(HostError) in
          try Self.hash(of: archive, limits)
        }
        guard sha256 == nil || found == sha256 else {
          throw HostError(
            code: .refused,
            description:
              "\(source.words): its files are not those of the entry: their SHA-256 is \(found)"
          )
        }
        try await unpack(archive, into: "\(place)/files")
        return ObtainedFiles(place: place, path: "\(place)/files/\(path)", sha256: found)
      }
    } catch {
      remove(place)
      throw error
    }
  }

  /// Removes what was obtained.
  package func discard(_ files: ObtainedFiles) { remove(files.place) }

  private nonisolated static func copy(
    _ path: String,
    of registry: RegistryFolder,
    sha256: String?,
    into place: String
  ) throws(HostError) -> ObtainedFiles {
    guard let bytes = UserFile.bytes("\(registry.path)/\(path)", byteLimit: 1 << 20) else {
      throw HostError(
        code: .refused,
        description: "\(path): it is not in the registry, or has more than 1 MiB"
      )
    }
    let found = SHA256Digest.hex(of: bytes)
    guard sha256 == nil || found == sha256 else {
      throw HostError(
        code: .refused,
        description: "\(path): it is not the file of the entry: its SHA-256 is \(found)"
      )
    }
    let copy = "\(place)/files/\(OwnPath.split(path).name)"
    try DurableFile.write(bytes, to: copy, waitsForDisk: false)
    guard unsafe chmod(copy, 0o755) == 0 else { throw .system("make \(copy) executable", errno) }
    return ObtainedFiles(place: place, path: copy, sha256: found)
  }

  // MARK: - Folders

  private nonisolated static func hash(
    of path: String,
    _ limits: TreeLimits
  ) throws(HostError) -> String {
    let file = try open(path)
    var digest = SHA256Digest()
    var offset = 0
    while offset <= limits.bytes {
      let piece = file.read(128 << 10, from: offset)
      guard !piece.isEmpty else { return digest.hex() }
      digest.update(piece)
      offset += piece.count
    }
    throw HostError(
      code: .tooLarge,
      description: "its archive has more than \(limits.bytes >> 20) MiB"
    )
  }

  private func unpack(_ archive: String, into folder: String) async throws(HostError) {
    try make(folder)
    let limits = limits
    try await Worker.background.result { () throws(HostError) in
      try TarTree.unpack(try Self.open(archive), into: folder, limits)
    }
  }

  private nonisolated static func open(_ path: String) throws(HostError) -> Descriptor {
    let place = OwnPath.split(path)
    do throws(FileFault) {
      return try OwnFolder.open(place.folder).file(place.name, O_RDONLY)
    } catch {
      throw .file("read", path, error)
    }
  }

  private func home(of address: RepositoryAddress) -> String {
    "\(folder)/\(SHA256Digest.hex(of: Array(address.description.utf8)).prefix(16))"
  }

  private func scratch() -> String { "\(folder)/\(ScratchFolder.name("work-"))" }

  private func make(_ path: String) throws(HostError) {
    do throws(FileFault) {
      _ = try OwnFolder.open(path, makes: true)
    } catch {
      throw .file("create", path, error)
    }
  }

  private func remove(_ path: String) { UserFile.removeTree(path) }
}

/// The files of an entry in a folder of the program.
package nonisolated struct ObtainedFiles: Sendable {
  fileprivate let place: String
  /// The path of the file or the folder.
  package let path: String
  /// The SHA-256 of the file, or of the archive with the folder.
  package let sha256: String
}
