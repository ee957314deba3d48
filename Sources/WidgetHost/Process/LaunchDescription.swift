import WidgetKitCore

/// How a program is started and spoken to: all that a process needs to know of what it runs.
nonisolated struct LaunchDescription: Hashable {
  /// How messages go between host and program.
  enum Transport: Hashable {
    /// Lines of JSON-RPC on standard input and output.
    case lines
  }

  /// The file that is run.
  var program: String
  /// What it is given besides its own name.
  var arguments: [String] = []
  /// Its whole environment.
  var environment: [String: String]
  /// Its working directory.
  var folder: String
  var transport = Transport.lines
  /// The bytes of address space that it needs; nil for the default.
  var addressSpace: UInt64?
}

nonisolated extension LaunchDescription {
  /// How a widget's bundle is started, in an environment made of the user's.
  init(_ bundle: WidgetBundle, userEnvironment: [String: String], containers: Containers) {
    self.init(
      program: bundle.executablePath,
      environment: WidgetEnvironment.make(
        from: userEnvironment,
        bundle: bundle.path,
        containers: containers
      ),
      folder: bundle.path,
      addressSpace: bundle.infoPlist.widgetExtension?.addressSpace
    )
  }
}
