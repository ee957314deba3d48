internal import CTestPlatform

/// Whether the kernel has Landlock, without which there is no partial sandbox.
package enum Landlock {
  /// Why a test cannot run here.
  package static let missing = "this kernel has no Landlock"
  /// Whether it has.
  package static let isThere = test_landlock_version() > 0
}
