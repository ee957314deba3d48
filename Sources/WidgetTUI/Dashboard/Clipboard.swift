import WidgetKitCore
import WidgetPlatform

/// Where copied text goes: to the terminal, and to the clipboard of the desktop if there is one.
final class Clipboard {
  private let screen: any Screen
  private let environment: [String: String]
  private var task: Task<Void, Never>?

  init(screen: any Screen, environment: [String: String]) {
    self.screen = screen
    self.environment = environment
  }

  isolated deinit {
    task?.cancel()
  }

  /// Copies a text.
  ///
  /// - Returns: Where it went, in words; nil if there is nowhere.
  func copy(_ text: String) -> SafeText? {
    var ways: [String] = []
    if screen.copy(text) { ways.append("the terminal (OSC 52)") }
    if let tool {
      ways.append(tool.name)
      let environment = environment
      task?.cancel()
      task = Task {
        _ = await HostTool.run(
          tool.path,
          tool.arguments,
          environment: environment,
          input: Array(text.utf8)
        )
      }
    }
    return ways.isEmpty ? nil : SafeText(ways.joined(separator: " and "))
  }

  /// The program that sets the clipboard of the desktop; nil without a desktop or a program.
  private var tool: (name: String, path: String, arguments: [String])? {
    let candidates = [
      ("WAYLAND_DISPLAY", "wl-copy", ["--type", "text/plain"]),
      ("DISPLAY", "xclip", ["-selection", "clipboard"]),
    ]
    for (variable, name, arguments) in candidates where !(environment[variable] ?? "").isEmpty {
      if let path = ToolSearch.path(of: name, in: environment) { return (name, path, arguments) }
    }
    return nil
  }
}
