import WidgetKitCore
package import WidgetPlatform

/// Reads secrets from where they are stored, when a widget starts.
@MainActor package final class SecretReader {
  private let environment: [String: String]
  private let home: HomeFolder
  private let clock: any HostClock

  /// The most bytes of a secret.
  nonisolated static let byteLimit = 64 * 1024
  /// How long a program may take to print one.
  nonisolated static let timeLimit: Duration = .seconds(10)

  package init(environment: [String: String], clock: any HostClock) {
    self.environment = environment
    home = HomeFolder(environment)
    self.clock = clock
  }

  /// Reads secrets by name; `completion` is called once, at once where no program has to run.
  package func read(
    _ sources: [String: SecretSource],
    completion: @escaping (_ secrets: [String: String], _ failures: [String: String]) -> Void
  ) {
    var secrets: [String: String] = [:]
    var failures: [String: String] = [:]
    var left = 1
    let finish = { (name: String?, result: Result<String, SecretFailure>) in
      if let name {
        switch result {
        case .success(let secret): secrets[name] = secret
        case .failure(let failure): failures[name] = failure.words
        }
      }
      left -= 1
      if left == 0 { completion(secrets, failures) }
    }
    for (name, source) in sources.sorted(by: { $0.key < $1.key }) {
      left += 1
      switch source {
      case .file(let path): finish(name, text(ofFile: path))
      case .environment(let variable):
        let value = environment[variable] ?? ""
        finish(
          name,
          value.isEmpty ? .failure(.init("the variable \(variable) is not set")) : .success(value)
        )
      case .command(let words): run(words) { finish(name, $0) }
      }
    }
    finish(nil, .success(""))
  }

  private func text(ofFile path: String) -> Result<String, SecretFailure> {
    let path = home.expanded(path)
    switch UserFile.contents(path, byteLimit: Self.byteLimit) {
    case .absent: return .failure(.init("there is no file \(path)"))
    case .odd(let reason): return .failure(.init("\(path) cannot be read: \(reason)"))
    case .whole(let bytes): return Self.secret(bytes, from: path)
    }
  }

  /// The first line of what a file or a program has.
  nonisolated static func secret(
    _ bytes: [UInt8],
    from place: String
  ) -> Result<String, SecretFailure> {
    let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    guard !line.isEmpty, let text = String(validating: line, as: UTF8.self) else {
      return .failure(.init("the first line of \(place) is empty or not UTF-8"))
    }
    return .success(text)
  }

  private func run(
    _ words: [String],
    completion: @escaping (Result<String, SecretFailure>) -> Void
  ) {
    let program = words[0]
    guard
      let path = program.contains("/")
        ? home.expanded(program)
        : ToolSearch.path(of: program, in: environment)
    else { return completion(.failure(.init("no program \(program) in PATH"))) }
    ChildRun.print(
      LaunchDescription(
        program: path,
        arguments: Array(words.dropFirst()),
        environment: environment,
        folder: "."
      ),
      byteLimit: Self.byteLimit,
      time: Self.timeLimit,
      clock: clock
    ) { result in
      completion(
        result.mapError { failure in
          if case .notStarted(let reason) = failure { return SecretFailure(reason) }
          return SecretFailure("\(path) \(failure.words)")
        }
        .flatMap { Self.secret($0, from: "the output of \(path)") }
      )
    }
  }
}

/// Why a secret could not be read; never with the secret.
struct SecretFailure: Error {
  var words: String

  init(_ words: String) {
    self.words = words
  }
}
