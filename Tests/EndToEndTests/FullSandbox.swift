import Foundation

/// The sandbox at its full level.
enum FullSandbox {
  /// Whether programs can be confined with namespaces here.
  static let isThere: Bool = {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["bwrap", "--ro-bind", "/", "/", "--unshare-all", "curl", "--version"]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()
}
