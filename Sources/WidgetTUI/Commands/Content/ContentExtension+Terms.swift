import ExtensionContent
import WidgetKitCore

extension ContentExtension {
  /// Whether it may send content to other machines or programs: a script that does not say `leaves=false`, and a bundle
  /// with one of the entitlements for that.
  var mayLeave: Bool {
    if let script { return script.leaves }
    let entitlements = bundle.entitlements
    return entitlements.declinesSandbox
      || [.network, .desktopBus, .sockets].contains { entitlements[$0] != nil }
  }
}
