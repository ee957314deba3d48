package import WidgetKitCore
package import WidgetPlatform

/// A kind of widget: which bundles are of it, how their programs are started, and how messages are
/// exchanged with them.
///
/// A new kind is a folder with a type that conforms to this protocol, and a line in
/// ``WidgetKinds/all``.
@MainActor package protocol WidgetKind {
  /// Whether a bundle is of this kind.
  static func includes(_ bundle: WidgetBundle) -> Bool

  /// Starts the program of a bundle of this kind; everything that the connection reports has the form
  /// of the protocol, whatever the program writes.
  ///
  /// `confine` puts the program into a sandbox.
  ///
  /// - Throws: ``HostError`` if the program cannot be started.
  static func start(
    _ bundle: WidgetBundle,
    _ id: ExtensionIdentity,
    userEnvironment: [String: String],
    limits: HostLimits,
    confine: WidgetKinds.Confine,
    report: @escaping (WidgetReport) -> Void
  ) throws(HostError) -> any WidgetConnection
}

/// All kinds of widgets.
@MainActor package enum WidgetKinds {
  /// Puts a program into the sandbox of the widget.
  package typealias Confine = (LaunchDescription) throws(HostError) -> LaunchDescription

  /// The kinds; of several that include a bundle, the first is used.
  static let all: [any WidgetKind.Type] = [ScriptKind.self, ProgramKind.self]

  /// The kind of a bundle.
  package static func kind(of bundle: WidgetBundle) -> any WidgetKind.Type {
    all.first { $0.includes(bundle) } ?? ProgramKind.self
  }
}

/// A program that exchanges lines of JSON-RPC on standard input and output.
enum ProgramKind: WidgetKind {
  static func includes(_ bundle: WidgetBundle) -> Bool { true }

  static func start(
    _ bundle: WidgetBundle,
    _ id: ExtensionIdentity,
    userEnvironment: [String: String],
    limits: HostLimits,
    confine: WidgetKinds.Confine,
    report: @escaping (WidgetReport) -> Void
  ) throws(HostError) -> any WidgetConnection {
    try WidgetProcess.start(
      bundle,
      id,
      userEnvironment: userEnvironment,
      limits: limits,
      confine: confine,
      report: report
    )
  }
}
