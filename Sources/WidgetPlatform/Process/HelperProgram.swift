import FoundationEssentials
import Glibc

/// A program that comes with `today` and does one thing in a process of its own.
package enum HelperProgram: String {
  case brokerAgent = "broker-agent"
  case imageDecoder = "image-decoder"
  case sandboxLauncher = "sandbox-launcher"
  case noticeAgent = "notice-agent"
  case secretAgent = "secret-agent"
  case transferAgent = "transfer-agent"

  /// Its path: beside the libraries of an installed `today`, or beside `today` itself in a build folder; nil if
  /// it is missing.
  package func path(beside executable: String) -> String? {
    let folder = OwnPath.split(executable).folder
    let product = rawValue.split(separator: "-").map(\.capitalized).joined()
    return ["\(OwnPath.split(folder).folder)/lib/today/\(rawValue)", "\(folder)/\(product)"]
      .first { unsafe access($0, X_OK) == 0 }
  }
}
