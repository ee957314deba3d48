import Glibc
import WidgetPlatform

/// Looks at the folders of the program: rights, owner and free space.
nonisolated struct FolderDiagnosis {
  /// A folder, and the variable that moves it.
  private struct Place {
    var path: String
    var variable: String
    var isWritten = true
  }

  private let places: [Place]
  private let lacksRuntime: Bool

  /// Free space below which the program will soon fail to write, and below which it warns.
  private static let leastBytes = 16 << 20
  private static let fewBytes = 256 << 20

  init(environment: [String: String]) {
    let base = BaseFolders(environment)
    let folders = StateFolders(environment: environment)
    lacksRuntime = base.runtime == nil
    places =
      [
        Place(
          path: base.configuration + "/today",
          variable: "XDG_CONFIG_HOME",
          isWritten: false
        ),
        Place(path: folders.state, variable: "XDG_STATE_HOME"),
        Place(path: folders.cache, variable: "XDG_CACHE_HOME"),
        Place(path: folders.data, variable: "XDG_DATA_HOME"),
      ] + (lacksRuntime ? [] : [Place(path: folders.runtime, variable: "XDG_RUNTIME_DIR")])
  }

  /// What there is to say of each folder.
  var findings: [Finding] {
    let runtime =
      lacksRuntime
      ? [
        Finding(
          .folders,
          .warning,
          "XDG_RUNTIME_DIR is not set, so that locks are kept in the folder of the state",
          advice: "set it to a folder that ends with the session, as systemd does"
        )
      ] : []
    return places.map(finding) + runtime + [watching]
  }

  /// Whether changes by other programs are noticed.
  private var watching: Finding {
    // A folder that does not exist yet is watched for in the folder above it.
    let folders = places.flatMap { [$0.path] + Self.parents(of: $0.path) }
    guard let fault = FolderWatchFault.found(in: folders) else {
      return Finding(.folders, .ok, "changes of files are noticed at once")
    }
    return Finding(
      .folders,
      .warning,
      "changes of files are not noticed: \(fault)",
      advice: "type r on the page, or start it again, after a change"
    )
  }

  private func finding(_ place: Place) -> Finding {
    var status = stat()
    guard unsafe stat(place.path, &status) == 0 else { return missing(place, errno) }
    if let (words, advice) = Self.fault(of: status, place) {
      return Finding(.folders, .wrong, "\(place.path) \(words)", advice: advice)
    }
    guard place.isWritten else { return Finding(.folders, .ok, place.path) }
    guard unsafe access(place.path, W_OK | X_OK) == 0 else {
      let reason = unsafe String(cString: strerror(errno))
      return Finding(
        .folders,
        .wrong,
        "\(place.path) cannot be written: \(reason)",
        advice: "allow it, or set \(place.variable) to another folder"
      )
    }
    return space(place)
  }

  /// The folders above a path, the nearest first.
  private static func parents(of path: String) -> [String] {
    var parents: [String] = []
    var path = path[...]
    while let slash = path.lastIndex(of: "/"), slash > path.startIndex {
      path = path[..<slash]
      parents.append(String(path))
    }
    return parents + ["/"]
  }

  private func missing(_ place: Place, _ number: Int32) -> Finding {
    guard number == ENOENT else {
      let reason = unsafe String(cString: strerror(number))
      return Finding(
        .folders,
        .wrong,
        "\(place.path) cannot be opened: \(reason)",
        advice: "check the folders above it"
      )
    }
    let parent = Self.parents(of: place.path).first { unsafe access($0, F_OK) == 0 } ?? "/"
    guard unsafe access(parent, W_OK | X_OK) == 0 else {
      return Finding(
        .folders,
        place.isWritten ? .wrong : .ok,
        "\(place.path) is missing, and \(parent) is not writable",
        advice: place.isWritten ? "set \(place.variable) to one of your folders" : nil
      )
    }
    return Finding(.folders, .ok, "\(place.path) is created when it is needed")
  }

  /// What is wrong with a folder, and what to do; nil if it can be used.
  private static func fault(of status: stat, _ place: Place) -> (words: String, advice: String)? {
    guard status.st_mode & S_IFMT == S_IFDIR else { return ("is not a folder", "move it away") }
    // The configuration may be a link into a folder of somebody else.
    guard place.isWritten else { return nil }
    guard status.st_uid == getuid() else {
      return (
        "belongs to another user", "give it to yourself, or set \(place.variable) to another folder"
      )
    }
    guard status.st_mode & 0o022 == 0 else {
      return ("can be written by other users", "chmod go-w \(place.path)")
    }
    return nil
  }

  private func space(_ place: Place) -> Finding {
    var space = statvfs()
    guard unsafe statvfs(place.path, &space) == 0 else { return Finding(.folders, .ok, place.path) }
    let (free, overflows) = Int(clamping: space.f_bavail)
      .multipliedReportingOverflow(by: Int(clamping: space.f_frsize))
    let bytes = overflows ? .max : free
    if space.f_files > 0, space.f_favail == 0 {
      return Finding(
        .folders,
        .wrong,
        "\(place.path): the disk has no room for more files",
        advice: "delete files, or set \(place.variable) to another disk"
      )
    }
    let words = "\(place.path): \(Self.words(bytes)) free"
    if bytes >= Self.fewBytes { return Finding(.folders, .ok, words) }
    return Finding(
      .folders,
      bytes < Self.leastBytes ? .wrong : .warning,
      words,
      advice: "delete files, or set \(place.variable) to another disk"
    )
  }

  private static func words(_ bytes: Int) -> String {
    bytes >= 10 << 30 ? "\(bytes >> 30) GiB" : "\(bytes >> 20) MiB"
  }
}
