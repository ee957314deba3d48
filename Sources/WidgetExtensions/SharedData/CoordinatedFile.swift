import Glibc
import WidgetKitCore
public import WidgetPlatform

/// A file in the container of an app group, to which programs coordinate their access.
public struct CoordinatedFile: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The folder of the group.
  private let container: String
  /// The path in it, without links.
  private let name: String

  /// Why a path is no such file, in words.
  public enum Refusal: Error, Hashable, Sendable {
    /// It is none anywhere.
    case invalid(String)
    /// It is in no group of those that asked.
    case outside(String)
  }

  /// Finds the file at an absolute path, which need not exist, in one of some groups.
  ///
  /// - Throws: ``Refusal`` that names the path and what was expected.
  public init(
    _ path: String,
    groups: [String],
    folders: StateFolders
  ) throws(Refusal) {
    let shown = SafeText("“\(path)”")
    guard path.hasPrefix("/"), !path.utf8.contains(0) else {
      throw .invalid("\(shown): expected an absolute path")
    }
    // The container of a group is made when it is first needed.
    for container in groups.map(folders.group) where path.hasPrefix("\(container)/") {
      StateFolders.make("\(container)/\(StateFolders.reservedName)")
    }
    let real = try Self.resolved(path, shown)
    for group in groups {
      let container = folders.group(group)
      guard let root = Self.real(container), real.utf8.starts(with: "\(root)/".utf8) else {
        continue
      }
      let name = String(decoding: real.utf8.dropFirst(root.utf8.count + 1), as: UTF8.self)
      guard name.split(separator: "/").first.map(String.init) != StateFolders.reservedName else {
        throw .invalid("\(shown): \(StateFolders.reservedName) is reserved for the program")
      }
      self.container = container
      self.name = name
      return
    }
    let list = groups.isEmpty ? "there is none" : groups.joined(separator: ", ")
    throw .outside("\(shown): expected a file in the folder of an app group (\(list))")
  }

  /// The path, for messages.
  public var description: String { "\(container)/\(name)" }

  private static func resolved(_ path: String, _ shown: SafeText) throws(Refusal) -> String {
    var status = stat()
    if let present = real(path) {
      let kind = unsafe stat(present, &status) == 0 ? status.st_mode & S_IFMT : S_IFREG
      guard kind == S_IFREG || kind == S_IFDIR else {
        throw .invalid("\(shown): expected a file, but \(FileFault.kind(of: kind))")
      }
      return present
    }
    guard errno == ENOENT else {
      throw .invalid("\(shown): \(HostError.text(of: errno))")
    }
    let parts = OwnPath.split(path)
    guard OwnPath.isPlain(parts.name), let folder = real(parts.folder.isEmpty ? "/" : parts.folder)
    else { throw .invalid("\(shown): its folder does not exist") }
    return folder == "/" ? "/\(parts.name)" : "\(folder)/\(parts.name)"
  }

  /// The path without links; nil with `errno` if it does not exist.
  private static func real(_ path: String) -> String? {
    guard let bytes = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(bytes) }
    return unsafe String(cString: bytes)
  }

  // MARK: - The lock

  /// Where the locks of all files of the group are.
  static let locks = "coordinated"

  var lockFolder: String { "\(container)/\(StateFolders.reservedName)" }

  /// The place of the file's locks: a number that no other file of the group has.
  var place: UInt64 { StableHash.value(of: name) }
}
