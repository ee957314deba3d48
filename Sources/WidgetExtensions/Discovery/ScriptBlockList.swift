import FoundationEssentials
package import WidgetKitCore
package import WidgetPlatform

/// The blocks that a status command has printed, on the disk, so that their cards are there at the next start
/// before the program has printed anything.
///
/// The file is `$XDG_STATE_HOME/today/blocks/ID.json`. Several programs add to it.
package struct ScriptBlockList: Codable, Hashable, Sendable {
  /// A block that was printed.
  package struct Entry: Codable, Hashable, Sendable {
    package var block: ScriptBlock
    /// The identifier of its widget, which stays when other blocks come.
    package var identifier: String
    /// Whether its card was hidden because the program did not print it any more.
    package var isAbsent = false
  }

  /// The blocks in the order in which they were first printed.
  package private(set) var entries: [Entry] = []

  /// The most blocks of a program that have cards.
  static let limit = 100
  private static let byteLimit = 256 * 1024

  /// The file with the blocks of a program, in the folder of all such files.
  package static func path(of identifier: String, in folder: String) -> String {
    "\(folder)/\(ExtensionIdentity(identifier).fileName).json"
  }

  /// Reads the list of a program; one that is missing or cannot be read is empty.
  package static func read(_ path: String, of identifier: String) -> ScriptBlockList {
    decode(DurableFile.read(path, byteLimit: byteLimit), of: identifier)
  }

  private static func decode(_ bytes: [UInt8]?, of identifier: String) -> ScriptBlockList {
    guard let bytes,
      var list = try? JSONDecoder().decode(ScriptBlockList.self, from: Data(bytes))
    else { return ScriptBlockList() }
    var names: Set<String> = []
    var blocks: Set<ScriptBlock> = []
    list.entries.removeAll { entry in
      !entry.identifier.hasPrefix(identifier + ".")
        || !ExtensionIdentity.isIdentifier(entry.identifier)
        || !names.insert(entry.identifier).inserted || !blocks.insert(entry.block).inserted
    }
    list.entries = Array(list.entries.prefix(limit))
    return list
  }

  /// Changes the list on the disk while no other program does.
  ///
  /// This function waits for the disk: call it off the main actor.
  ///
  /// - Returns: The list as it is then.
  /// - Throws: ``HostError`` if it cannot be written.
  package static func change(
    _ path: String,
    of identifier: String,
    _ change: (inout ScriptBlockList) -> Void
  ) throws(HostError) -> ScriptBlockList {
    let place = OwnPath.split(path)
    return try OwnFolder.whileLocked(place.folder, of: "blocks") { folder throws(HostError) in
      let before = read(path, of: identifier)
      var list = before
      change(&list)
      guard list != before else { return list }
      do throws(FileFault) {
        // Texts and flags can always be written.
        let bytes = (try? JSONEncoder().encode(list)) ?? Data()
        try folder.replace(place.name, with: Array(bytes), waitsForDisk: false)
      } catch {
        throw .file("write", path, error)
      }
      return list
    }
  }

  /// Adds blocks that a program has printed, and gives each an identifier.
  ///
  /// - Parameters:
  ///   - printed: All blocks that it prints now. Where there are too many, others make room for them.
  ///   - identifier: The identifier of the program.
  package mutating func add(_ printed: [ScriptBlock], of identifier: String) {
    let present = Set(printed)
    for block in printed where !entries.contains(where: { $0.block == block }) {
      if entries.count >= Self.limit {
        guard let index = entries.firstIndex(where: { !present.contains($0.block) }) else { return }
        entries.remove(at: index)
      }
      let taken = Set(entries.map(\.identifier))
      let plain = "\(identifier).\(block.word)"
      var name = plain
      var number = 2
      while taken.contains(name) {
        name = "\(plain)-\(number)"
        number += 1
      }
      entries.append(Entry(block: block, identifier: name))
    }
  }

  /// Sets whether the card of a block is hidden because it is not printed.
  package mutating func set(isAbsent: Bool, _ block: ScriptBlock) {
    guard let index = entries.firstIndex(where: { $0.block == block }) else { return }
    entries[index].isAbsent = isAbsent
  }
}
