import CPlatform
import Glibc
import WidgetKitCore
import WidgetPlatform

/// The Secret Service of the user's session (libsecret), asked by the program `secret-agent`: a process for
/// each request, which gets it on a pipe and is killed if it takes too long.
///
/// Every function waits for the answer, and may be called on any thread but the main one.
struct SecretService: Sendable {
  private let program: String
  private let environment: [String: String]
  private let patience: Duration

  /// What is asked for, as the program reads it.
  private enum Verb: String {
    case probe, list, find, add, update, delete
  }

  /// How long a request may take; the service may ask the user to unlock the keyring.
  private static let usualPatience: Duration = .seconds(20)
  /// How long a service may take to be there at all; it may have to be started.
  private static let probePatience: Duration = .seconds(3)
  private static let answerLimit = 256 * 1024
  /// What a connection to the session needs, and nothing else.
  private static let names = [
    SessionBus.variable, "DISPLAY", "HOME", "LANG", "LC_ALL", "WAYLAND_DISPLAY",
    "XAUTHORITY", "XDG_RUNTIME_DIR",
  ]

  /// A service in the session of an environment; nil if there is no session bus, or no program to ask it.
  init?(environment: [String: String], program: String?, patience: Duration = usualPatience) {
    guard let program, SessionBus.address(environment) != nil else { return nil }
    self.program = program
    self.environment = environment.filter { Self.names.contains($0.key) }
    self.patience = patience
  }

  // MARK: - Requests

  /// Why no service answers; nil if one does.
  func obstacle() -> String? {
    switch ask(.probe, "", "", patience: min(patience, Self.probePatience)) {
    case .answer("ok", _, _): nil
    case .answer(_, let words, _): words
    case .none(let words): words
    }
  }

  /// The names of the secrets of a group, sorted.
  func names(in group: String) throws(SecretFile.Refusal) -> [String] {
    let bytes = try perform(.list, group, "")
    return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }.sorted()
  }

  /// Returns a secret; nil if there is none.
  func find(_ name: SecretName, in group: String) throws(SecretFile.Refusal) -> SecretValue? {
    let bytes: ArraySlice<UInt8>
    do throws(SecretFile.Refusal) {
      bytes = try perform(.find, group, name.description)
    } catch {
      guard error == .missing else { throw error }
      return nil
    }
    guard let text = String(validating: bytes, as: UTF8.self), let value = SecretValue(text) else {
      throw .unusable(
        "“\(name)” in the Secret Service is not a text of at most \(SecretValue.byteLimit) bytes"
      )
    }
    return value
  }

  /// Stores a new secret.
  func add(_ name: SecretName, _ value: SecretValue, in group: String) throws(SecretFile.Refusal) {
    _ = try perform(.add, group, name.description, value)
  }

  /// Replaces a secret.
  func update(
    _ name: SecretName,
    _ value: SecretValue,
    in group: String
  ) throws(SecretFile.Refusal) {
    _ = try perform(.update, group, name.description, value)
  }

  /// Deletes a secret.
  func delete(_ name: SecretName, in group: String) throws(SecretFile.Refusal) {
    _ = try perform(.delete, group, name.description)
  }

  private func perform(
    _ verb: Verb,
    _ group: String,
    _ name: String,
    _ value: SecretValue? = nil
  ) throws(SecretFile.Refusal) -> ArraySlice<UInt8> {
    switch ask(verb, group, name, value, patience: patience) {
    case .answer("ok", _, let content): return content
    case .answer("missing", _, _): throw .missing
    case .answer("exists", _, _): throw .exists
    case .answer("full", _, _): throw .tooMany(SecretFile.countLimit)
    case .answer("locked", _, _):
      throw .unusable("the keyring of the Secret Service is locked; unlock it and try again")
    case .answer(_, let words, _): throw .unusable("the Secret Service: \(words)")
    case .none(let words): throw .unusable(words)
    }
  }

  // MARK: - The program

  /// What the program has said.
  private enum Outcome {
    /// The word and the explanation of the first line, and what follows it.
    case answer(String, String, ArraySlice<UInt8>)
    /// Nothing that can be read, for this reason.
    case none(String)
  }

  private func ask(
    _ verb: Verb,
    _ group: String,
    _ name: String,
    _ value: SecretValue? = nil,
    patience: Duration
  ) -> Outcome {
    var request: [UInt8] = []
    for word in [verb.rawValue, group, name] { request += Array(word.utf8) + [0] }
    request += Array((value?.text ?? "").utf8)
    do throws(HostError) {
      let run = try AwaitedRun.end(
        of: LaunchDescription(program: program, environment: environment),
        isolation: .widget,
        input: request,
        keeping: 1,
        byteLimit: Self.answerLimit,
        time: patience
      )
      if case .tooSlow = run.failure {
        let seconds = patience.components.seconds
        return .none(
          "the Secret Service has not answered within \(seconds) s; unlock the keyring and try again"
        )
      }
      let output = run.failure == nil ? run.output : []
      guard let end = output.firstIndex(of: UInt8(ascii: "\n")) else {
        return .none("\(program) has ended without an answer")
      }
      let line = String(decoding: output[..<end], as: UTF8.self)
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      return .answer(parts.first ?? "", parts.count > 1 ? parts[1] : "", output[(end + 1)...])
    } catch {
      return .none(error.description)
    }
  }
}
