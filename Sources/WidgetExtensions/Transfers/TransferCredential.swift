package import WidgetKitCore

/// The secret that a transfer sends to the host of its URL, by its name.
///
/// The record of a transfer has the name alone; the secret is looked up when the transfer starts.
package struct TransferCredential: Codable, Hashable, Sendable {
  /// How a secret is sent.
  enum Authentication: String, Codable, Sendable {
    /// The secret is `user:password` (RFC 7617).
    case basic
    /// The secret is a token (RFC 6750).
    case bearer
  }

  /// The name of the secret.
  var name: SecretName
  /// How it is sent.
  var authentication: Authentication
  /// The access groups in which it is looked for.
  var groups: [String]

  /// Checks the members of a request; nil if it has no credential.
  ///
  /// - Throws: ``WireError`` with `invalidParams`.
  init?(_ name: String?, _ authentication: String?, _ groups: [String]) throws(WireError) {
    guard let name else {
      guard authentication == nil else {
        throw WireError(code: .invalidParams, message: "params.credential: expected, but missing")
      }
      return nil
    }
    guard let secret = SecretName(name) else {
      throw WireError(
        code: .invalidParams,
        message: "params.credential: expected 1 to 255 bytes without control characters"
      )
    }
    guard let kind = authentication.flatMap(Authentication.init(rawValue:)) else {
      throw WireError(
        code: .invalidParams,
        message: "params.authentication: expected “basic” or “bearer”"
      )
    }
    (self.name, self.authentication, self.groups) = (secret, kind, groups)
  }

  /// Why there is no line; nil if there is one.
  package func fault(_ storage: SecretStorage) -> WireError? {
    do throws(WireError) {
      _ = try line(storage)
      return nil
    } catch {
      return error
    }
  }

  /// The line for the program that makes the transfer.
  ///
  /// - Throws: ``WireError`` with `notFound` if there is no such secret, with `invalidParams` if it cannot be
  ///   sent.
  func line(_ storage: SecretStorage) throws(WireError) -> String {
    let access = SecretAccess(groups: groups, storage)
    let found: SecretFindRequest.Reply
    do throws(SecretFault) {
      found = try access.perform(SecretFindRequest(name: name))
    } catch {
      throw WireError(code: error.code, message: "params.credential: \(error.words)")
    }
    guard let secret = found.value?.text else {
      throw WireError(code: .notFound, message: "params.credential: no secret “\(name)”")
    }
    guard !secret.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else {
      throw WireError(
        code: .invalidParams,
        message: "params.credential: the secret “\(name)” has control characters"
      )
    }
    guard authentication != .basic || secret.contains(":") else {
      throw WireError(
        code: .invalidParams,
        message: "params.credential: the secret “\(name)” is not user:password"
      )
    }
    return "\(authentication.rawValue) \(secret)"
  }
}
