import WidgetKitCore

/// Handles bundles that change on the disk while their cards are on the page.
///
/// This is a class because it remembers problems between calls.
final class ChangedBundles {
  private let page: PageCards
  private let notices: PageNotices
  private let byteLimit: Int
  /// The problems with the bundles that should have replaced those of cards.
  private var problems: [CardID: SafeText] = [:]

  /// Creates a handler for the cards of a page; `byteLimit` is the limit on an `Info.plist`.
  init(page: PageCards, notices: PageNotices, byteLimit: Int) {
    self.page = page
    self.notices = notices
    self.byteLimit = byteLimit
  }

  /// Replaces the bundle of a card if its manifest differs from the one that was read, or its program
  /// from the one that was started.
  ///
  /// The old process is ended normally. If the new bundle has a problem, the page says so and the old
  /// bundle stays.
  func follow(_ controller: CardController) {
    guard let session = controller.widget.session, session.isOutdated else { return }
    let old = session.bundle
    if let problem = problems.removeValue(forKey: controller.card.id) { notices.forget(problem) }
    let bundle: WidgetBundle
    do throws(BundleError) {
      bundle = try old.readAgain(byteLimit: byteLimit)
    } catch {
      return refuse(SafeText(error.description), of: controller)
    }
    guard bundle.bundleIdentifier == old.bundleIdentifier else {
      let words =
        "\(old.path): the identifier was \(old.bundleIdentifier) and is now "
        + "\(bundle.bundleIdentifier); start today again to show that widget"
      return refuse(SafeText(words), of: controller)
    }
    page.replace(old, by: bundle, of: controller)
  }

  private func refuse(_ problem: SafeText, of controller: CardController) {
    problems[controller.card.id] = problem
    controller.widget.log(SafeText("not reloaded: \(problem)"))
    notices.note(problem)
  }
}
