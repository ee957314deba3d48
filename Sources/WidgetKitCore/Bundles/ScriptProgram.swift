import Glibc

/// How a widget that is a script is run, and what is shown of its output.
package struct ScriptProgram: Hashable, Sendable {
  /// The file, as the user has named it.
  package var path: String
  /// The seconds between two runs, as the user has written them; nil if the default is used.
  package var interval: Double?
  /// The seconds that a run may take.
  package var timeout: Double
  /// The rows that are shown: the first ones, or the last ones if it is negative.
  package var lines: Int
  /// Whether it goes on printing, and the last rows are shown as they come.
  package var follows: Bool
  /// Whether it is shown on the page without being added.
  package var showsAtOnce: Bool
  /// How its output is read; nil if that is found out from the output.
  package var format: ScriptFormat?

  /// The seconds between two runs of a script that says nothing.
  package static let standardInterval = 60.0
  /// The seconds that a run may take if the script says nothing.
  package static let standardTimeout = 20.0
  /// The rows that are shown of a script that says nothing.
  package static let standardLines = 20
}

/// How the output of a script is read.
package enum ScriptFormat: String, CaseIterable, Hashable, Sendable {
  /// Plain text with colours.
  case text
  /// The menu of a plugin of xbar.
  case xbar
  /// The menu of a plugin of SwiftBar.
  case swiftbar
  /// The menu of a plugin of Argos.
  case argos
}

extension WidgetBundle {
  /// The bytes of a script in which its line is looked for.
  private static let searchedBytes = 16 * 1024

  /// Reads the script at `path`; nil if the file is none: not a regular file, not executable, or with a
  /// name that scripts do not have.
  ///
  /// Nothing is run.
  ///
  /// - Parameters:
  ///   - path: The file; a link is followed.
  ///   - trust: The owners whose files are used.
  /// - Returns: The widget, and the values of its line that cannot be used, without which it is shown.
  /// - Throws: The error that keeps the file from being used.
  package static func script(
    at path: String,
    trust: BundleTrust
  ) throws(BundleError) -> (widget: WidgetBundle, faults: [BundleError])? {
    let location = BundleLocation(path)
    guard let name = ScriptName(file: location.name), let target = resolvedPath(path) else {
      return nil
    }
    var status = stat()
    guard stat(target, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_mode & 0o111 != 0, access(target, X_OK) == 0
    else { return nil }
    var line = ScriptLine(in: "")
    do throws(BundleFault) {
      try trust.check(status)
      try trust.check(folderOf: target)
      let file = try BundleFile.open(target, expected: "a script that can be read")
      line = ScriptLine(in: String(decoding: try file.prefix(searchedBytes), as: UTF8.self))
    } catch {
      throw error.located("", in: location)
    }
    let faults = line.faults.map { $0.located("", in: location) }
    return (WidgetBundle(location, name, line), faults)
  }

  private init(_ location: BundleLocation, _ name: ScriptName, _ line: ScriptLine) {
    let interval = line.interval ?? name.interval
    let identifier = name.identifier
    let infoPlist = InfoPlist(
      bundleIdentifier: identifier,
      displayName: line.title ?? SafeText(name: name.name, orIfInvisible: identifier),
      executable: location.name,
      urlSchemes: [],
      widgetExtension: InfoPlist.WidgetExtension(
        pointIdentifier: InfoPlist.WidgetExtension.todayPoint,
        principal: nil,
        attributes: [:],
        refreshInterval: interval ?? ScriptProgram.standardInterval,
        addressSpace: nil,
        settings: [],
        span: line.span
      ),
      widgetDescription: line.purpose,
      isBackgroundOnly: false,
      needsTerminal: false
    )
    base = ExtensionBundle(script: location.path, infoPlist)
    script = ScriptProgram(
      path: location.path,
      interval: interval,
      timeout: line.timeout ?? ScriptProgram.standardTimeout,
      lines: line.lines ?? ScriptProgram.standardLines,
      follows: line.follow ?? false,
      showsAtOnce: line.show ?? true,
      format: line.format
    )
  }

  /// Reads the widget again, which may have changed on the disk.
  ///
  /// - Parameter byteLimit: The longest property list that is read.
  /// - Returns: The widget as it is now.
  /// - Throws: The first error in it or in its app.
  package func readAgain(byteLimit: Int) throws(BundleError) -> WidgetBundle {
    guard script != nil else { return try WidgetBundle(path: path, byteLimit: byteLimit) }
    guard let found = try Self.script(at: path, trust: .searchPath("/", includesOwner: false))
    else {
      throw BundleFault.unreadable("not there, or not executable", expected: "an executable script")
        .located("", in: BundleLocation(path))
    }
    return found.widget
  }
}
