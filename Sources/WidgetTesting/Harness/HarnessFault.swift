/// What goes wrong in a test, on purpose.
public nonisolated enum HarnessFault: String, CaseIterable, Sendable {
  /// The first process is killed in the middle of its first update (``MidUpdateKill``).
  case killDuringUpdate = "kill-during-update"
  /// Everything that the widget requests is answered late, as by a slow disk.
  case slowDisk = "slow-disk"
  /// Nothing can be written to any file.
  case fullDisk = "full-disk"
  /// No expiring activity is granted.
  case denyActivities = "deny-activities"
  /// No URL is opened.
  case refuseURLs = "refuse-urls"
}
