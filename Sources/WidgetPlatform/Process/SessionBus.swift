import Glibc

/// The session bus of the desktop, over which programs of a user talk to each other.
package enum SessionBus {
  /// The variable that has its address.
  package static let variable = "DBUS_SESSION_BUS_ADDRESS"

  /// The address of the bus of a user, as in the D-Bus specification; nil if there is none.
  package static func address(_ environment: [String: String]) -> String? {
    if let address = environment[variable], !address.isEmpty { return address }
    guard let folder = BaseFolders(environment).runtime else { return nil }
    let path = "\(folder)/bus"
    return unsafe access(path, F_OK) == 0 ? "unix:path=\(path)" : nil
  }
}
