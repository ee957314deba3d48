internal import CTestPlatform

/// What becomes of a descriptor that a program has kept in another process.
package enum OutlivingDescriptor {
  /// The step that failed for `keep`, or nil if all is well.
  ///
  /// In step 3 it is kept, in 4 it is open although the program has closed its own, and in 5 it is closed as the program
  /// was killed; 1 and 2 fail without pipes or processes.
  package static func failedStep(
    _ keep: @convention(c) (UnsafePointer<Int32>, Int) -> Int32
  ) -> Int? {
    let step = unsafe test_outlive(keep)
    return step == 0 ? nil : Int(step)
  }
}
