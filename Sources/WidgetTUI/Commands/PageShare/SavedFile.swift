import ExtensionContent
import FoundationEssentials
import Glibc
import WidgetKitCore
import WidgetPlatform
import WidgetRequests

/// A file for what an action on the page has returned, whose name a person has typed.
struct SavedFile {
  /// Its whole path.
  let path: String

  /// - Parameters:
  ///   - typed: A path, which may begin with `~/`; without a slash at its beginning it is below the current folder.
  ///   - environment: The environment of the user.
  init(typed: String, environment: [String: String]) {
    let expanded = HomeFolder(environment).expanded(typed)
    path =
      expanded.hasPrefix("/")
      ? expanded : "\(FileManager.default.currentDirectoryPath)/\(expanded)"
  }

  /// Whether something has a name.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  /// Writes the file, whole or not at all.
  ///
  /// - Parameters:
  ///   - result: The content.
  ///   - replaces: Whether a file of that name is replaced, whose original is kept for `today act --undo`.
  ///   - environment: The environment of the user.
  /// - Returns: Whether it was written; false if there is a file of that name, which must not be replaced.
  /// - Throws: ``CommandError`` with the file and the reason.
  func write(
    _ result: ReturnedContent,
    replaces: Bool,
    environment: [String: String]
  ) throws(CommandError) -> Bool {
    if OutputFile.isFolder(path) || path.hasSuffix("/") {
      throw .failure("\(path): it is a folder; expected a file")
    }
    if replaces {
      let results = ActResults(environment: environment, isInPlace: false, output: path)
      try results.write([result.content], of: [result.source], by: [result.target.identifier])
      return true
    }
    do throws(HostError) {
      return try OutputFile.writeNew(result.content, to: path)
    } catch {
      throw ActSource.error(error)
    }
  }
}
