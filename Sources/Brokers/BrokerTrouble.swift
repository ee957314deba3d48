package import WidgetKitCore

/// Why a broker cannot be used, or something is not done there.
package struct BrokerTrouble: Error, Hashable, Sendable, CustomStringConvertible {
  /// What it is about, for programs.
  package enum Kind: String, Sendable {
    /// libmosquitto or the program that loads it is not installed.
    case missing
    /// What is set for the broker cannot be used, such as a file that is not there.
    case request
    /// There is no connection, or it was lost.
    case network
    /// TLS is not possible: a certificate that is not trusted, or is missing.
    case tls
    /// The user name or the password is refused, or missing.
    case password
    /// The broker refuses the connection.
    case refused
    /// What answers is not an MQTT broker.
    case `protocol`
    /// The broker has said that it does not go on, or do something.
    case broker
  }

  package var kind: Kind
  /// What is wrong, in words for the user.
  package var words: SafeText

  package init(_ kind: Kind, _ words: SafeText) {
    (self.kind, self.words) = (kind, words)
  }

  package var description: String { words.string }
}
