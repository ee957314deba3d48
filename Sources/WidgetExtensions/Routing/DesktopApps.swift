import WidgetKitCore
import WidgetPlatform

/// The programs that desktop files register for URL schemes.
///
/// Which one is the default is the desktop's own knowledge, so `xdg-mime` is asked, or `gio` where there is no
/// `xdg-mime`.
@MainActor final class DesktopApps {
  private let environment: [String: String]
  private let clock: any HostClock

  init(environment: [String: String], clock: any HostClock) {
    var environment = environment
    // The answer of gio is a sentence.
    environment["LC_ALL"] = "C.UTF-8"
    environment["LANGUAGE"] = nil
    self.environment = environment
    self.clock = clock
  }

  /// Finds the default program of a scheme; `completion` is called once, with nil if there is none.
  func find(scheme: String, completion: @escaping (DesktopEntry?) -> Void) {
    let type = "x-scheme-handler/\(scheme)"
    let query: (String, [String])
    if let program = ToolSearch.path(of: "xdg-mime", in: environment) {
      query = (program, ["query", "default", type])
    } else if let program = ToolSearch.path(of: "gio", in: environment) {
      query = (program, ["mime", type])
    } else {
      return completion(nil)
    }
    ChildRun.print(
      LaunchDescription(program: query.0, arguments: query.1, environment: environment),
      byteLimit: 64 * 1024,
      time: .seconds(2),
      clock: clock
    ) { [weak self] result in
      let output = (try? result.get()) ?? []
      let name = Self.fileName(inAnswer: String(decoding: output, as: UTF8.self))
      completion(name.flatMap { self?.entry($0) })
    }
  }

  /// The name of the desktop file in the first line of an answer: `firefox.desktop`, or the end of a
  /// sentence with it.
  nonisolated static func fileName(inAnswer answer: String) -> String? {
    guard let line = answer.split(whereSeparator: \.isNewline).first,
      let word = line.split(separator: " ").last, word.hasSuffix(".desktop"), !word.contains("/")
    else { return nil }
    return String(word)
  }

  /// Reads a desktop file from the folders of applications, the user's first.
  ///
  /// In an identifier, `-` may mean a folder: `kde-konsole.desktop` is `kde/konsole.desktop`.
  private func entry(_ name: String) -> DesktopEntry? {
    for folder in folders {
      var candidate = name[...]
      var prefix = "\(folder)/applications/"
      while true {
        let path = prefix + candidate
        if let bytes = UserFile.bytes(path, byteLimit: DesktopEntry.byteLimit) {
          return DesktopEntry(String(decoding: bytes, as: UTF8.self), path: path)
        }
        guard let dash = candidate.firstIndex(of: "-") else { break }
        prefix += candidate[..<dash] + "/"
        candidate = candidate[candidate.index(after: dash)...]
      }
    }
    return nil
  }

  /// The folders of the XDG base directory specification.
  private var folders: [String] {
    let base = BaseFolders(environment)
    return (base.hasData ? [base.data] : []) + base.sharedData
  }
}
