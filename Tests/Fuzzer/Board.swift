import FoundationEssentials
import Glibc

/// Shared memory that survives the fuzzed process: the present input, and the number of inputs.
@safe struct Board {
  private static let size = 4 << 20
  private let memory: UnsafeMutableRawBufferPointer

  init(folder: String) {
    let mapping = unsafe mmap(
      nil,
      Self.size,
      PROT_READ | PROT_WRITE,
      MAP_SHARED | MAP_ANONYMOUS,
      -1,
      0
    )
    guard let mapping = unsafe mapping, unsafe mapping != MAP_FAILED else {
      Fuzzer.fail("no memory for the board")
    }
    unsafe memory = UnsafeMutableRawBufferPointer(start: mapping, count: Self.size)
  }

  /// How many inputs were begun.
  var count: Int { unsafe memory.load(as: Int.self) }

  /// Records the next input.
  mutating func note(_ bytes: [UInt8], _ target: FuzzTarget) {
    let kept = bytes.prefix(Self.size - 64)
    unsafe memory.storeBytes(of: count + 1, as: Int.self)
    unsafe memory.storeBytes(of: kept.count, toByteOffset: 8, as: Int.self)
    let index = FuzzTarget.allCases.firstIndex(of: target) ?? 0
    unsafe memory.storeBytes(of: index, toByteOffset: 16, as: Int.self)
    unsafe UnsafeMutableRawBufferPointer(rebasing: memory[24...]).copyBytes(from: kept)
  }

  /// Writes the last input to a folder; returns its path.
  func keep(in folder: String, seed: UInt64) -> String {
    let length = unsafe memory.load(fromByteOffset: 8, as: Int.self)
    let target = FuzzTarget.allCases[unsafe memory.load(fromByteOffset: 16, as: Int.self)]
    let path = "\(folder)/\(target.rawValue)-\(seed)-\(count)"
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let bytes = unsafe Data(memory[24..<(24 + length)])
    try? bytes.write(to: URL(filePath: path))
    return path
  }
}
