/// A condition that did not come true, with all that helps to see why.
package struct WaitFailure: Error, CustomStringConvertible {
  /// What was waited for, as the test named it.
  package var condition: String
  /// Why the wait ended: the deadline, or the end of the program.
  package var reason: String
  /// What was on the screen, or in the program's output.
  package var picture: String
  package var location: String

  package var description: String {
    "\(location): waited for \(condition): \(reason)\n\(picture)"
  }
}

/// A system call of the test support itself that failed.
package struct SystemCallFailure: Error, CustomStringConvertible {
  package var call: String
  package var code: Int32

  package var description: String { "\(call) failed with errno \(code)" }
}
