import FoundationEssentials
import WidgetPlatform

/// An archive with a bundle, which bsdtar or tar unpacks: they are maintained by people who know hostile
/// archives.
///
/// What is unpacked is not trusted: it is to be copied and checked like any folder.
final class BundleArchive {
  private let path: String
  private let environment: [String: String]
  private let clock: any HostClock

  /// The limits on listing and unpacking.
  private static let byteLimit = 8 << 20
  private static let time = Duration.seconds(120)

  /// Creates an archive; nothing is read yet.
  init(_ path: String, environment: [String: String], clock: any HostClock) {
    (self.path, self.environment, self.clock) = (path, environment, clock)
  }

  /// Unpacks it, once.
  ///
  /// - Parameter place: The path of an empty folder.
  /// - Returns: The name of the bundle in it.
  /// - Throws: ``HostError`` that names the archive and what is wrong with it; the folder may have a part
  ///   of it then.
  func unpack(into place: String) async throws(HostError) -> String {
    guard
      let program = ToolSearch.path(of: "bsdtar", in: environment)
        ?? ToolSearch.path(of: "tar", in: environment)
    else {
      throw HostError(
        code: .file,
        description: "\(path): neither bsdtar nor tar is installed; apt install libarchive-tools"
      )
    }
    let file = path.hasPrefix("/") ? path : "./\(path)"
    let list: [UInt8]
    switch try await run(program, ["-tf", file], place) {
    case .success(let bytes): list = bytes
    case .failure(.failed(.exited)): throw unreadable
    case .failure(let failure): throw trouble(program, failure)
    }
    let name = try Self.bundleName(inList: String(decoding: list, as: UTF8.self), of: path)
    let arguments = ["-xf", file, "-C", place, "--no-same-owner", "--no-same-permissions"]
    if case .failure(let failure) = try await run(program, arguments, place) {
      throw trouble(program, failure)
    }
    return name
  }

  /// The error for a file that is nothing that can be installed.
  private var unreadable: HostError {
    HostError(
      code: .file,
      description:
        "\(path) is neither a script nor an archive that can be read; expected a folder *.app, *.widget or "
        + "*.appex, an archive with one, or an executable file that begins with “#!”"
    )
  }

  private func trouble(_ program: String, _ failure: ChildRun.Failure) -> HostError {
    HostError(code: .file, description: "\(path): \(program) \(failure.words)")
  }

  private func run(
    _ program: String,
    _ arguments: [String],
    _ place: String
  ) async throws(HostError) -> Result<[UInt8], ChildRun.Failure> {
    let limits = BundleTree.Limits()
    let watch = FolderSizeWatch(
      of: place,
      byteLimit: limits.bytes,
      entryLimit: 2 * limits.entries,
      clock: clock
    )
    let result = await withCheckedContinuation { continuation in
      watch.run = ChildRun.print(
        LaunchDescription(
          program: program,
          arguments: arguments,
          environment: environment,
          folder: "."
        ),
        byteLimit: Self.byteLimit,
        time: Self.time,
        clock: clock
      ) { continuation.resume(returning: $0) }
    }
    watch.end()
    guard !watch.isTooLarge else { throw refused("it has more than \(limits.bytes >> 20) MiB") }
    return result
  }

  private func refused(_ words: String) -> HostError { Self.refused(path, words) }

  nonisolated private static func refused(_ path: String, _ words: String) -> HostError {
    HostError(code: .file, description: "\(path) cannot be installed: \(words)")
  }

  /// The name of the one bundle at the top of an archive.
  ///
  /// - Throws: ``HostError`` if the archive has something else at its top, or a path that leads elsewhere.
  nonisolated static func bundleName(
    inList list: String,
    of path: String
  ) throws(HostError) -> String {
    var tops: Set<String> = []
    for line in list.split(separator: "\n") {
      let entry = line.hasPrefix("./") ? line.dropFirst(2) : line
      guard !entry.isEmpty else { continue }
      let parts = entry.split(separator: "/", omittingEmptySubsequences: true)
      guard !entry.hasPrefix("/"), !parts.contains("..") else {
        throw refused(path, "it has the path “\(line.prefix(80))”, which leads out of it")
      }
      if let top = parts.first { tops.insert(String(top)) }
    }
    guard let name = tops.first, tops.count == 1, BundleInstaller.isBundleName(name) else {
      throw refused(path, "expected one folder *.app or *.widget at its top, and nothing else")
    }
    return name
  }
}
