import FoundationEssentials
import Glibc
import Registries
import WidgetKitCore
import WidgetPlatform

extension FuzzTarget {
  private static let block = 512

  /// Unpacks an archive, whose checksums are made right, since one with a wrong sum is refused before it is read.
  static func unpack(_ bytes: [UInt8], _ scratch: String) {
    let folder = "\(scratch)/unpacking"
    let (archive, tree) = ("\(folder)/archive.tar", "\(folder)/tree")
    try? FileManager.default.removeItem(atPath: folder)
    try? FileManager.default.createDirectory(atPath: tree, withIntermediateDirectories: true)
    try? Data(withChecksums(bytes)).write(to: URL(filePath: archive))
    let file = unsafe open(archive, O_RDONLY | O_CLOEXEC)
    precondition(file >= 0, "an archive that cannot be opened")
    var limits = TreeLimits()
    (limits.bytes, limits.entries, limits.depth) = (1 << 20, 20, 4)
    try? TarTree.unpack(Descriptor(file), into: tree, limits)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    precondition(Set(names) == ["archive.tar", "tree"], "a file beside the tree")
    let found = (try? FileManager.default.subpathsOfDirectory(atPath: tree)) ?? []
    precondition(found.count <= limits.entries * limits.depth, "more files than the limit")
  }

  private static func withChecksums(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for start in stride(from: 0, to: bytes.count, by: block) where start + block <= bytes.count {
      guard bytes[(start + 257)..<(start + 262)].elementsEqual("ustar".utf8) else { continue }
      let sum = (start..<(start + block)).reduce(0) { sum, place in
        sum + ((148..<156).contains(place - start) ? 0x20 : Int(bytes[place]))
      }
      let digits = Array(String(sum, radix: 8).utf8)
      let zeros = [UInt8](repeating: 0x30, count: max(0, 6 - digits.count))
      bytes.replaceSubrange((start + 148)..<(start + 156), with: zeros + digits + [0, 0x20])
    }
    return bytes
  }

  /// Reads an entry and a list of a registry.
  static func readEntry(_ bytes: [UInt8]) {
    guard let tree = try? JSONTree(bytes) else { return }
    if let entry = try? RegistryEntry(tree) {
      precondition(RegistryEntry.isIdentifier(entry.id), "an identifier that is none")
      precondition(!entry.name.string.utf8.contains { $0 < 0x20 }, "a name of several lines")
    }
    guard let index = try? RegistryIndex(tree) else { return }
    precondition((try? RegistryIndex(index.json)) == index, "a list that is not read back")
  }
}
