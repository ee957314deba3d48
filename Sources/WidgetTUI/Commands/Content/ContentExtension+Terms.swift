import ExtensionContent
import WidgetKitCore

extension ContentExtension {
  /// The first of the types of content that a script names; the first of all if it names none of them.
  func accepted(_ types: [UniformType], _ table: TypeTable) -> UniformType {
    let wanted = (script?.accepts ?? []).map { UniformType($0) }
    return types.first { type in wanted.contains { table.conforms(type, to: $0) } } ?? types[0]
  }

  /// Whether it may send content to other machines or programs: a script that does not say `leaves=false`, and a bundle
  /// with one of the entitlements for that.
  var mayLeave: Bool {
    if let script { return script.leaves }
    let entitlements = bundle.entitlements
    return entitlements.declinesSandbox
      || [.network, .desktopBus, .sockets].contains { entitlements[$0] != nil }
  }
}
