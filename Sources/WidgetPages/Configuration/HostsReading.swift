import WidgetKitCore
import WidgetPlatform

/// Reads a member of `hosts`.
nonisolated enum HostsReading {
  /// One machine, or a list of machines and of other names.
  static var kind: SettingKind<[RemoteDestination]> {
    let expectation = "a machine such as \"me@nas\", or a list of machines"
    return SettingKind(
      expectation: expectation,
      range: "a machine, or a list",
      text: { machines in
        let words = machines.map { "\"\($0)\"" }
        return words.count == 1 ? words[0] : "[" + words.joined(separator: ", ") + "]"
      },
      value: { value, path throws(SettingFault) in
        switch value {
        case .string(let text):
          guard let machine = RemoteDestination(text) else { break }
          return [machine]
        case .array(let items):
          let machines = items.compactMap { item in
            if case .string(let text) = item { RemoteDestination(text) } else { nil }
          }
          guard machines.count == items.count, machines.count <= HostNames.machineLimit else {
            break
          }
          return machines
        default: break
        }
        throw SettingFault(path: path, expectation: expectation)
      }
    )
  }

  /// Whether a text can be a name: one that ssh could have for a machine, without a user.
  static func isName(_ text: String) -> Bool {
    text.utf8.count <= 64 && !text.contains("@") && !text.contains(":")
      && RemoteDestination(text) != nil
  }
}
