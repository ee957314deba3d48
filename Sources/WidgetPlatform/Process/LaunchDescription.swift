import FoundationEssentials
import WidgetKitCore

/// The parameters with which a program is started.
package struct LaunchDescription: Hashable {
  /// The path of the program.
  package var program: String
  /// Its arguments, without its own name.
  package var arguments: [String] = []
  /// Its whole environment.
  package var environment: [String: String]
  /// Its working directory.
  package var folder = "/"
  /// The bytes of address space that it needs; nil for the default.
  var addressSpace: UInt64?
  /// What it reads from descriptors 3, 4 and so on.
  package var inputs: [[UInt8]] = []
  /// The sockets that it gets as descriptors behind these.
  package var socketFiles: [SocketFile] = []
  /// Whether its first process only waits for the program of the widget.
  package var hasMonitor = false
  /// How many of its processes are programs that a sandbox needs beside it.
  package var companionCount = 0
  /// The sockets that are removed when it has ended.
  package var sockets: [String] = []

  /// Creates it with its values.
  package init(
    program: String,
    arguments: [String] = [],
    environment: [String: String],
    folder: String = "/",
    addressSpace: UInt64? = nil,
    inputs: [[UInt8]] = [],
    socketFiles: [SocketFile] = [],
    hasMonitor: Bool = false,
    companionCount: Int = 0,
    sockets: [String] = []
  ) {
    self.program = program
    self.arguments = arguments
    self.environment = environment
    self.folder = folder
    self.addressSpace = addressSpace
    self.inputs = inputs
    self.socketFiles = socketFiles
    self.hasMonitor = hasMonitor
    self.companionCount = companionCount
    self.sockets = sockets
  }
}

extension LaunchDescription {
  /// How many of its processes are not the widget's, but those of its sandbox: one that waits for it, its first one,
  /// and companions.
  var helperCount: Int { (hasMonitor ? 2 : 0) + companionCount }

  /// Opens what it gets from descriptor 3 on; the caller must close them.
  func openInputs() -> [Int32] {
    inputs.map(MemoryFile.open) + socketFiles.map { $0.copy() }
  }

  /// Describes how a widget's bundle is started, with an environment derived from the user's.
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
    // The folder in which the page was opened, as its own is that of the bundle.
    environment["TODAY_FOLDER"] = FileManager.default.currentDirectoryPath
  }

  /// Lets every write to a file fail, as on a full disk: with EFBIG, as no file may have a byte.
  mutating func fillDisk() {
    // The program inherits that SIGXFSZ is ignored, which would end it (setrlimit(2)).
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\""
    arguments = ["-c", script, program] + arguments
    program = "/bin/sh"
  }
}
