import FoundationEssentials
import WidgetPlatform

/// The folder of files that come with the program and do not depend on the machine.
enum ShareFolder {
  /// `share/today` below the prefix of the running program: `/usr/local/share/today` for `/usr/local/bin/today`.
  static var path: String {
    let folder = HostProcess.executablePath().split(separator: "/").dropLast(2)
    return "/" + (folder + ["share", "today"]).joined(separator: "/")
  }
}
