import FoundationEssentials
import WidgetPlatform

/// An archive with a bundle, which bsdtar or tar unpacks: they are kept by people who know hostile
/// archives.
///
/// What is unpacked is not trusted: it is to be copied and checked like any folder.
final class BundleArchive {
  private let path: String
  private let environment: [String: String]
  private let clock: any HostClock
  private var run: ChildRun?
  /// When the size of what is unpacked is looked at next.
  private var watch: (any HostTimer)?
  private var isTooLarge = false

  private static let watchInterval: Duration = .milliseconds(100)
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
    let list = try await output(of: program, ["-tf", file], place)
    let name = try Self.bundleName(inList: String(decoding: list, as: UTF8.self), of: path)
    _ = try await output(
      of: program,
      ["-xf", file, "-C", place, "--no-same-owner", "--no-same-permissions"],
      place
    )
    return name
  }

  private func output(
    of program: String,
    _ arguments: [String],
    _ place: String
  ) async throws(HostError) -> [UInt8] {
    watch = watchSize(of: place)
    let result = await withCheckedContinuation { continuation in
      run = ChildRun.print(
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
    watch?.cancel()
    run = nil
    guard !isTooLarge else {
      let limit = BundleTree.Limits().bytes >> 20
      throw refused("it has more than \(limit) MiB")
    }
    switch result {
    case .success(let bytes): return bytes
    case .failure(let failure):
      throw HostError(code: .file, description: "\(path): \(program) \(failure.words)")
    }
  }

  /// Ends the program that unpacks when it has written more than a bundle may have.
  private func watchSize(of place: String) -> any HostTimer {
    clock.schedule(after: Self.watchInterval) { [weak self] in
      guard let self, let open = try? OwnFolder.open(place) else { return }
      let limits = BundleTree.Limits()
      var extent = FolderExtent(entryLimit: 2 * limits.entries)
      extent.add(open)
      isTooLarge = extent.bytes > limits.bytes || extent.isCutOff
      if isTooLarge { run?.kill() } else { watch = watchSize(of: place) }
    }
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
