import FoundationEssentials
import WidgetKitCore
package import WidgetPlatform

/// A check of a signature by minisign or gpgv, which are maintained by specialists.
///
/// Both get copies in a folder of the program, so that what was checked is what is read.
package final class SignatureCheck {
  private let environment: [String: String]
  private let folder: String
  private static let time = Duration.seconds(10)

  /// Prepares a check.
  ///
  /// - Parameters:
  ///   - environment: The user's environment, with `PATH`.
  ///   - folder: A folder of the program, in which a folder is made for a moment.
  package init(environment: [String: String], folder: String) {
    (self.environment, self.folder) = (environment, folder)
  }

  /// Checks that a key has signed some bytes.
  ///
  /// - Throws: ``HostError`` with `refused` if it has not, and `missing` without the program for it.
  package func check(
    _ bytes: [UInt8],
    _ signature: [UInt8],
    _ key: SignatureKey
  ) async throws(HostError) {
    let name = key.kind == .minisign ? "minisign" : "gpgv"
    guard let program = ToolSearch.path(of: name, in: environment) else {
      throw HostError(
        code: .missing,
        description:
          "its signature cannot be checked: \(name) is not installed; apt install \(name)"
      )
    }
    let place = "\(folder)/\(ScratchFolder.name("check-"))"
    defer { UserFile.removeTree(place) }
    try DurableFile.write(bytes, to: "\(place)/index.json", waitsForDisk: false)
    try DurableFile.write(signature, to: "\(place)/signature", waitsForDisk: false)
    var arguments: [String]
    switch key.kind {
    case .minisign:
      arguments = ["-V", "-q", "-P", key.text, "-m", "index.json", "-x", "signature"]
    case .gpg:
      try DurableFile.write(key.bytes, to: "\(place)/keys", waitsForDisk: false)
      arguments = ["--homedir", place, "--keyring", "\(place)/keys", "signature", "index.json"]
    }
    let launch = LaunchDescription(
      program: program,
      arguments: arguments,
      environment: ["PATH": environment["PATH"] ?? "/usr/bin:/bin", "HOME": place, "LC_ALL": "C"],
      folder: place
    )
    let result = await withCheckedContinuation { continuation in
      ChildRun.print(launch, byteLimit: 64 << 10, time: Self.time, clock: SystemClock()) {
        continuation.resume(returning: $0)
      }
    }
    guard case .failure(let failure) = result else { return }
    guard case .failed = failure else {
      throw HostError(code: .busy, description: "\(name) \(failure.words)")
    }
    throw HostError(
      code: .refused,
      description: "index.json is not signed by the key of this registry, \(key.words)"
    )
  }
}
