internal import CTestPlatform

/// What a process can do after it has given something up.
package struct ProcessAbilities: OptionSet, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }

  package static let reading = ProcessAbilities(rawValue: Int32(TEST_CAN_READ))
  package static let writing = ProcessAbilities(rawValue: Int32(TEST_CAN_WRITE))
  package static let changing = ProcessAbilities(rawValue: Int32(TEST_CAN_CHANGE))
  package static let connecting = ProcessAbilities(rawValue: Int32(TEST_CAN_CONNECT))
  package static let signalling = ProcessAbilities(rawValue: Int32(TEST_CAN_SIGNAL))
  package static let forking = ProcessAbilities(rawValue: Int32(TEST_CAN_FORK))
  package static let evading = ProcessAbilities(rawValue: Int32(TEST_CAN_EVADE))

  /// Those of a process that was forked for it, in a folder with a file `file`; none if it could become another program.
  package static func after(
    _ confine: @convention(c) () -> Int32,
    in folder: String
  ) -> ProcessAbilities {
    unsafe ProcessAbilities(rawValue: test_abilities(confine, folder))
  }
}
