import ExtensionContent
import FoundationEssentials
import Glibc
import WidgetKitCore
import WidgetPlatform

/// The bundle of an extension that has none, because it runs in the process of its test.
enum StandInBundle {
  /// Makes `NAME.widget` in a folder.
  ///
  /// - Parameters:
  ///   - name: The name of the widget's type.
  ///   - identifier: Its identifier; nil for one below `test`.
  ///   - folder: The folder.
  ///   - attributes: What is in `NSExtensionAttributes`, as XML.
  ///   - entitlements: What is in Entitlements.plist, as XML.
  /// - Returns: The bundle.
  /// - Throws: ``HarnessFailure`` if it cannot be written, or the attributes are wrong.
  static func make(
    _ name: String,
    identifier: String? = nil,
    in folder: String,
    _ attributes: String,
    entitlements: String = ""
  ) throws(HarnessFailure) -> WidgetBundle {
    let path = "\(folder)/\(identifier ?? name).widget"
    try write(path, identifier ?? "test.\(name)", name, .today, attributes)
    if !entitlements.isEmpty {
      let plist = "<plist version=\"1.0\"><dict>\(entitlements)</dict></plist>"
      let file = "\(path)/Entitlements.plist"
      guard FileManager.default.createFile(atPath: file, contents: Data(plist.utf8)) else {
        throw HarnessFailure("\(file) could not be written")
      }
    }
    do throws(BundleError) {
      return try WidgetBundle(path: path)
    } catch {
      throw HarnessFailure(error.description)
    }
  }

  /// Makes `NAME.appex` in a folder, which accepts all content unless its attributes say what it accepts.
  ///
  /// - Parameters:
  ///   - name: The name of the extension's type.
  ///   - point: A point to which content is offered.
  ///   - folder: The folder.
  ///   - attributes: What is in `NSExtensionAttributes`, as XML.
  /// - Returns: The extension.
  /// - Throws: ``HarnessFailure`` if it cannot be written, or the attributes are wrong.
  static func make(
    _ name: String,
    at point: ExtensionPoint,
    in folder: String,
    _ attributes: String
  ) throws(HarnessFailure) -> ContentExtension {
    let path = "\(folder)/\(name).appex"
    let key = "NSExtensionActivationRule"
    let rule =
      attributes.contains(key) ? "" : "<key>\(key)</key><string>TRUEPREDICATE</string>"
    try write(path, "test.\(name)", name, point, attributes + rule)
    do throws(BundleError) {
      let bundle = try ExtensionBundle(
        path: path,
        byteLimit: InfoPlist.byteLimit,
        trust: .named(path)
      )
      return try ContentExtension(bundle)
    } catch {
      throw HarnessFailure(error.description)
    }
  }

  private static func write(
    _ path: String,
    _ identifier: String,
    _ name: String,
    _ point: ExtensionPoint,
    _ attributes: String
  ) throws(HarnessFailure) {
    let plist = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
      <key>CFBundleIdentifier</key><string>\(identifier)</string>
      <key>CFBundleDisplayName</key><string>\(MarkupText.escaped(name))</string>
      <key>CFBundleExecutable</key><string>widget</string>
      <key>NSExtension</key><dict>
      <key>NSExtensionPointIdentifier</key><string>\(point.identifier)</string>
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
  }
}
