import FoundationEssentials
import Glibc
import WidgetHost

/// Folders of a run's own, so that a test leaves the user's data as it was.
struct ScratchWorld {
  /// The user's environment with all XDG folders in a new one.
  let environment: [String: String]
  private let folder: String

  /// Makes the folder.
  init(_ user: [String: String]) throws(CommandError) {
    let parent = user["TMPDIR"] ?? "/tmp"
    var template = Array("\(parent)/today-test-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw .failure("could not make a folder in \(parent); set TMPDIR to one that can be written")
    }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    var environment = user
    for (name, part) in [
      ("XDG_DATA_HOME", "data"), ("XDG_CACHE_HOME", "cache"), ("XDG_STATE_HOME", "state"),
    ] {
      environment[name] = "\(folder)/\(part)"
    }
    self.environment = environment
  }

  /// Removes the folder with all that is in it.
  func remove() {
    UserFile.removeTree(folder)
  }
}
