import FoundationEssentials
import Glibc
import WidgetHost

/// Temporary XDG folders for one run, so that a test does not change the user's data.
struct ScratchWorld {
  /// The user's environment, with the XDG folders below the temporary folder.
  let environment: [String: String]
  private let folder: String

  /// Creates the folder.
  init(_ user: [String: String]) throws(CommandError) {
    let parent = user["TMPDIR"] ?? "/tmp"
    var template = Array("\(parent)/today-test-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw .failure("could not create a folder in \(parent); set TMPDIR to a writable folder")
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

  /// Removes the folder and its contents.
  func remove() {
    UserFile.removeTree(folder)
  }
}
