import WidgetKitCore
import WidgetPlatform

/// Another command of this program, or of the user's, which is run to its end.
enum OwnProgram {
  private static let time = Duration.seconds(900)
  private static let byteLimit = 4 << 20

  /// Runs a command of this program; returns nil if it went well, else what it has printed.
  static func complaint(_ arguments: [String], environment: [String: String]) async -> [UInt8]? {
    let terms = ChildRun.Terms(
      isolation: .command,
      output: .kept(byteLimit: byteLimit),
      errors: .withOutput,
      time: time
    )
    let end = await end(of: HostProcess.executablePath(), arguments, environment, ".", terms)
    return end?.status == .exited(0) && end?.failure == nil ? nil : end?.output ?? []
  }

  /// What a program prints; nil if it fails.
  static func output(
    of program: String? = nil,
    _ arguments: [String],
    environment: [String: String],
    in folder: String = "."
  ) async -> [UInt8]? {
    let terms = ChildRun.Terms(
      isolation: .command,
      output: .kept(byteLimit: byteLimit),
      errors: program == nil ? .discarded : .own,
      time: time
    )
    let path = program ?? HostProcess.executablePath()
    guard let end = await end(of: path, arguments, environment, folder, terms),
      end.status == .exited(0), end.failure == nil
    else { return nil }
    return end.output
  }

  private static func end(
    of program: String,
    _ arguments: [String],
    _ environment: [String: String],
    _ folder: String,
    _ terms: ChildRun.Terms
  ) async -> ChildRun.End? {
    let launch = LaunchDescription(
      program: program,
      arguments: arguments,
      environment: environment,
      folder: folder
    )
    return try? await ChildRun.end(of: launch, terms)
  }
}
