import FoundationEssentials
import Glibc
public import WidgetKitCore
public import WidgetPlatform

/// The values of one suite of defaults on the disk.
///
/// The file is a log: each write appends one line with a checksum, which is whole or does not count, so
/// that a kill or a full disk at any point loses only what was not answered. Readers take no lock; a writer
/// locks the folder. When the log has grown, a writer replaces it by one line for each value.
public struct DefaultsFile: Sendable {
  /// The folder of the file.
  let folder: String
  /// The name of the file, which no other suite has, so that a watch of several folders knows it.
  let name: String

  /// The limits on what a suite holds.
  public enum Limit {
    /// The bytes of a key.
    public static let keyBytes = 256
    /// The bytes of all values as JSON.
    public static let bytes = 1 << 20
  }

  private static let heading = "today defaults 1 "
  /// A log of fewer bytes is not made shorter.
  private static let spareBytes = 1 << 16
  /// The most bytes of a log: the values, the spare bytes, a write, and space for later versions.
  private static let readBytes = 4 * Limit.bytes
  /// How long a writer waits for others.
  private static let patience: Duration = .seconds(5)

  /// The values of a suite in its container at `path`: that of a group, or a widget's own data.
  public init(container path: String, suite: String) {
    folder = "\(path)/\(StateFolders.reservedName)"
    name = "defaults.\(String(StableHash.value(of: suite), radix: 16))"
  }

  // MARK: - Reading

  /// All values; none if there is no file.
  ///
  /// - Throws: ``HostError`` if the file is there and cannot be read.
  public func read() throws(HostError) -> [String: DefaultsValue] {
    do throws(FileFault) {
      let file = try OwnFolder.open(folder).file(name, O_RDONLY)
      return try Self.values(in: Self.bytes(file))
    } catch .absent {
      return [:]
    } catch {
      throw .file("read", path, error)
    }
  }

  private var path: String { "\(folder)/\(name)" }

  private static func bytes(_ file: borrowing Descriptor) throws(FileFault) -> [UInt8] {
    guard let status = file.status() else { throw .system(errno) }
    guard status.st_size <= readBytes else {
      throw .refused("it has \(status.st_size) bytes, more than \(readBytes)")
    }
    return file.read(Int(status.st_size))
  }

  /// The values after all whole lines, in their order.
  private static func values(in bytes: [UInt8]) -> [String: DefaultsValue] {
    var values: [String: DefaultsValue] = [:]
    var rest = bytes[...]
    // What follows the last line feed is not whole yet.
    while let end = rest.firstIndex(of: 0x0A) {
      if let change = change(in: rest[..<end]) { apply(change, to: &values) }
      rest = rest[(end + 1)...]
    }
    return values
  }

  private static func apply(
    _ change: [String: DefaultsValue?],
    to values: inout [String: DefaultsValue]
  ) {
    for (key, value) in change { values[key] = value }
  }

  // MARK: - Lines

  /// The digits of the checksum before the JSON of a line.
  private static let checksumBytes = 16

  private static func line(_ change: [String: DefaultsValue?]) -> [UInt8]? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    guard let json = try? encoder.encode(change) else { return nil }
    return checksum(Array(json)[...]) + json + [0x0A]
  }

  private static func change(in line: ArraySlice<UInt8>) -> [String: DefaultsValue?]? {
    let json = line.dropFirst(checksumBytes)
    guard json.first == 0x7B, line.prefix(checksumBytes).elementsEqual(checksum(json)) else {
      return nil
    }
    return try? JSONDecoder().decode([String: DefaultsValue?].self, from: Data(json))
  }

  private static func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let digits = String(StableHash.value(of: "", followedBy: bytes), radix: 16)
    return Array((String(repeating: "0", count: checksumBytes - digits.count) + digits).utf8)
  }

  // MARK: - Writing

  /// Changes some values, all of them or none; nil removes a value.
  ///
  /// - Parameters:
  ///   - change: The values by their keys.
  ///   - waitsForDisk: Whether they survive a power failure when this returns.
  /// - Throws: ``HostError`` with `setting` if they are not values of defaults, with `tooLarge` if there is
  ///   no space for them, or the reason why the file was not written.
  public func write(
    _ change: [String: DefaultsValue?],
    waitsForDisk: Bool = true
  ) throws(HostError) {
    if let fault = change.keys.lazy.compactMap(Self.fault(ofKey:)).first {
      throw HostError(code: .setting, description: fault)
    }
    guard let line = Self.line(change) else {
      throw HostError(code: .setting, description: "a number is not finite")
    }
    guard line.count <= Limit.bytes else { throw Self.tooLarge }
    let outcome: Outcome
    do throws(FileFault) {
      outcome = try self.change(
        OwnFolder.open(folder, makes: true),
        change,
        line,
        waitsForDisk: waitsForDisk
      )
    } catch {
      throw .file("write", path, error)
    }
    switch outcome {
    case .done: break
    case .tooLarge: throw Self.tooLarge
    case .locked:
      throw HostError(
        code: .busy,
        description: "another program keeps \(folder) locked; try again later"
      )
    }
  }

  private enum Outcome {
    case done
    case tooLarge
    case locked
  }

  private func change(
    _ folder: borrowing OwnFolder,
    _ change: [String: DefaultsValue?],
    _ line: [UInt8],
    waitsForDisk: Bool
  ) throws(FileFault) -> Outcome {
    guard let lock = FolderLock(folder, patience: Self.patience) else { return .locked }
    let isDone = try append(line, change, in: folder, waitsForDisk: waitsForDisk)
    _ = consume lock
    return isDone ? .done : .tooLarge
  }

  /// What is wrong with a key, in words; nil if it can be one.
  public static func fault(ofKey key: String) -> String? {
    guard !key.isEmpty, key.utf8.count <= Limit.keyBytes else {
      return "a key has 1 to \(Limit.keyBytes) bytes, not \(key.utf8.count)"
    }
    guard key.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
      return "“\(SafeText(key))”: a key has no control characters"
    }
    return nil
  }

  private static var tooLarge: HostError {
    HostError(
      code: .tooLarge,
      description: "the values of a suite may have \(Limit.bytes) bytes as JSON; remove some first"
    )
  }

  /// Appends a line to the log, or replaces the log by one with the change; false if it is too large.
  private func append(
    _ line: [UInt8],
    _ change: [String: DefaultsValue?],
    in folder: borrowing OwnFolder,
    waitsForDisk: Bool
  ) throws(FileFault) -> Bool {
    guard folder.status(name) != nil else {
      try folder.replace(name, with: Self.headingLine(0) + line, waitsForDisk: waitsForDisk)
      return true
    }
    let file = try folder.file(name, O_RDWR | O_APPEND)
    guard let status = file.status() else { throw .system(errno) }
    let size = Int(status.st_size)
    if size + line.count > Self.spareBytes + min(2 * Self.baseBytes(file), Limit.bytes) {
      return try replace(file, change, in: folder, waitsForDisk: waitsForDisk)
    }
    // A writer that was killed may have left a part of a line, which is ended here so that it never counts.
    let isWhole = file.read(1, from: max(0, size - 1)) == [0x0A]
    try file.write(isWhole ? line : Array("!\n".utf8) + line)
    guard !waitsForDisk || fdatasync(file.number) == 0 else { throw .system(errno) }
    return true
  }

  private func replace(
    _ file: borrowing Descriptor,
    _ change: [String: DefaultsValue?],
    in folder: borrowing OwnFolder,
    waitsForDisk: Bool
  ) throws(FileFault) -> Bool {
    var values = Self.values(in: try Self.bytes(file))
    Self.apply(change, to: &values)
    let lines = values.compactMap { Self.line([$0.key: $0.value]) }.joined()
    guard lines.count <= Limit.bytes else { return false }
    folder.removeStrays()
    try folder.replace(
      name,
      with: Self.headingLine(lines.count) + lines,
      waitsForDisk: waitsForDisk
    )
    return true
  }

  private static func headingLine(_ count: Int) -> [UInt8] {
    Array("\(heading)\(count)\n".utf8)
  }

  /// The bytes of the values when the log was last replaced.
  private static func baseBytes(_ file: borrowing Descriptor) -> Int {
    let line = String(decoding: file.read(64).prefix { $0 != 0x0A }, as: UTF8.self)
    guard line.hasPrefix(heading), let count = Int(line.dropFirst(heading.count)) else { return 0 }
    return min(max(count, 0), Limit.bytes)
  }
}
