import FoundationEssentials
import Glibc
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetSessions

/// The folders of one test, so that it neither sees nor changes the data of its author.
///
/// A class because they are removed with it.
package final class HarnessFolders {
  /// The folder that has all others.
  let path: String
  /// The folders of all tests that go on.
  private static var all: Set<String> = []
  /// The author's environment with a home folder and XDG folders in the temporary folder.
  private(set) var environment: [String: String]

  init(_ author: [String: String]) throws(HarnessFailure) {
    let parent = author["TMPDIR"] ?? "/tmp"
    var template = Array("\(parent)/today-test-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw HarnessFailure("no folder could be made in \(parent); set TMPDIR to a writable folder")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    Self.all.insert(path)
    environment = author
    // No session of a desktop, whose programs would be asked.
    for name in ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"] { environment[name] = nil }
    for (name, part) in [
      ("HOME", "home"), ("XDG_DATA_HOME", "data"), ("XDG_CACHE_HOME", "cache"),
      ("XDG_STATE_HOME", "state"), ("XDG_CONFIG_HOME", "config"),
    ] {
      environment[name] = "\(path)/\(part)"
    }
    _ = unsafe mkdir("\(path)/home", 0o700)
  }

  isolated deinit {
    UserFile.removeTree(path)
    Self.all.remove(path)
  }

  /// The configuration of a host whose extensions live in these folders, at the time and place of the test.
  ///
  /// - Parameters:
  ///   - options: The world of the test.
  ///   - clock: The clock of the host.
  ///   - standIns: What notes what would be done outside.
  ///   - record: What notes the messages of the extension.
  ///   - wrap: Makes what starts the extension of what would start its program.
  /// - Returns: The configuration.
  func configuration(
    _ options: HarnessOptions,
    _ clock: VirtualClock,
    _ standIns: StandIns,
    _ record: HarnessRecord,
    _ wrap: @escaping (@escaping WidgetLauncher) -> WidgetLauncher
  ) -> CenterConfiguration {
    var environment = environment
    environment["TZ"] = options.timeZone
    for name in ["LC_ALL", "LC_MESSAGES"] { environment[name] = nil }
    environment["LANG"] = options.locale
    var configuration = CenterConfiguration(
      environment: environment,
      executablePath: HostProcess.executablePath()
    )
    configuration.clock = clock
    configuration.dates = DateWording(zone: options.timeZone)
    configuration.standIns = standIns
    configuration.tracePath = options.traces?.next(options.part) ?? options.tracePath
    configuration.secrets = .file
    // What is tested is one card, which others would take the place of.
    configuration.separatesBlocks = false
    // Time does not pass while an extension sends several views.
    configuration.limits.picturesPerSecond = 1_000
    configuration.limits.process.isDiskFull = options.faults.contains(.fullDisk)
    configuration.policy.deniesActivities = options.faults.contains(.denyActivities)
    let (faults, patience) = (options.faults, options.patience)
    configuration.interpose = { usual in
      { bundle, id, report throws(HostError) in
        try ProbedWidget(record: record, faults: faults, patience: patience, report: report) {
          report throws(HostError) in
          try wrap(usual)(bundle, id, report)
        }
      }
    }
    standIns.opensURLs = !options.faults.contains(.refuseURLs)
    return configuration
  }

  /// Posts a notification of an app group.
  ///
  /// - Parameters:
  ///   - name: The name, which begins with the group's.
  ///   - groups: The groups of the widget.
  /// - Throws: ``HarnessFailure`` if it cannot be posted.
  func post(_ name: String, among groups: [String]) throws(HarnessFailure) {
    guard let group = SharedNotices.group(of: name, among: groups) else {
      let words = groups.sorted().joined(separator: ", ")
      throw HarnessFailure("“\(name)” does not begin with a group of the widget (\(words))")
    }
    do throws(HostError) {
      try SharedNotices(StateFolders(environment: environment)).post(name, inGroup: group)
    } catch {
      throw HarnessFailure(error.description)
    }
  }

  /// Removes the folders of all tests, before the program is ended in the middle of one.
  package static func removeAll() {
    for path in all { UserFile.removeTree(path) }
  }
}
