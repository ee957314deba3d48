import Brokers
import WidgetKitCore
import WidgetPlatform
import WidgetScripts

/// Where a page is published.
nonisolated enum PublishDestination: Hashable {
  /// A folder of this machine, an absolute path.
  case folder(String)
  /// A folder of another machine, to which ssh logs in; it is relative to the home there.
  case machine(RemoteDestination, folder: String)
  /// A broker of MQTT.
  case broker(BrokerAddress)

  /// Reads what was given with `--to`: a colon before the first slash follows a machine, as for scp.
  init(_ text: String, folder working: String) throws(CommandError) {
    if BrokerAddress.isAddress(text) {
      do throws(HostError) {
        self = .broker(try BrokerAddress(text))
      } catch {
        throw .usage("--to: \(error.description)")
      }
      return
    }
    guard let colon = text.firstIndex(of: ":"), !text[..<colon].contains("/") else {
      guard !text.isEmpty, !Self.hasControls(text) else {
        throw .usage("--to: expected a folder, user@host:folder, or mqtts://broker")
      }
      let path = text.hasPrefix("/") ? text : "\(working)/\(text)"
      // The same folder is written in the same way; “..” may follow a link, and stays.
      self = .folder("/" + path.split(separator: "/").filter { $0 != "." }.joined(separator: "/"))
      return
    }
    let folder = String(text[text.index(after: colon)...])
    guard let machine = RemoteDestination(String(text[..<colon])) else {
      throw .usage("--to: “\(SafeText(String(text[..<colon])))” is not a machine, such as me@nas")
    }
    guard !folder.isEmpty, !Self.hasControls(folder) else {
      throw .usage("--to \(SafeText(text)): expected a folder after the colon")
    }
    self = .machine(machine, folder: folder)
  }

  private static func hasControls(_ text: String) -> Bool {
    text.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  /// How it is written, always in the same way.
  var name: String {
    switch self {
    case .folder(let path): path
    case .machine(let machine, let folder): "\(machine):\(folder)"
    case .broker(let address): address.description
    }
  }
}
