import Glibc

extension ExtensionBundle {
  /// Reads the share extension or action that a script is; nil if the file is no script, or a widget.
  ///
  /// Nothing is run.
  ///
  /// - Parameters:
  ///   - path: The file; a link is followed.
  ///   - trust: The owners whose files are used.
  ///   - isConfined: Whether the scripts of its folder run in the sandbox, in which there is none for content.
  /// - Returns: The extension, and what the script says of itself.
  /// - Throws: The first value that cannot be used, or that it would have to run in the sandbox.
  package static func script(
    at path: String,
    trust: BundleTrust,
    isConfined: Bool = false
  ) throws(BundleError) -> (bundle: ExtensionBundle, declaration: ScriptExtension)? {
    let location = BundleLocation(path)
    var status = stat()
    guard let name = ScriptName(file: location.name), let target = resolvedPath(path),
      stat(target, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_mode & 0o111 != 0, access(target, X_OK) == 0
    else { return nil }
    do throws(BundleFault) {
      let text = try WidgetBundle.beginning(of: target, status, trust)
      guard let declaration = try ScriptExtension(in: text) else { return nil }
      guard !isConfined else {
        throw BundleFault(
          code: .notTrusted,
          key: "today: \(declaration.point == .share ? "share" : "action")",
          found: "in a folder whose scripts run in the sandbox",
          expected: "one of your own scripts, as it gets content outside of the sandbox"
        )
      }
      let title = declaration.title ?? SafeText(name: name.name, orIfInvisible: name.identifier)
      let infoPlist = InfoPlist(
        bundleIdentifier: name.identifier,
        displayName: title,
        executable: location.name,
        urlSchemes: [],
        widgetDescription: declaration.purpose,
        isBackgroundOnly: false,
        needsTerminal: false
      )
      let bundle = ExtensionBundle(
        script: location.path,
        infoPlist,
        Entitlements(),
        point: declaration.point,
        attributes: declaration.attributes
      )
      return (bundle, declaration)
    } catch {
      throw error.located("", in: location)
    }
  }
}
