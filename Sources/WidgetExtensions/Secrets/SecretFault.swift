package import WidgetKitCore

/// Why a secret was neither found nor changed.
package struct SecretFault: Error {
  /// What the widget receives.
  let code: WireError.Code
  /// The member of the request that is at fault; nil if the request is not.
  let member: String?
  /// What is wrong.
  package let words: String

  /// Whether there is no such secret.
  package var isMissing: Bool { code == .notFound }

  /// The group is not one of the own.
  static func foreign(_ group: String, own groups: [String]) -> Self {
    Self(
      code: .notPermitted,
      member: "group",
      words: "expected \(groups.joined(separator: " or ")), found “\(group)”; "
        + "a widget and its app share a group that both have in keychain-access-groups"
    )
  }

  /// Nothing has the name.
  package static func missing(_ name: SecretName, in groups: [String]) -> Self {
    Self(
      code: .notFound,
      member: "name",
      words: "no secret “\(name)” in \(groups.joined(separator: " or "))"
    )
  }

  /// The value is none that can be stored.
  package static func invalidValue(_ words: String) -> Self {
    Self(code: .invalidParams, member: "value", words: words)
  }

  /// What a file says of a secret in the groups.
  init(_ refusal: SecretFile.Refusal, _ name: SecretName, in groups: [String]) {
    let place = groups.joined(separator: " or ")
    self =
      switch refusal {
      case .exists:
        Self(
          code: .invalidParams,
          member: "name",
          words: "\(place) has a secret “\(name)” already; secretUpdate replaces it"
        )
      case .missing: .missing(name, in: groups)
      case .tooMany(let count):
        Self(
          code: .overLimit,
          member: "group",
          words: "\(place) has \(count) secrets, the most"
        )
      case .unusable(let reason): .unusable(reason)
      }
  }

  /// The file cannot be read or written.
  static func unusable(_ reason: String) -> Self {
    Self(code: .internalError, member: nil, words: "the secrets cannot be used: \(reason)")
  }

  private init(code: WireError.Code, member: String?, words: String) {
    (self.code, self.member, self.words) = (code, member, words)
  }
}

extension WireError {
  /// The answer to a request.
  init(_ fault: SecretFault) {
    let place = fault.member.map { "params.\($0): " } ?? ""
    self.init(code: fault.code, message: place + fault.words)
  }
}
