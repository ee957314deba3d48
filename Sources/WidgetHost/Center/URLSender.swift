import WidgetKitCore

/// The widget for which a URL is opened.
struct URLSender {
  var id: CardID
  /// The name of its card.
  var name: SafeText
  /// The app that contains it.
  var app: AppBundle?

  /// By which the user's answers are kept.
  var owner: String { app?.bundleIdentifier ?? id.bundleIdentifier }
}

extension WidgetBundle {
  /// The first scheme of the app that contains the widget, by which the app is opened; nil if it has none.
  var appScheme: String? {
    containingApp?.urlSchemes.first { !SchemeRegistry.reserved.contains($0) }
  }

  /// The name of the app that is opened by its scheme; nil if there is none.
  var openableAppName: SafeText? { appScheme == nil ? nil : containingApp?.name }
}
