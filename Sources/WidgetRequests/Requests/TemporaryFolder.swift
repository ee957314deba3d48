/// Where files for a short time belong.
package nonisolated enum TemporaryFolder {
  /// `$TMPDIR` if it is an absolute path, else `/var/tmp`, as `/tmp` may be in memory.
  package static func path(_ environment: [String: String]) -> String {
    environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/var/tmp"
  }
}
