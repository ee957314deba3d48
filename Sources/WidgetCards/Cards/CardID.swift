public import WidgetPlatform

/// The identity of a card: the extension that it shows, of which a page has one card for each instance.
public typealias CardID = ExtensionIdentity
