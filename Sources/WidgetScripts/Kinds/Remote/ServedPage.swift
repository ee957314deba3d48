package import WidgetKitCore
package import WidgetPlatform

/// A page as its machine shows it to others.
package struct ServedPage {
  /// A card, and the widget that runs for it.
  package struct Placement {
    package var card: PageCard
    package var id: ExtensionIdentity
    package var bundle: WidgetBundle

    package init(card: PageCard, id: ExtensionIdentity, bundle: WidgetBundle) {
      (self.card, self.id, self.bundle) = (card, id, bundle)
    }
  }

  package var name: String
  package var members: [Placement]

  package init(name: String, members: [Placement]) {
    (self.name, self.members) = (name, members)
  }

  var cards: [PageCard] { members.map(\.card) }
}
