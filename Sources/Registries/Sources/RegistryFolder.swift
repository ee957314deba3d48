package import WidgetKitCore
package import WidgetPlatform

/// A registry as a folder: that of a user, of the program, or one that was fetched.
package nonisolated struct RegistryFolder: Sendable {
  package let path: String
  /// The most bytes of all entries that are read.
  private let byteLimit: Int

  package init(_ path: String, byteLimit: Int = 16 << 20) {
    (self.path, self.byteLimit) = (path, byteLimit)
  }

  /// A list whose signature was checked, and what its lines lead to.
  package struct Checked: Sendable {
    package var index: RegistryIndex
    /// The entries whose files have the hashes of the list.
    package var entries: [RegistryEntry]
    /// What is wrong with the others.
    package var problems: [SafeText]

    /// The first of what is wrong, and how much more there is.
    package var shownProblems: [SafeText] {
      let (shown, left) = (problems.prefix(Self.shownCount), problems.count - Self.shownCount)
      guard left > 0 else { return problems }
      return shown + [SafeText("and \(left) more; “today gallery verify” lists them")]
    }

    private static let shownCount = 3
  }

  /// Reads and checks a registry, whose files are read in the background.
  ///
  /// - Parameters:
  ///   - source: Where it comes from, with its key.
  ///   - signatures: What checks signatures.
  /// - Returns: The list and its entries.
  /// - Throws: ``HostError`` if the list cannot be used.
  @MainActor package func checked(
    for source: RegistrySource,
    _ signatures: SignatureCheck
  ) async throws(HostError) -> Checked {
    do throws(HostError) {
      let bytes = try await Worker.background.result { () throws(HostError) in
        try self.bytes("index.json", byteLimit: RegistryIndex.byteLimit)
      }
      if let key = source.key {
        try await signatures.check(bytes, try signature(of: key), key)
      }
      return try await Worker.background.result { () throws(HostError) in
        try read(bytes, for: source)
      }
    } catch {
      throw HostError(code: error.code, description: "\(source.place): \(error.description)")
    }
  }

  /// Refuses a folder that is no registry, before anybody is asked whether it is to be added.
  ///
  /// - Throws: ``HostError`` that says what is missing.
  func requireList(of place: RegistrySource.Place) throws(HostError) {
    if case .folder = place, FileIdentity(path) == nil {
      throw HostError(code: .missing, description: "\(place): there is no such folder")
    }
    guard case .absent = UserFile.contents("\(path)/index.json", byteLimit: RegistryIndex.byteLimit)
    else { return }
    throw HostError(
      code: .missing,
      description:
        "\(place) is not a registry, as it has no index.json; “today new NAME --kind gallery” makes one"
    )
  }

  /// The key that the registry itself has; nil if it has none.
  package var offeredKey: SignatureKey? {
    ["minisign.pub", "gallery.gpg"].lazy
      .compactMap {
        UserFile.bytes("\(path)/\($0)", byteLimit: 256 << 10).flatMap(SignatureKey.init)
      }
      .first
  }

  /// Whether it has a signature.
  package var isSigned: Bool {
    ["index.json.minisig", "index.json.sig"].contains {
      UserFile.bytes("\(path)/\($0)", byteLimit: Self.signatureBytes) != nil
    }
  }

  private static let signatureBytes = 64 << 10

  private func signature(of key: SignatureKey) throws(HostError) -> [UInt8] {
    let name = key.kind == .minisign ? "index.json.minisig" : "index.json.sig"
    guard let signature = UserFile.bytes("\(path)/\(name)", byteLimit: Self.signatureBytes) else {
      throw HostError(
        code: .refused,
        description: "\(name) is missing: this registry was signed when it was added"
      )
    }
    return signature
  }

  private func bytes(_ name: String, byteLimit: Int) throws(HostError) -> [UInt8] {
    switch UserFile.contents("\(path)/\(name)", byteLimit: byteLimit) {
    case .whole(let bytes): return bytes
    case .absent: throw HostError(code: .missing, description: "it has no \(name)")
    case .odd(let words): throw HostError(code: .file, description: "\(name): \(words)")
    }
  }

  private func read(
    _ bytes: [UInt8],
    for source: RegistrySource
  ) throws(HostError) -> Checked {
    let index: RegistryIndex
    do {
      index = try RegistryIndex(try JSONTree(bytes))
    } catch {
      throw HostError(code: .refused, description: "index.json: \(SafeText("\(error)").onOneLine)")
    }
    guard index.serial >= source.serial else {
      throw HostError(
        code: .refused,
        description: "its list is older (\(index.serial)) than one that was seen (\(source.serial))"
      )
    }
    var checked = Checked(index: index, entries: [], problems: [])
    var left = byteLimit
    for line in index.lines {
      do throws(EntryFault) {
        checked.entries.append(try entry(line, for: source, &left))
      } catch {
        let words = "\(source.place): entries/\(line.id).json: \(error.description)"
        checked.problems.append(SafeText(words).onOneLine)
      }
    }
    return checked
  }

  private func entry(
    _ line: RegistryIndex.Line,
    for source: RegistrySource,
    _ left: inout Int
  ) throws(EntryFault) -> RegistryEntry {
    let file = "\(path)/entries/\(line.id).json"
    guard let bytes = UserFile.bytes(file, byteLimit: RegistryEntry.byteLimit) else {
      throw EntryFault("it is missing, or has more than \(RegistryEntry.byteLimit >> 10) KiB")
    }
    guard bytes.count <= left else {
      throw EntryFault("the entries have more than \(byteLimit >> 20) MiB")
    }
    left -= bytes.count
    guard SHA256Digest.hex(of: bytes) == line.sha256 else {
      throw EntryFault("it was changed after the list was made")
    }
    let entry: RegistryEntry
    do {
      entry = try RegistryEntry(try JSONTree(bytes))
    } catch {
      throw EntryFault("\(error)")
    }
    guard entry.id == line.id else { throw EntryFault("it has the identifier \(entry.id)") }
    guard entry.isComplete else { throw EntryFault("it was not indexed") }
    if case .repository(let address, _, _) = entry.source, !source.place.mayName(address) {
      throw EntryFault("it names a repository on this machine, \(address)")
    }
    return entry
  }
}
