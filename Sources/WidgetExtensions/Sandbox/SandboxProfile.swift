import WidgetKitCore

/// What one widget may see and use beside the system's programs and libraries.
struct SandboxProfile: Hashable, Sendable {
  /// Folders that it may read: its bundle, or the app that contains it.
  var readable: [String] = []
  /// Folders and files that it may read if they exist: those that it was granted.
  var readableIfThere: [String] = []
  /// Single files that it may read for one request: those that it is given in place.
  var readableFiles: [String] = []
  /// Folders and files that it may also change if they exist.
  var writableIfThere: [String] = []
  /// The paths of sockets that it may connect to if they are sockets.
  var sockets: [String] = []
  /// Folders that it may change: its containers and groups.
  var writable: [String] = []
  /// Folders of the program that stay hidden if they are in a folder that may be read.
  var hidden: [String] = []
  /// Devices, as paths below /dev.
  var devices: [String] = []
  /// Whether it may use the network.
  var usesNetwork = false
  /// Whether that network is one of its own.
  var hasOwnNetwork = false
  /// The name server of that network; nil for none.
  var nameServer: String?
  /// The names on the session bus to which it may talk.
  var busNames: [String] = []
  /// The path of the socket at which the proxy of the bus listens; nil if it may use none.
  var busSocket: String?
  /// Whether it sees the processes of the machine.
  var seesProcesses = false
  /// Whether it may use sockets of local files.
  ///
  /// With the network of the machine those would include its abstract ones, and with granted folders those in them.
  var usesLocalSockets: Bool {
    hasSockets
      || (!usesNetwork || hasOwnNetwork) && readableIfThere.isEmpty && writableIfThere.isEmpty
  }
  /// Whether it was granted sockets of other programs.
  var hasSockets = false
  /// The folder for temporary files where there is no private /tmp; nil if it could not be made.
  var temporary: String?
  /// The working directory.
  var folder: String
  /// The user's home folder, which is empty unless parts of it are granted.
  var home: String
  /// The user's name.
  var user = "user"
  /// The number of processes that it may have.
  var processLimit = 64

  /// Leaves out granted paths that are in a folder which the widget may change: it has them with the folder,
  /// and could have put a link to something else in their place.
  mutating func dropInnerPaths() {
    let folders = Set((writableIfThere + writable).compactMap(resolvedPath))
    func isInner(_ path: String) -> Bool {
      // Each folder above it, as a link there may be the widget's too.
      var parent = path[...]
      while let slash = parent.lastIndex(of: "/"), slash > parent.startIndex {
        parent = parent[..<slash]
        if resolvedPath(String(parent)).map(folders.contains) == true { return true }
      }
      return false
    }
    readableIfThere.removeAll(where: isInner)
    readableFiles.removeAll(where: isInner)
    writableIfThere.removeAll(where: isInner)
    sockets.removeAll(where: isInner)
  }
}
