package import WidgetKitCore
import WidgetPlatform

/// A folder of another machine into which files are put: each is whole or not there, whenever the connection ends.
@MainActor package final class RemoteDrop {
  /// What is in the folder.
  package enum Content {
    /// Nothing, or there is no folder yet.
    case nothing
    /// The file that marks it as ours.
    case marked([UInt8])
    /// Files of others, such as this one.
    case others(String)
  }

  /// What has become of files that were to be put there.
  package enum Outcome {
    /// They are there.
    case done
    /// None is, as a file of others has the name of one that was to be new.
    case foreign(String)
  }

  private let destination: RemoteDestination
  private let folder: String
  private let marker: String
  private let environment: [String: String]

  /// How long it may take, besides what the bytes take through a slow connection.
  private static let patience: Duration = .seconds(60)
  private static let bytesPerSecond = 8 * 1024
  private static let outputLimit = 512 * 1024
  /// What comes before an answer, after what a login shell prints.
  private static let mark = "today drop: "

  /// - Parameters:
  ///   - folder: The folder, which may be relative to the home there.
  ///   - destination: The machine.
  ///   - marker: The name of the file that marks it as ours.
  ///   - environment: The user's environment.
  package init(
    _ folder: String,
    on destination: RemoteDestination,
    marker: String,
    environment: [String: String]
  ) {
    (self.folder, self.destination) = (folder, destination)
    (self.marker, self.environment) = (marker, environment)
  }

  // MARK: - The other side

  /// What the other side runs to look at the folder `$1`, without an apostrophe; `$2` is the marker.
  private static let look = """
    \(RemoteCommand.folderWords)
    if [ -d "$d" ]; then cd "$d" || exit \(Fault.folder.rawValue); else echo "\(mark)nothing"; exit 0; fi
    if [ -h "$2" ] || { [ -e "$2" ] && [ ! -f "$2" ]; }; then exit \(Fault.marker.rawValue); fi
    if [ -f "$2" ]; then echo "\(mark)marked"; cat "$2"; exit; fi
    for f in * .[!.]* ..?*; do
      case $f in .today-publish-*) continue ;; esac
      if [ -e "$f" ] || [ -h "$f" ]; then echo "\(mark)others"; printf "%s\\\\n" "$f"; exit 0; fi
    done
    echo "\(mark)nothing"
    """

  /// What the other side runs to change the folder `$1`: it reads lines with a question mark and a name that no file
  /// may have, lines with a size and a name, each followed by the bytes of that file, lines with a dash and the name of
  /// a file to remove, and `end`.
  ///
  /// A file is written beside the old one and renamed. A link to a folder is removed first, as `mv` would follow it.
  private static let put = """
    \(RemoteCommand.folderWords)
    umask 022
    mkdir -p "$d" && cd "$d" || exit \(Fault.folder.rawValue)
    for f in .today-publish-*; do [ -f "$f" ] && [ ! -h "$f" ] && rm -f "./$f"; done
    t=.today-publish-$$.tmp
    trap "rm -f $t" EXIT
    trap "exit 129" HUP INT TERM PIPE
    while IFS= read -r line; do
      case $line in
        end) echo "\(mark)done"; exit 0 ;;
        "- "*) name=${line#"- "}; case $name in */*) exit 2 ;; esac; rm -f "./$name"; continue ;;
        "? "*)
          name=${line#"? "}
          if [ -e "./$name" ] || [ -h "./$name" ]; then
            echo "\(mark)foreign"; printf "%s\\\\n" "$name"; exit 0
          fi
          continue ;;
      esac
      size=${line%% *}
      name=${line#* }
      case $name in */* | "") exit 2 ;; esac
      rm -f "$t"
      (set -C; head -c "$size" >"$t") || exit \(Fault.space.rawValue)
      [ "$(wc -c <"$t")" -eq "$size" ] || exit \(Fault.space.rawValue)
      if [ -d "$name" ] && [ ! -h "$name" ]; then echo "$name" >&2; exit \(Fault.isFolder.rawValue); fi
      if [ -h "$name" ]; then rm -f "./$name"; fi
      mv -f "$t" "./$name" || exit \(Fault.space.rawValue)
    done
    exit 1
    """

  /// What the scripts exit with.
  private enum Fault: Int32 {
    case folder = 3
    case marker = 4
    case space = 5
    case isFolder = 6
  }

  // MARK: - Here

  /// Looks at the folder.
  package func content() async -> Result<Content, RemoteFailure> {
    await run(Self.look, [folder, marker], input: []).flatMap { text in
      if let rest = text.after("\(Self.mark)marked\n") {
        return .success(.marked(Array(rest.utf8)))
      }
      if let rest = text.after("\(Self.mark)others\n") {
        return .success(.others(String(rest.prefix { $0 != "\n" })))
      }
      guard text.after("\(Self.mark)nothing\n") != nil else { return .failure(fault(nil)) }
      return .success(.nothing)
    }
  }

  /// Writes files in their order, and removes others.
  ///
  /// - Parameters:
  ///   - files: The files.
  ///   - removed: The names of those that are removed.
  ///   - new: The names of files for which there may be none; nothing is changed if there is one.
  /// - Returns: What has become of them.
  package func put(
    _ files: [(name: String, bytes: [UInt8])],
    removing removed: [String],
    new: [String]
  ) async -> Result<Outcome, RemoteFailure> {
    var input: [UInt8] = new.flatMap { Array("? \($0)\n".utf8) }
    for file in files { input += Array("\(file.bytes.count) \(file.name)\n".utf8) + file.bytes }
    for name in removed { input += Array("- \(name)\n".utf8) }
    input += Array("end\n".utf8)
    return await run(Self.put, [folder], input: input).flatMap { text in
      if let rest = text.after("\(Self.mark)foreign\n") {
        return .success(.foreign(String(rest.prefix { $0 != "\n" })))
      }
      return text.after("\(Self.mark)done\n") == nil ? .failure(fault(nil)) : .success(.done)
    }
  }

  private func run(
    _ script: String,
    _ words: [String],
    input: [UInt8]
  ) async -> Result<String, RemoteFailure> {
    let host = RemoteHosts.shared.host(destination, environment: environment)
    let connection = await withCheckedContinuation { continuation in
      host.connect { continuation.resume(returning: $0) }
    }
    switch connection {
    case .failure(let failure):
      return .failure(RemoteFailure(description: "\(destination.machine): \(failure.description)"))
    case .success(let command):
      let launch = LaunchDescription(
        program: command.program,
        arguments: command.drop(script, words),
        environment: environment,
        folder: "/"
      )
      let terms = ChildRun.Terms(
        input: input.isEmpty ? .nothing : .bytes(input),
        output: .kept(byteLimit: Self.outputLimit),
        errors: .lines { _ in },
        time: Self.patience + .seconds(input.count / Self.bytesPerSecond)
      )
      do throws(HostError) {
        let end = try await ChildRun.end(of: launch, terms)
        guard end.failure == nil, end.status == .exited(0) else { return .failure(fault(end)) }
        return .success(String(decoding: end.output, as: UTF8.self))
      } catch {
        return .failure(RemoteFailure(description: error.description))
      }
    }
  }

  private func fault(_ end: ChildRun.End?) -> RemoteFailure {
    let place = "\(destination.machine):\(folder)"
    guard let end else {
      return RemoteFailure(description: "\(place): the answer was not understood")
    }
    if let failure = end.failure {
      return RemoteFailure(description: "\(place): it \(failure.words)")
    }
    if end.status == RemoteCommand.connectionFailure { return .lost(destination) }
    let said = end.lines.last.map { ": \($0)" } ?? ""
    var fault: Fault?
    if case .exited(let code) = end.status { fault = Fault(rawValue: code) }
    let words =
      switch fault {
      case .folder: "the folder cannot be made or entered\(said)"
      case .marker: "\(marker) is not a regular file; remove it, if this folder is for the page"
      case .space: "a file could not be written\(said)"
      case .isFolder: "a folder is in the place of a file\(said)"
      case nil: "it could not be written: \(end.status)\(said)"
      }
    return RemoteFailure(description: "\(place): \(words)")
  }
}

extension String {
  /// What follows a text in it; nil if it does not occur.
  fileprivate func after(_ text: String) -> Substring? {
    firstRange(of: text).map { self[$0.upperBound...] }
  }
}
