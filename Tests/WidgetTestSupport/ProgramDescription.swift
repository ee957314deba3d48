internal import CTestPlatform

/// The parameters of a program; it does not inherit the environment of the test.
package struct ProgramDescription: Sendable {
  /// The absolute path of the executable.
  package var path: String
  package var arguments: [String]
  package var environment: [String: String]
  package var directory: String

  package init(
    _ path: String,
    _ arguments: [String] = [],
    environment: [String: String] = ["PATH": "/usr/bin:/bin"],
    directory: String = "/"
  ) {
    self.path = path
    self.arguments = arguments
    self.environment = environment
    self.directory = directory
  }

  func withProgram<Result: Sendable>(_ body: (UnsafePointer<test_program>) -> Result) -> Result {
    let words = Self.joined([path] + arguments)
    let variables = Self.joined(environment.sorted { $0.key < $1.key }.map { "\($0)=\($1)" })
    let folder = Self.joined([directory])
    return unsafe words.withUnsafeBufferPointer { words in
      unsafe variables.withUnsafeBufferPointer { variables in
        unsafe folder.withUnsafeBufferPointer { folder in
          guard let wordsStart = words.baseAddress, let variablesStart = variables.baseAddress,
            let folderStart = folder.baseAddress
          else { preconditionFailure("a joined list is never empty") }
          var program = unsafe test_program(
            arguments: wordsStart,
            argument_count: arguments.count + 1,
            environment: variablesStart,
            environment_count: environment.count,
            directory: folderStart
          )
          return ProgramStarts.whileAlone { unsafe body(&program) }
        }
      }
    }
  }

  private static func joined(_ strings: [String]) -> [CChar] {
    strings.flatMap { $0.utf8.map { CChar(bitPattern: $0) } + [0] } + [0]
  }
}
