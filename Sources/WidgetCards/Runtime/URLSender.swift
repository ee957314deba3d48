import WidgetExtensions
package import WidgetKitCore
import WidgetPlatform

/// The widget for which a URL is opened.
package struct URLSender {
  package var id: CardID
  /// The name of its card.
  package var name: SafeText
  /// The app that contains it.
  package var app: AppBundle?

  /// By which the user's answers are kept.
  package var owner: String { app?.bundleIdentifier ?? id.bundleIdentifier }
}

extension WidgetBundle {
  /// The first scheme of the app that contains the widget, by which the app is opened; nil if it has none.
  package var appScheme: String? {
    containingApp?.urlSchemes.first { !SchemeRegistry.reserved.contains($0) }
  }

  /// The name of the app that is opened by its scheme; nil if there is none.
  var openableAppName: SafeText? { appScheme == nil ? nil : containingApp?.name }
}
