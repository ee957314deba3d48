import WidgetKitCore

@MainActor extension PermissionBook {
  /// What a question says about the app of a widget; nil if it has none, or was not installed.
  ///
  /// - Parameters:
  ///   - bundle: The widget.
  ///   - sandbox: The sandbox in which apps run that the user does not trust.
  /// - Returns: A sentence.
  func wordsAboutApp(of bundle: WidgetBundle, _ sandbox: Sandbox) -> SafeText? {
    guard let app = bundle.containingApp, origin(of: bundle) == .installed else { return nil }
    let id = SafeText(app.bundleIdentifier)
    if isTrusted(bundle) {
      return sandbox.isRequired
        ? "Its app \(id) runs in the sandbox; as you trust it, also without a press."
        : "You trust its app \(id): it runs outside of the sandbox, also without a press."
    }
    let trust: SafeText = "“today permissions \(id) --grant trust”"
    return switch sandbox.level {
    case .full, .partial:
      """
      Its app \(id) runs in the sandbox, and is started only by a press; \(trust) lets it run outside of the \
      sandbox, also without a press.
      """
    case .off:
      "Its app \(id) is started only by a press, and then runs outside of the sandbox, which is off."
    case .none:
      "Its app \(id) is not started, as there is no sandbox; \(trust) lets it do what you can."
    }
  }
}
