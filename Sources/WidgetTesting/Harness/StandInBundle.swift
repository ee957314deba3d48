import FoundationEssentials
import Glibc
import WidgetKitCore

/// The bundle of a widget that has none, because it runs in the process of its test.
enum StandInBundle {
  /// Makes `NAME.widget` in a folder.
  ///
  /// - Parameters:
  ///   - name: The name of the widget's type.
  ///   - identifier: Its identifier; nil for one below `test`.
  ///   - folder: The folder.
  ///   - attributes: What is in `NSExtensionAttributes`, as XML.
  /// - Returns: The bundle.
  /// - Throws: ``HarnessFailure`` if it cannot be written, or the attributes are wrong.
  static func make(
    _ name: String,
    identifier: String? = nil,
    in folder: String,
    _ attributes: String
  ) throws(HarnessFailure) -> WidgetBundle {
    let path = "\(folder)/\(identifier ?? name).widget"
    let plist = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
      <key>CFBundleIdentifier</key><string>\(identifier ?? "test.\(name)")</string>
      <key>CFBundleDisplayName</key><string>\(MarkupText.escaped(name))</string>
      <key>CFBundleExecutable</key><string>widget</string>
      <key>NSExtension</key><dict>
      <key>NSExtensionPointIdentifier</key><string>com.apple.widget-extension</string>
      <key>NSExtensionPrincipalClass</key><string>Widget</string>
      <key>NSExtensionAttributes</key><dict>\(attributes)</dict>
      </dict></dict></plist>
      """
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try Data(plist.utf8).write(to: URL(filePath: "\(path)/Info.plist"))
      // It must be there, and is never started.
      try Data("#!/bin/sh\n".utf8).write(to: URL(filePath: "\(path)/widget"))
    } catch {
      throw HarnessFailure("\(path) could not be written: \(error)")
    }
    guard unsafe chmod("\(path)/widget", 0o755) == 0 else {
      throw HarnessFailure("\(path)/widget could not be made executable")
    }
    do throws(BundleError) {
      return try WidgetBundle(path: path)
    } catch {
      throw HarnessFailure(error.description)
    }
  }
}
