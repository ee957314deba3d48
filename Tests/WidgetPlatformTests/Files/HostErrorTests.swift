import Foundation
import Testing
import WidgetTestSupport

@testable import WidgetPlatform

/// The words of errors.
@Suite struct HostErrorTests {
  @Test(
    arguments: [
      ("#!/nowhere/python3 -E\n", "/nowhere/python3, which its first line names, is not installed"),
      ("#!/bin/sh\n", "No such file or directory"),
      ("#!\n", "No such file or directory"),
      ("text", "No such file or directory"),
    ]
  )
  func `a script whose interpreter is missing says so`(text: String, words: String) throws {
    let world = try TestWorld()
    let path = "\(world.path)/script"
    try world.write(text, to: path)
    #expect(HostError.launch(path, ENOENT).description == "could not start \(path): \(words)")
    #expect(HostError.launch(path, EACCES).description.hasSuffix(": Permission denied"))
  }
}
