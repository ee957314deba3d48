import Foundation
import WidgetKitCore
import WidgetTestSupport

/// A widget in Python, with one fault if a test wants that, and with scenarios.
struct AuthoredBundle {
  let world: TestWorld
  let path: String

  init(fault: String = "") throws {
    world = try TestWorld()
    path = "\(world.widgets)/Cups.widget"
    try FileManager.default.createDirectory(
      atPath: "\(path)/Tests",
      withIntermediateDirectories: true
    )
    try world.write(
      """
      { CFBundleIdentifier = "com.example.Cups"; CFBundleExecutable = "cups.py"; NSExtension = {
        NSExtensionPointIdentifier = "com.apple.widget-extension"; NSExtensionPrincipalClass = Cups;
        NSExtensionAttributes = { TodaySettings = (
          { name = unit; title = Unit; type = string; default = cups; } ); }; }; }
      """,
      to: "\(path)/Info.plist"
    )
    try write(program: Self.program.replacing("FAULT", with: fault))
  }

  /// Writes the program of the widget.
  func write(program: String) throws {
    try world.write(program, to: "\(path)/cups.py")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755],
      ofItemAtPath: "\(path)/cups.py"
    )
  }

  /// Removes it; until then it is there.
  func remove() {
    try? FileManager.default.removeItem(atPath: path)
  }

  var bundle: WidgetBundle { get throws { try WidgetBundle(path: path) } }

  /// Writes `Tests/NAME.json`.
  func scenario(_ text: String, _ name: String = "counts") throws {
    try world.write(text, to: "\(path)/Tests/\(name).json")
  }
}
